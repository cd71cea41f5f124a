"""A run's metrics for people: one table per condition, with models as rows and metrics as
columns."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

import duckdb
from rich.table import Table
from rich.text import Text

from mirror_ray.analysis.overview import overview_tables
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.summary_cells import (
    MOSTLY_UNREAD,
    UNDEFINED,
    WIDE,
    SummaryRow,
    display_name,
    few_rows,
    fitted_tables,
    is_mostly_unread,
    metric_cell,
    model_cell,
    name_width,
    share,
    whole_lines,
)
from mirror_ray.analysis.undefined_metrics import is_here, without_mirror
from mirror_ray.contract.metrics import METRICS
from mirror_ray.contract.packages import module_of
from mirror_ray.core.identity import variant_words

_ON_UNREAD = (
    f"\n{MOSTLY_UNREAD} fewer than half of the replies were read; counts: metric.<family>_read; "
    "if all unread were wrong or right: metric.<family>_bounds."
)
OwnTables: TypeAlias = Callable[[duckdb.DuckDBPyConnection, int], list[Table]]
_MOST_TABLES = 4
"""If there are more tables, an overview replaces them. Also the most tables that a family may
add."""
_ESTIMATED = ("estimate", "ci_low", "ci_high", "bca_low", "bca_high")
_INTERVALS: Mapping[str | None, str] = {
    "wilson": "Wilson's for shares",
    "bca": "BCa bootstrap over scenes for steps",
    None: "none for what is put together from several shares",
}
"""A metric's method → the note on its interval."""


def summary_rows(connection: duckdb.DuckDBPyConnection) -> list[SummaryRow]:
    """Return every metric of every family as plain data, along with the stored BCa interval.

    Keys are the columns of `metric.<family>`, `bca_low` and `bca_high`; undefined values are None.
    """
    rows: list[SummaryRow] = []
    for family in _recorded(connection):
        rows += Reading(connection).rows(
            "select shown.*, stored.ci_low as bca_low, stored.ci_high as bca_high "  # noqa: S608 - our own names
            f"from metric.{family} as shown left join metric.{family}_bca as stored "
            "on shown.condition = stored.condition and shown.model = stored.model "
            "and shown.temperature is not distinct from stored.temperature "
            "and shown.variant = stored.variant and shown.metric = stored.metric "
            "and shown.n = stored.n_scenes and abs(shown.estimate - stored.estimate) < 1e-9 "
            "order by shown.condition, shown.temperature, shown.variant, shown.model, shown.metric"
        )
    return rows


def summary_tables(
    connection: duckdb.DuckDBPyConnection, *, width: int = WIDE, briefly: bool = False
) -> list[Table]:
    """Return one table per family, condition, temperature and variant.

    Args:
        width: columns of the terminal. Below 100 the ends of intervals are on two lines, and
            columns without room are in a table below.
        briefly: instead of more than four tables, return one of each family's leading metric.
    """
    own_tables = _own_tables(connection)
    shown = [row for row in summary_rows(connection) if row["family"] not in own_tables]
    no_mirror = without_mirror(connection)
    shown = [
        row | dict.fromkeys(_ESTIMATED)
        if not is_here(row["family"], row["metric"], row["condition"], no_mirror)
        else row
        for row in shown
    ]
    groups = [
        (setting, list(rows))
        for setting, rows in groupby(
            shown,
            key=lambda row: (row["family"], row["condition"], row["temperature"], row["variant"]),
        )
    ]
    own = [table for tables_of in own_tables.values() for table in tables_of(connection, width)]
    n_tables = len(groups) + len(own)
    if briefly and n_tables > _MOST_TABLES:
        tables = overview_tables(groups, width)
        own = own[:_MOST_TABLES]
        left_out = f"All metrics are in {n_tables:,} tables: mirror-ray report, or SQL."
    else:
        tables = [one for setting, rows in groups for one in _tables(*setting, rows, width=width)]
        left_out = ""
    if tables:
        _add(tables[-1], _legend(shown), width)
    if left_out:
        _add([*tables, *own][-1], left_out, width)
    return [*tables, *own]


def _own_tables(connection: duckdb.DuckDBPyConnection) -> Mapping[str, OwnTables]:
    modules = {family: module_of(family, "tables") for family in _recorded(connection)}
    return {family: module.tables for family, module in modules.items() if module is not None}


def _add(table: Table, caption: str, width: int) -> None:
    said = f"{table.caption}\n" if table.caption else ""
    table.caption = whole_lines(f"{said}{caption}", width)


def _recorded(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the families with episodes: a query of shards, faster than planning a family's
    views."""
    recorded = Reading(connection).recorded_families()
    return [family for family in METRICS if family in recorded]


def violations(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """Return the rows of every `metric.<family>_violations`; a sound run has none."""
    views = connection.execute(
        "select view_name from duckdb_views() where schema_name = 'metric' "
        "and ends_with(view_name, '_violations') order by view_name"
    ).fetchall()
    return [
        row for (view,) in views for row in connection.execute(f"from metric.{view}").fetchall()
    ]


def _tables(
    family: str,
    condition: str,
    temperature: float | None,
    variant: str,
    rows: Sequence[SummaryRow],
    *,
    width: int,
) -> list[Table]:
    shown = METRICS[family].shown
    rows, left_out = few_rows(rows, shown[0], display_name(shown[0]))
    known = {row["metric"] for row in rows if row["estimate"] is not None}
    metrics = [metric for metric in shown if metric in known]
    undefined = [display_name(metric) for metric in shown if metric not in known]
    is_wide = width >= WIDE
    at = "" if temperature is None else f" · temperature {temperature:g}"
    name = name_width((row["model"] for row in rows), width)
    drawn = []
    for model, of_model in groupby(rows, key=lambda row: row["model"]):
        by_metric = {row["metric"]: row for row in of_model}
        cells = [metric_cell(by_metric[metric], is_wide) for metric in metrics]
        # Other metrics may rest on fewer units; only the leading one's counts describe the model.
        leading = by_metric.get(shown[0]) or next(iter(by_metric.values()))
        drawn.append((model_cell(model, leading, name), cells))
    tables = fitted_tables(
        Text.assemble(
            (f"\n{family} {condition}", "bold"), (f"{at} · {variant_words(variant)}", "dim")
        ),
        "model",
        [display_name(metric) for metric in metrics],
        drawn,
        width=width,
        least=7 if is_wide else 5,
    )
    without = f"Undefined for every model: {', '.join(undefined)}." if undefined else ""
    said = (left_out, _chance(metrics, rows), without)
    tables[-1].caption = whole_lines("\n".join(filter(None, said)), width)
    return tables


def _legend(rows: Sequence[SummaryRow]) -> str:
    methods = {row["method"] for row in rows if row["metric"] in METRICS[row["family"]].shown}
    made = ", ".join(text for method, text in _INTERVALS.items() if method in methods)
    return (
        f"Under each estimate its 95 % interval: {made}; {UNDEFINED} undefined.\n"
        "n counts scenes, strings, questions or stories: repetitions of one count once.\n"
        "Episodes with an error are left out; metric.<family> bounds what they hide."
        + (_ON_UNREAD if any(map(is_mostly_unread, rows)) else "")
    )


def _chance(metrics: Sequence[str], rows: Sequence[SummaryRow]) -> str:
    """State ``Chance: 1/3 for TSA, TSA-C``, with several levels if they differ between scenes."""
    metrics_at: dict[str, list[str]] = {}
    for metric in metrics:
        levels = {row["chance"] for row in rows if row["metric"] == metric} - {None}
        for level in sorted({_fraction(level) for level in levels}):
            metrics_at.setdefault(level, []).append(display_name(metric))
    parts = [f"{level} for {', '.join(names)}" for level, names in metrics_at.items()]
    return f"Chance: {'; '.join(parts)}." if parts else ""


def _fraction(value: float) -> str:
    whole = round(1 / value)
    return f"1/{whole}" if abs(value - 1 / whole) < 1e-9 else share(value)
