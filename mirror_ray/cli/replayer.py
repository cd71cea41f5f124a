"""`mirror-ray replayer` reports the share of each model's score that a blind replay reaches."""

import asyncio
from argparse import Namespace
from pathlib import Path

from mirror_ray.cli.show import console, new_table, print_json
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.errors import SweepError
from mirror_ray.core.terminal import say
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.records.storage import is_address
from mirror_ray.replay.replayer import ARRANGEMENTS, record_replays

_WORDS = ("family", "condition", "model", "temperature", "variant")
_SQL = f"""
select
    {", ".join(_WORDS)}, any_value(n), any_value(n_replies), any_value(n_read),
    any_value(estimate),
    {
    ", ".join(
        f"any_value(replay_estimate) filter (where arrangement = '{one}')" for one in ARRANGEMENTS
    )
}
from contrast.replayer where list_contains($1, family || ' ' || metric)
group by all order by all
"""  # noqa: S608 - our own names


def main(arguments: Namespace) -> int:
    """Print the table; return 0."""
    directory = arguments.directory
    if is_address(directory):
        raise SweepError(
            "command line: DIR", directory, "a run directory on this machine", "copy it here first"
        )
    out = arguments.out or f"{directory.rstrip('/')}-replayer"
    if Path(out).exists():
        raise SweepError(
            "command line: --out", out, "a new folder", "remove it, or choose another --out"
        )
    n_replayed = asyncio.run(record_replays(directory, out))
    # Imported late: a mistake in the command line should not wait for DuckDB.
    from mirror_ray.analysis.derived import write_derived  # noqa: PLC0415
    from mirror_ray.analysis.report.cells import condition_text  # noqa: PLC0415
    from mirror_ray.analysis.summary_cells import MOSTLY_UNREAD  # noqa: PLC0415
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    write_derived(out)
    leading = [f"{family} {metrics.leading}" for family, metrics in METRICS.items()]
    with open_run([directory, out]) as run:
        rows = run.execute(_SQL, [leading]).fetchall()
    if arguments.json:
        names = (*_WORDS, "n", "n_replies", "n_read", "estimate", *ARRANGEMENTS)
        found = [dict(zip(names, row, strict=True)) for row in rows]
        print_json({"out": out, "episodes": n_replayed, "replayer": found})
        return 0
    headings = ("n", "read", "model's own", "same scene", "moved start", "other scene")
    table = new_table(*_WORDS[:3], *headings, left=3)
    is_varied = len({row[3:5] for row in rows}) > 1
    for family, condition, model, temperature, variant, n, n_replies, n_read, *figures in rows:
        is_none_read = n_replies and not n_read
        shown = (MISSING if one is None or is_none_read else f"{one:.2f}" for one in figures)
        mark = f" {MOSTLY_UNREAD}" if n_replies and 2 * n_read < n_replies else ""
        read = MISSING if n_replies is None else f"{n_read:,} of {n_replies:,}{mark}"
        place = {"condition": condition, "temperature": temperature, "variant": variant}
        under = condition_text(place) if is_varied else condition
        table.add_row(family, under, model, f"{n:,}", read, *shown)
    console.print(table)
    say(console, f"{n_replayed:,} episodes replayed in three arrangements: {out}")
    say(console, f"Next: mirror-ray report {directory} {out} --out REPORT")
    return 0
