"""The quality of the data: reading of replies, errors, retries, violated invariants."""

from collections.abc import Iterator

from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across.bounds import bounds
from mirror_ray.analysis.report.section import ReportTable, Section
from mirror_ray.analysis.report.section_file import section_file

_READINGS = {
    "strict": GOOD,
    "cleaned": "#56B4E9",
    "coerced": NEUTRAL,
    "repaired": BAD,
    "reasked": "#CC79A7",
    "unreadable": WORSE,
    "not read": "#4d4d4d",
}


def section(run: Reading) -> Section | None:
    """Reading, errors and retries per model; None without episodes."""
    if not run.families():
        return None
    asks = run.every(
        "stage", "asked", "family, model, parse_status, superseded, has_failed, attempts, is_latest"
    )
    episodes = run.every("stage", "episodes", "family, condition, model, error_kind, take")
    file = section_file(
        __name__,
        run,
        groups={"cells": lambda row: f"{row['family']} {row['condition']}"},
        asks=asks,
        episodes=episodes,
    )
    return file.section(
        file.figure(
            "reading_of_replies",
            lambda rows: stacked_shares(rows, kinds=_READINGS, title="share of replies"),
        ),
        file.table("asks_quality"),
        file.table("failed_episodes"),
        *bounds(run),
        *_broken_rules(run),
    )


def _broken_rules(run: Reading) -> Iterator[ReportTable]:
    """Violated invariants of the definitions; a sound run has none."""
    for family in run.families():
        if run.has(f"metric.{family}_violations", "invariant"):
            yield section_file(__name__, run, family=family).table("violations_{family}")
