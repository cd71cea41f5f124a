"""`mirror-ray run` checks everything, plays the sweep, and shows its metrics and next commands."""

import shlex
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from sys import stderr

from rich.text import Text

from mirror_ray.api.playing import play
from mirror_ray.cli.detached import start
from mirror_ray.cli.resuming import say_how_to_resume
from mirror_ray.cli.show import console, print_json
from mirror_ray.cli.sweep_options import with_limit
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.identity import Cell
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.engine.driver.money import spent_words
from mirror_ray.engine.driver.run_summary import EXIT_INTERRUPTED
from mirror_ray.engine.driver.starting import Starting
from mirror_ray.records.storage_fault import faults_reported
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.registration import registered


def main(arguments: Namespace) -> int:
    """Return the exit code: see `mirror_ray.cli`."""
    if arguments.detach:
        return start(arguments, with_limit(arguments))
    # With --json stdout carries the JSON alone: progress goes to stderr.
    shown = Terminal(stderr) if arguments.json else console
    with Starting(shown, plain=arguments.plain) as starting:
        starting.step("Checking the sweep")
        plan = load_plan(arguments.sweep, with_limit(arguments), arguments.out)
    if arguments.registered:
        registration = registered(plan, arguments.registered)
        plan = replace(plan, sweep=replace(plan.sweep, registration=registration))
    try:
        exit_code = _play(plan, arguments, shown)
    except KeyboardInterrupt:
        exit_code = EXIT_INTERRUPTED
    if exit_code == EXIT_INTERRUPTED:
        say_how_to_resume(shown, arguments, plan.sweep.out)
    return exit_code


def _play(plan: Plan, arguments: Namespace, shown: Terminal) -> int:
    summary = play(
        plan, console=shown, plain=arguments.plain, allow_commands=arguments.allow_commands
    )
    out = plan.sweep.out
    # Imported late: neither a typing mistake nor --help should wait for DuckDB.
    from mirror_ray.analysis.summary import summary_rows, summary_tables, violations  # noqa: PLC0415
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    with faults_reported(out, "the results cannot be read"), open_run(out, hold=True) as connection:
        violated = violations(connection)
        if arguments.json:
            print_json({**asdict(summary), "metrics": summary_rows(connection)})
        else:
            for table in summary_tables(connection, width=console.width, briefly=True):
                # They are empty before the first episode has ended.
                if summary.episodes_done or summary.episodes_failed:
                    console.print(table)
    for violation in violated:
        shown.print(Text.assemble(("invariant violated:", "red"), f" {violation}"))
    if not arguments.json:
        drawn, reused = summary.pictures_drawn, summary.pictures_reused
        pictures = f" {drawn:,} pictures drawn, {reused:,} reused," if drawn else ""
        unpaid = f" {summary.episodes_unpaid:,} unpaid," if summary.episodes_unpaid else ""
        settled = f" {summary.episodes_settled:,} settled," if summary.episodes_settled else ""
        say(
            console,
            f"{summary.episodes_done:,} episodes, {summary.episodes_failed:,} with an error,"
            f"{unpaid}{settled}{pictures}"
            f" {spent_words(summary.cost_usd, summary.run_unpriced)}, {summary.wall_s:.0f} s.",
        )
        if summary.exit_code != EXIT_INTERRUPTED:
            # People paste this, so it must not be wrapped in a narrow terminal.
            console.print(f"Data: {out}\nNext:\n{next_steps(out, plan.cells)}", soft_wrap=True)
    return summary.exit_code


def next_steps(out: str, cells: Sequence[Cell]) -> str:
    """Suggest queries of the run whose lines and rows fit 80 columns, and whose rows can be told
    apart by their values."""
    where, family = shlex.quote(out), cells[0].family
    named = ["condition"]
    if len({cell.temperature for cell in cells}) > 1:
        named.append("temperature")
    if len({cell.variant_label for cell in cells}) > 1:
        named.append("variant")
    first, figures = "condition", ["estimate", "ci_low as low", "ci_high as high"]
    if len(named) > 1:
        first = f"concat_ws(' ', {', '.join(named)}) as cell"
        shares = (("estimate", "mean"), ("ci_low", "low"), ("ci_high", "high"))
        figures = [f"round({name}, 2) as {said}" for name, said in shares]
    rows = (
        f"select {first},\n"  # noqa: S608 - our own names
        f"  split_part(model, '/', -1) as model, n, {figures[0]},\n"
        f"  {figures[1]}, {figures[2]}\n"
        f"  from metric.{family} where metric = '{METRICS[family].leading}' order by all"
    )
    return f'mirror-ray sql {where} "{rows}"\nmirror-ray report {where}\nmirror-ray view {where}'
