"""`mirror-ray run`: checks everything, plays the sweep, shows its metrics and the next commands."""

import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from os import environ
from sys import stderr

from rich.text import Text

from mirror_ray.cli.growing import growth_in_words
from mirror_ray.cli.show import console, print_json
from mirror_ray.cli.sweep_options import with_limit
from mirror_ray.cli.terminal import Terminal
from mirror_ray.engine.driver.money import spent_words
from mirror_ray.errors import SweepError
from mirror_ray.providers.credentials import missing_env, missing_packages
from mirror_ray.records.storage_fault import faults_reported
from mirror_ray.sweep.demands import structures_in_words, withheld_in_words
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.stages import limit_in_words


def main(arguments: Namespace) -> int:
    """Exit code: see `mirror_ray.cli`."""
    plan = load_plan(arguments.sweep, with_limit(arguments), arguments.out)
    _require_keys(plan)
    # Imported late: neither a typing mistake nor --help should wait for Ray or DuckDB.
    from mirror_ray.analysis.bootstrap import bootstrap_run  # noqa: PLC0415
    from mirror_ray.analysis.metacog_intervals import bootstrap_metacog  # noqa: PLC0415
    from mirror_ray.analysis.paired import compare_run  # noqa: PLC0415
    from mirror_ray.analysis.summary import (  # noqa: PLC0415
        HEADLINES,
        summary_rows,
        summary_tables,
        violations,
    )
    from mirror_ray.analysis.warehouse import open_run, write_views  # noqa: PLC0415
    from mirror_ray.engine.driver.run import run  # noqa: PLC0415

    # With --json stdout carries the JSON alone: progress goes to stderr.
    shown = Terminal(stderr) if arguments.json else console
    for line in (*structures_in_words(plan), *withheld_in_words(plan)):
        shown.print(line)
    _warn_of_unknown_prices(plan, shown)
    for line in (*limit_in_words(plan), *growth_in_words(plan)):
        shown.print(line, soft_wrap=True)
    summary = run(plan, console=shown, plain=arguments.plain)
    out = plan.sweep.out
    with faults_reported(out, "the results cannot be written"):
        write_views(out)
        bootstrap_run(out)
        bootstrap_metacog(out)
        compare_run(out)
    with faults_reported(out, "the results cannot be read"), open_run(out, hold=True) as connection:
        violated = violations(connection)
        if arguments.json:
            print_json({**asdict(summary), "metrics": summary_rows(connection)})
        else:
            for table in summary_tables(connection, width=console.width):
                console.print(table)
    for violation in violated:
        shown.print(Text.assemble(("invariant violated:", "red"), f" {violation}"))
    if not arguments.json:
        drawn, reused = summary.pictures_drawn, summary.pictures_reused
        pictures = f" {drawn:,} pictures drawn, {reused:,} reused," if drawn else ""
        unpaid = f" {summary.episodes_unpaid:,} unpaid," if summary.episodes_unpaid else ""
        console.print(
            f"{summary.episodes_done:,} episodes, {summary.episodes_failed:,} failed,"
            f"{unpaid}{pictures}"
            f" {spent_words(summary.cost_usd, summary.run_unpriced)}, {summary.wall_s:.0f} s."
            f" Data: {out}. Next:\n{_next(out, plan.cells[0].family, HEADLINES)}",
            soft_wrap=True,
        )
    return summary.exit_code


def _next(out: str, family: str, headlines: Mapping[str, Sequence[str]]) -> str:
    """What to ask of the run: lines, and rows, that fit a terminal of 80 columns."""
    where = shlex.quote(out)
    rows = (
        "select condition,\n"  # noqa: S608 - our own names
        "  split_part(model, '/', -1) as model, n, estimate, ci_low as low, ci_high as high\n"
        f"  from metric.{family} where metric = '{headlines[family][0]}' order by all"
    )
    return f'mirror-ray sql {where} "{rows}"\nmirror-ray report {where}\nmirror-ray view {where}'


def _warn_of_unknown_prices(plan: Plan, shown: Terminal) -> None:
    unpriced = [
        model.name
        for model in plan.models.values()
        if model.usd_per_mtok_in is None or model.usd_per_mtok_out is None
    ]
    sweep = plan.sweep
    has_budget = sweep.budget_usd or sweep.budget_per_model_usd or sweep.budget_per_cell_usd
    if has_budget and unpriced:
        shown.print(
            f"Budgets are checked only after each reply for {', '.join(unpriced)}:"
            " unknown prices can be given in a model catalogue.",
        )


def _require_keys(plan: Plan) -> None:
    """No model is asked unless all can be: the credentials that any of them lacks are reported
    first."""
    for what, lacking, fix in (
        ("environment variable", lambda model: missing_env(model, environ), "export {}=…"),
        ("Python package", missing_packages, "pip install {}"),
    ):
        missing = {m.name: names for m in plan.models.values() if (names := lacking(m))}
        if missing:
            all_names = sorted({name for names in missing.values() for name in names})
            raise SweepError(
                f"{plan.sweep.source}: models",
                f"{', '.join(missing)} without {', '.join(all_names)}",
                f"each model's {what}s there",
                "; ".join(fix.format(name) for name in all_names) + "; or choose scripted/ models",
            )
