"""The quality of the data: how replies were read, errors, retries, violated invariants."""

from collections.abc import Iterator

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import share_text
from mirror_ray.analysis.report.section import Part, ReportTable, Section, with_rows
from mirror_ray.analysis.report.section_file import measured_families, section_file
from mirror_ray.analysis.report.setting import main_setting

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
    """Return how each model's replies were read, its errors and retries; None without episodes."""
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
        *_bounds(run),
        *_broken_rules(run),
    )


def _broken_rules(run: Reading) -> Iterator[ReportTable]:
    for family in run.families():
        if run.has(f"metric.{family}_violations", "invariant"):
            yield section_file(__name__, run, family=family).table("violations_{family}")


def _bounds(run: Reading) -> Iterator[Part]:
    for family in measured_families(run):
        setting = main_setting(run, family)
        file = section_file(
            __name__,
            run,
            leading=family,
            where=setting.where if setting else "",
            setting=setting.text if setting else "",
        )
        unread = file.table("unread_{family}")
        if any(unread.data.column("n_unread").to_pylist()):
            if setting is not None:
                rows = file.rows("unread_bounds_{family}")
                yield file.drawn("unread_bounds_{family}", _drawn(rows, file.slots["name"]))
            yield unread
        if run.has(f"metric.{family}", "low_if_failed"):
            yield from with_rows(file.table("bounds_{family}"))


def _drawn(rows: list[Row], name: str) -> Chart:
    return dumbbell(
        [_ends(row, name) for row in rows],
        left="all unread are wrong",
        right="all unread are right",
        title=name,
    )


def _ends(row: Row, name: str) -> Row:
    low, high = row["low_if_unread"], row["high_if_unread"]
    unread = f"{row['n_unread']:,} of {row['n_episodes']:,} episodes unread"
    said = f"{name} {share_text(low)} to {share_text(high)}, {unread}"
    return {**row, "left": low, "right": high, "description": f"{row['model']}: {said}"}
