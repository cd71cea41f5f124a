"""`mirror-ray plan`: cells, episodes, and bounds on calls, tokens, cost and time."""

from argparse import Namespace
from collections import Counter
from dataclasses import asdict

from rich.table import Table

from mirror_ray.cli.show import MISSING, console, count, new_table, print_json, rough, usd
from mirror_ray.sweep.estimate import TOKENS_PER_IMAGE, Estimate, estimate
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.types import Cell


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
        f" length, {TOKENS_PER_IMAGE:,} tokens an image; hours at the requests a minute allowed."
        f" Budget: {usd(plan.sweep.budget_usd)}."
    )
    if any(row.cost_usd is None for row in estimates):
        console.print("– marks unknown prices or limits: give them in a model catalogue.")
    return 0


def _cells(plan: Plan) -> Table:
    columns = ("family", "condition", "variant", "temperature", "models", "episodes")
    table = new_table(*columns, title=f"{plan.sweep.name}: {len(plan.cells)} cells", left=4)
    models = Counter(_row(cell) for cell in plan.cells)
    episodes = Counter(_row(spec.cell) for spec in plan.episodes)
    for row, n_models in models.items():
        table.add_row(*row, count(n_models), count(episodes[row]))
    return table


def _row(cell: Cell) -> tuple[str, ...]:
    temperature = MISSING if cell.temperature is None else f"{cell.temperature:g}"
    return cell.family, cell.condition, cell.variant_label, temperature


def _bounds(estimates: tuple[Estimate, ...]) -> Table:
    columns = (
        "model",
        "episodes",
        "calls",
        "tokens in",
        "tokens out",
        "cost",
        "hours",
    )
    table = new_table(*columns, title="at most")
    for row in estimates:
        table.add_row(
            row.model,
            count(row.episodes),
            count(row.calls),
            rough(row.tokens_in),
            rough(row.tokens_out),
            usd(row.cost_usd),
            MISSING if row.hours_at_least is None else f"{row.hours_at_least:.1f}",
        )
    table.add_section()
    costs = [row.cost_usd for row in estimates]
    known = [cost for cost in costs if cost is not None]
    table.add_row(
        "all",
        count(sum(row.episodes for row in estimates)),
        count(sum(row.calls for row in estimates)),
        rough(sum(row.tokens_in for row in estimates)),
        rough(sum(row.tokens_out for row in estimates)),
        usd(sum(known) if len(known) == len(costs) else None),
    )
    return table
