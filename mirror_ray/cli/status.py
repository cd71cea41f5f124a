"""`mirror-ray status` shows a run's state, progress and cost without disturbing it."""

from argparse import Namespace
from collections.abc import Callable, Mapping
from time import sleep
from typing import Any

from rich.console import Console
from rich.text import Text

from mirror_ray.cli.directories import say_differences
from mirror_ray.cli.run_status import STATUS_COLUMNS, Status
from mirror_ray.cli.show import as_mappings, console, print_json
from mirror_ray.cli.status_live import live_status
from mirror_ray.cli.status_table import status_rows, status_table
from mirror_ray.core.known_costs import sum_if_known
from mirror_ray.core.terminal import say
from mirror_ray.engine.driver.cost_forecast import ModelCosts
from mirror_ray.engine.driver.money import in_all_words, spent_words, usd_words
from mirror_ray.records.control_changes import change_lines
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_state import state_columns, state_lines, unreachable_entries
from mirror_ray.records.served_models import gpu_hours_words
from mirror_ray.records.storage import home_of, is_address

_WATCH_EVERY_S = 5.0

MOST_ASKS_READ = 20_000
"""The most sealed requests that a quick look at a run reads; a report reads any number."""


def main(arguments: Namespace) -> int:
    """Print one row per family, condition and model."""
    directory = arguments.directory
    if arguments.watch:
        shown = Console(quiet=True) if arguments.json else console

        def show() -> Status:
            found = _status(directory, read_manifest(directory))
            show_status(found, shown, every=arguments.all)
            return found

        exit_code = watch(show, shown)
        if not arguments.json:
            return exit_code
    manifest = read_manifest(directory)
    found = _status(directory, manifest, of_rows=arguments.json)
    if arguments.json:
        of_run = {**state_columns(found.state), "run_presumed_usd": found.presumed_usd}
        print_json([{**row, **of_run} for row in as_mappings(STATUS_COLUMNS, found.rows)])
    else:
        show_status(found, console, every=arguments.all)
        _say_waste(directory, found)
        for line in change_lines(manifest):
            say(console, line)
        if is_address(directory):
            say(console, f"Journal on this head: {home_of(directory)}")
    say_differences(directory, manifest)
    return found.exit_code


def _status(directory: str, manifest: Mapping[str, Any], *, of_rows: bool = False) -> Status:
    """Return the status from the run's own counts, if it writes any, or else from its rows. With
    `of_rows`, always count the rows."""
    if not of_rows and (found := live_status(directory, manifest)) is not None:
        return found
    # Imported late: a run's own counts need no rows.
    from mirror_ray.cli.status_counts import read_status  # noqa: PLC0415

    return read_status(directory, manifest)


def _say_waste(directory: str, found: Status) -> None:
    if not found.has_waste:
        return
    if sum(row[6] for row in found.rows) > MOST_ASKS_READ:
        more = f"More than {MOST_ASKS_READ:,} requests"
        say(console, f"{more}: mirror-ray report shows what failed and unreadable replies cost.")
        return
    # Imported late: most runs need no view of DuckDB's here.
    from mirror_ray.cli.status_waste import wasted_lines  # noqa: PLC0415

    for line in wasted_lines(directory):
        console.print(line)


def watch(
    show: Callable[[], Status], shown: Console, pause: Callable[[float], None] = sleep
) -> int:
    """Show the status again and again, until the run ends."""
    while True:
        if shown.is_terminal:
            shown.clear()
        found = show()
        if found.state.state != "running":
            return found.exit_code
        shown.print(f"Again every {_WATCH_EVERY_S:.0f} s; Ctrl-C ends this, not the run.")
        pause(_WATCH_EVERY_S)


def show_status(found: Status, shown: Console, *, every: bool = False) -> None:
    """Print the status for people, within the console's width. With `every`, each model has its own
    row."""
    down = unreachable_entries(found.state) if found.state.state == "running" else {}
    rows = status_rows(found.rows, found.entries, down, every=every)
    shown.print(status_table(found.rows, found.costs, shown.width, rows))
    if rows and rows[0].section:
        shown.print(f"{len(found.costs):,} models, by lab, family and limits: --all lists each.")
    shown.print()
    say(shown, _money(found.costs, found.budget_usd))
    if found.presumed_usd:
        say(
            shown,
            f"Up to {usd_words(found.presumed_usd)} more, at the known prices, may have gone to"
            " calls whose replies or costs were lost; budgets count it.",
        )
    failed, unpaid = sum(row[5] for row in found.rows), sum(row[9] for row in found.rows)
    left = found.planned - found.done - failed - unpaid - found.settled
    unpaid_words = f" {unpaid:,} unpaid," if unpaid else ""
    unpaid_words += f" {found.settled:,} settled," if found.settled else ""
    runs = f"{found.n_runs:,} run{'' if found.n_runs == 1 else 's'} so far"
    say(
        shown,
        f"{found.name}: {found.done:,} of {found.planned:,} episodes done,"
        f" {failed:,} with an error,{unpaid_words} {left:,} to play; {runs}",
    )
    if found.others:
        what = "1 episode here is" if found.others == 1 else f"{found.others:,} episodes here are"
        say(
            shown,
            f"{what} not of its plan, as of shards copied from another run; all tables count"
            f" {'it' if found.others == 1 else 'them'}.",
        )
    if found.is_own:
        say(shown, "These are the run's own counts; --json counts its rows, by condition.")
    if found.gpu_s:
        shown.print(gpu_hours_words(found.gpu_s))
    for line in state_lines(found.state):
        shown.print(Text(line, style="bold" if line.startswith(found.state.state) else ""))


def _money(costs: Mapping[str, ModelCosts], budget_usd: float | None) -> str:
    projected = [one.projected_usd for one in costs.values()]
    of = "" if budget_usd is None else f" of {usd_words(budget_usd)}"
    spent_usd = sum(one.spent_usd for one in costs.values())
    unpriced = sum(one.unpriced for one in costs.values())
    in_all_usd = sum_if_known(projected)
    # Short episodes end first, so their mean may predict less than was already spent.
    tells = in_all_usd is not None and in_all_usd > spent_usd
    in_all = f"; at the mean costs so far {in_all_words(in_all_usd, unpriced)}" if tells else ""
    return f"Spent {spent_words(spent_usd, unpriced)}{of}{in_all}."
