"""`mirror-ray rescore` reads a run's replies again, after a change of parser or columns."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from mirror_ray.cli.show import console, count, new_table, print_json, print_rows
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.replay.rescore import Rescored, rescore
from mirror_ray.replay.rescore_batch import UnreadEpisode

_MAX_SHOWN = 40


def main(arguments: Namespace) -> int:
    """Print the replies that read differently; return 1 if an episode could not be read again."""
    directory = arguments.directory
    found = rescore(directory, dry_run=arguments.dry_run)
    if found.changed and not arguments.dry_run:
        # Imported late, because only a run with changes needs DuckDB.
        from mirror_ray.analysis.derived import write_derived  # noqa: PLC0415

        write_derived(directory)
    if arguments.json:
        print_json({**asdict(found), "dry_run": arguments.dry_run})
    else:
        _show(found, dry_run=arguments.dry_run)
    return int(bool(found.left))


def _show(found: Rescored, *, dry_run: bool) -> None:
    if found.changes:
        table = new_table("rows", "column", "changed", "by status", left=2)
        for change in found.changes:
            statuses = (f"{status}: {rows:,}" for status, rows in sorted(change.by_status.items()))
            table.add_row(change.kind, change.column, count(change.rows), ", ".join(statuses))
        console.print(table)
        print_rows(
            ("column", "episode", "request", "was", "is"),
            (
                (
                    change.column,
                    example.episode_id,
                    example.ask,
                    *map(_shortened, (example.before, example.after)),
                )
                for change in found.changes
                for example in change.examples[:1]
            ),
        )
    if found.left:
        console.print(f"{len(found.left):,} episodes stay as they are:")
        print_rows(("why", "episodes", "for example"), _examples(found.left))
    would = "would change" if dry_run else "changed"
    later = (
        f"; the next run plays {found.unfinished:,} that ended with an error"
        if found.unfinished
        else ""
    )
    console.print(
        f"{found.episodes:,} episodes ({found.asks:,} replies) read again,"
        f" {found.changed:,} {would}{later}."
    )


def _shortened(value: Any) -> str:
    text = MISSING if value is None else " ".join(str(value).split())
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1]}…"


def _examples(left: Sequence[UnreadEpisode]) -> Iterator[tuple[str, str, str]]:
    for why, episodes in Counter(one.why for one in left).items():
        first = next(one for one in left if one.why == why)
        place = "" if first.ask is None else f" request {first.ask}:"
        yield why, f"{episodes:,}", f"{first.episode_id}{place} {first.detail}"
