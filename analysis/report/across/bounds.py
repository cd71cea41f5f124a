"""Bounds of each family's leading estimates: the worst and best that errors and unread replies
could hide.
"""

from collections.abc import Iterator

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    condition_text,
    metric_text,
    number_column,
    share_column,
    share_of,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import Figure, Part, ReportTable
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.contract.metrics import METRICS

_WRONG, _RIGHT = "all unread are wrong", "all unread are right"


def bounds(run: Reading) -> Iterator[Part]:
    """Draw and list the bounds of the families in which something failed or was not read."""
    for family in run.families():
        if family in METRICS:
            yield from _of_unread(run, family)
            if run.has(f"metric.{family}", "low_if_failed"):
                yield from _of_errors(run, family)


def _of_errors(run: Reading, family: str) -> Iterator[ReportTable]:
    metric = METRICS[family].leading
    name = metric_text(family, metric)
    sql = (
        "select condition, temperature, variant, model, n, n_failed, estimate, "
        "low_if_failed, high_if_failed\n"
        f"from metric.{family}\n"
        f"where metric = '{metric}' and n_failed > 0\n"
        "order by condition, temperature, variant, model"
    )
    data = run.table(sql)
    if data.num_rows:
        yield ReportTable(
            f"bounds_{family}",
            f"{family}: what errors could hide of {name}",
            "The estimate over episodes without an error, and what it would be if every other one "
            "had scored worst or best.",
            sql,
            data,
            (
                words("model", "model"),
                number_column("n", "episodes"),
                number_column("n_failed", "errors"),
                share_column("estimate", name),
                share_column("low_if_failed", "worst case"),
                share_column("high_if_failed", "best case"),
            ),
            group=condition_text,
        )


def _of_unread(run: Reading, family: str) -> Iterator[Part]:
    metric = METRICS[family].leading
    name = metric_text(family, metric)
    sql = (
        "select condition, temperature, variant, model, n_episodes, n_unread, estimate,\n"
        "    low_if_unread, high_if_unread\n"
        f"from metric.{family}_bounds\n"
        f"where metric = '{metric}'\n"
        "order by condition, temperature, variant, model"
    )
    data = run.table(sql)
    if not any(data.column("n_unread").to_pylist()):
        return
    setting = main_setting(run, family)
    if setting is not None:
        drawn = sql.replace("order by", f"    and {setting.where}\norder by")
        yield Figure(
            f"unread_bounds_{family}",
            f"{family}: what unread replies could hide of {name}",
            f"{name} if all episodes with an unread reply were wrong, and if all were right. "
            f"{setting.text}.",
            drawn,
            dumbbell(
                [_ends(row, name) for row in run.rows(drawn)],
                left=_WRONG,
                right=_RIGHT,
                title=name,
            ),
        )
    yield ReportTable(
        f"unread_{family}",
        f"{family}: {name} if what was not read were wrong, or right",
        "The estimate as it is reported, and its bounds over all episodes without an error.",
        sql,
        data,
        (
            words("model", "model"),
            number_column("n_episodes", "episodes"),
            share_of("n_unread", "unread", of="n_episodes"),
            share_column("estimate", name),
            share_column("low_if_unread", _WRONG),
            share_column("high_if_unread", _RIGHT),
        ),
        group=condition_text,
        tells=lambda row: row["n_unread"] > 0,
        silence="every reply was read",
    )


def _ends(row: Row, name: str) -> Row:
    low, high = row["low_if_unread"], row["high_if_unread"]
    unread = f"{row['n_unread']:,} of {row['n_episodes']:,} episodes unread"
    said = f"{name} {share_text(low)} to {share_text(high)}, {unread}"
    return {**row, "left": low, "right": high, "description": f"{row['model']}: {said}"}
