"""Bounds of each family's leading estimates: the worst and best that errors and unread replies
could hide.
"""

from collections.abc import Iterator

import altair as alt

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import metric_text, share_text
from mirror_ray.analysis.report.section import Part, with_rows
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.contract.metrics import METRICS


def bounds(run: Reading) -> Iterator[Part]:
    """Draw and list the bounds of the families in which something failed or was not read."""
    for family in run.families():
        if family not in METRICS:
            continue
        metric = METRICS[family].leading
        name, setting = metric_text(family, metric), main_setting(run, family)
        file = section_file(
            __name__,
            run,
            family=family,
            metric=metric,
            name=name,
            where=setting.where if setting else "",
            setting=setting.text if setting else "",
        )
        unread = file.table("unread_{family}")
        if any(unread.data.column("n_unread").to_pylist()):
            if setting is not None:
                rows = file.rows("unread_bounds_{family}")
                yield file.drawn("unread_bounds_{family}", _drawn(rows, name))
            yield unread
        if run.has(f"metric.{family}", "low_if_failed"):
            yield from with_rows(file.table("bounds_{family}"))


def _drawn(rows: list[Row], name: str) -> alt.ConcatChart:
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
