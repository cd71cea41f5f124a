"""`mirror-ray run`: check everything, play the sweep, show its metrics, say what to run next."""

from argparse import Namespace
from dataclasses import asdict
from os import environ
from sys import stderr

from rich.console import Console
from rich.markup import escape

from mirror_ray.cli.show import console, print_json, usd
from mirror_ray.errors import SweepError
from mirror_ray.providers.credentials import missing_env, missing_packages
from mirror_ray.records.storage_fault import faults_told
from mirror_ray.sweep.demands import withheld_in_words
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan


def main(arguments: Namespace) -> int:
    """Exit code: see `mirror_ray.cli`."""
    plan = load_plan(arguments.sweep, arguments.overrides, arguments.out)
    _require_keys(plan)
    # Imported late: neither a typing mistake nor --help should wait for Ray or DuckDB.
    from analysis.bootstrap import bootstrap_run  # noqa: PLC0415
    from analysis.metacog_intervals import bootstrap_metacog  # noqa: PLC0415
    from analysis.paired import compare_run  # noqa: PLC0415
    from analysis.summary import summary_rows, summary_tables, violations  # noqa: PLC0415
    from analysis.warehouse import open_run, write_views  # noqa: PLC0415
    from mirror_ray.engine.driver import run  # noqa: PLC0415

    # With --json stdout carries the JSON alone: progress goes to stderr.
    shown = Console(file=stderr, highlight=False) if arguments.json else console
    for line in withheld_in_words(plan):
        shown.print(escape(line))
    _warn_of_unknown_prices(plan, shown)
    summary = run(plan, console=shown, plain=arguments.plain)
    out = plan.sweep.out
    with faults_told(out, "the results cannot be written"):
        write_views(out)
        bootstrap_run(out)
        bootstrap_metacog(out)
        compare_run(out)
    with faults_told(out, "the results cannot be read"), open_run(out) as connection:
        violated = violations(connection)
        if arguments.json:
            print_json({**asdict(summary), "metrics": summary_rows(connection)})
        else:
            for table in summary_tables(connection, width=console.width):
                console.print(table)
    for violation in violated:
        shown.print(f"[red]invariant violated:[/red] {violation}")
    if not arguments.json:
        console.print(
            f"{summary.episodes_done:,} episodes, {summary.episodes_failed:,} failed,"
            f" {usd(summary.cost_usd)}, {summary.wall_s:.0f} s."
            f' Data: {out}. Next: mirror-ray sql {out} "from metric.{plan.cells[0].family}",'
            f" mirror-ray report {out}, mirror-ray view {out}.",
            soft_wrap=True,
            markup=False,
        )
    return summary.exit_code


def _warn_of_unknown_prices(plan: Plan, shown: Console) -> None:
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
            markup=False,
        )


def _require_keys(plan: Plan) -> None:
    """Nobody is asked with half of the models: what any of them lacks is said first."""
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
