"""`mirror-ray plan`: cells, episodes, and bounds on calls, tokens, cost and time."""

from argparse import Namespace
from collections import Counter
from dataclasses import asdict

from rich.table import Table

from mirror_ray.cli.show import MISSING, console, count, print_json, usd
from mirror_ray.sweep.estimate import TOKENS_PER_IMAGE, Estimate, estimate
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan


def main(arguments: Namespace) -> int:
    """Prints the plan; starts nothing."""
    plan = load_plan(arguments.sweep, arguments.overrides, arguments.out)
    estimates = estimate(plan)
    if arguments.json:
        print_json(
            {
                "name": plan.sweep.name,
                "out": plan.sweep.out,
                "cells": len(plan.cells),
                "episodes": len(plan.episodes),
                "budget_usd": plan.sweep.budget_usd,
                "models": [asdict(row) for row in estimates],
            }
        )
        return 0
    console.print(_cells(plan))
    console.print(_bounds(estimates))
    console.print(
        "Upper bounds: every episode at its last step, every reply re-asked and at its full"
        f" length, {TOKENS_PER_IMAGE:,} tokens an image. Budget: {usd(plan.sweep.budget_usd)}."
    )
    if any(row.cost_usd is None for row in estimates):
        console.print("– marks unknown prices or limits: give them in a model catalogue.")
    return 0


def _cells(plan: Plan) -> Table:
    table = Table(title=f"{plan.sweep.name}: {len(plan.cells)} cells", header_style="bold")
    for column in ("family", "condition", "variant", "temperature", "models", "episodes"):
        table.add_column(column, justify="right" if column in {"models", "episodes"} else "left")
    models: Counter[tuple[str, ...]] = Counter()
    episodes: Counter[tuple[str, ...]] = Counter()
    for cell in plan.cells:
        models[_row(cell.family, cell.condition, cell.variant_label, cell.temperature)] += 1
    for spec in plan.episodes:
        cell = spec.cell
        episodes[_row(cell.family, cell.condition, cell.variant_label, cell.temperature)] += 1
    for row, n_models in models.items():
        table.add_row(*row, count(n_models), count(episodes[row]))
    return table


def _row(family: str, condition: str, variant: str, temperature: float | None) -> tuple[str, ...]:
    return family, condition, variant, MISSING if temperature is None else f"{temperature:g}"


def _bounds(estimates: tuple[Estimate, ...]) -> Table:
    table = Table(title="at most", header_style="bold", show_footer=True)
    known = [row.cost_usd for row in estimates if row.cost_usd is not None]
    total_usd = usd(sum(known)) if len(known) == len(estimates) else MISSING
    footers = {
        "model": "all",
        "episodes": count(sum(row.episodes for row in estimates)),
        "calls": count(sum(row.calls for row in estimates)),
        "tokens in": count(sum(row.tokens_in for row in estimates)),
        "tokens out": count(sum(row.tokens_out for row in estimates)),
        "cost": total_usd,
        "hours at its limit": "",
    }
    for column, footer in footers.items():
        table.add_column(column, footer, justify="left" if column == "model" else "right")
    for row in estimates:
        table.add_row(
            row.model,
            count(row.episodes),
            count(row.calls),
            count(row.tokens_in),
            count(row.tokens_out),
            usd(row.cost_usd),
            MISSING if row.hours_at_least is None else f"{row.hours_at_least:.1f}",
        )
    return table
