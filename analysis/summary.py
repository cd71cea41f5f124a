"""A run's metrics for people: one table per condition, rows models, columns metrics.

Knows how numbers are shown and which metrics a family puts first; computes none of them.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, TypeAlias

import duckdb
from rich.table import Table
from rich.text import Text

HEADLINES: Mapping[str, tuple[str, ...]] = {
    # In the order of the paper (arXiv 2605.08816).
    "selfid": ("tsa", "ttd", "mcr", "mtato", "caal", "cr", "tsa_c", "mgd", "arsc", "sc"),
}
"""Family → the metrics its tables show."""

UNDEFINED = "–"

Row: TypeAlias = dict[str, Any]


def summary_rows(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Every metric of every family as plain data, with the stored BCa interval beside it.

    Keys are the columns of `metric.<family>` plus `bca_low` and `bca_high`; undefined is None.
    """
    rows: list[Row] = []
    for family in HEADLINES:
        cursor = connection.execute(
            "select shown.*, stored.ci_low as bca_low, stored.ci_high as bca_high "  # noqa: S608 - our own names
            f"from metric.{family} as shown left join metric.{family}_bca as stored "
            "on shown.condition = stored.condition and shown.model = stored.model "
            "and shown.temperature is not distinct from stored.temperature "
            "and shown.variant = stored.variant and shown.metric = stored.metric "
            "and shown.n = stored.n and abs(shown.estimate - stored.estimate) < 1e-9 "
            "order by shown.condition, shown.temperature, shown.variant, shown.model, shown.metric"
        )
        names = [column[0] for column in cursor.description or ()]
        rows += [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return rows


def summary_tables(connection: duckdb.DuckDBPyConnection) -> list[Table]:
    """One table per family, condition, temperature and variant; at most 100 columns wide."""
    rows = summary_rows(connection)
    return [
        _table(family, condition, temperature, variant, list(group))
        for (family, condition, temperature, variant), group in groupby(
            rows,
            key=lambda row: (row["family"], row["condition"], row["temperature"], row["variant"]),
        )
    ]


def _table(
    family: str, condition: str, temperature: float | None, variant: str, rows: Sequence[Row]
) -> Table:
    by_model: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_model.setdefault(row["model"], {})[row["metric"]] = row
    metrics = HEADLINES[family]
    at = "" if temperature is None else f" · temperature {temperature:g}"
    table = Table(
        title=Text.assemble((f"{family} {condition}", "bold"), (f"{at} · {variant}", "dim")),
        title_justify="left",
        caption=_caption(metrics, rows),
        caption_justify="left",
        caption_style="dim",
        box=None,
        padding=(0, 0, 0, 1),
        pad_edge=False,
        collapse_padding=True,
    )
    table.add_column("model", min_width=12, max_width=20, overflow="fold")
    for metric in metrics:
        table.add_column(_display_name(metric), justify="right", no_wrap=True)
    for model, cells in by_model.items():
        table.add_row(
            _model_cell(model, cells[metrics[0]]), *(_metric_cell(cells[name]) for name in metrics)
        )
    return table


def _model_cell(model: str, row: Row) -> Text:
    provider, slash, name = model.rpartition("/")
    episodes = f"n={row['n']}" + (f" +{row['n_failed']} failed" if row["n_failed"] else "")
    return Text.assemble((name, "bold"), (f"\n{provider}{slash} {episodes}", "dim"))


def _metric_cell(row: Row) -> Text:
    if row["estimate"] is None:
        return Text(UNDEFINED, style="dim")
    estimate = _number(row, row["estimate"])
    if row["ci_low"] is None:
        return Text(estimate)
    interval = f"{_number(row, row['ci_low'])}–{_number(row, row['ci_high'])}"
    return Text.assemble(estimate, (f"\n{interval}", "dim"))


def _number(row: Row, value: float) -> str:
    """A share as .00 to 1.00 without the leading zero, a count with three significant digits."""
    if row["method"] == "wilson":
        text = f"{value:.2f}"
        return text.removeprefix("0") if value < 0.995 else text
    return f"{value:.1f}" if abs(value) < 9.95 else f"{value:.0f}"


def _display_name(metric: str) -> str:
    return metric.upper().replace("_", "-")


def _caption(metrics: Sequence[str], rows: Sequence[Row]) -> str:
    chances = {
        row["metric"]: row["chance"]
        for row in rows
        if row["metric"] in metrics and row["chance"] is not None
    }
    guessing = ", ".join(f"{_display_name(name)} {value:.2f}" for name, value in chances.items())
    chance = f"Chance: {guessing}. " if guessing else ""
    return f"{chance}Below each estimate its 95 % interval. {UNDEFINED} undefined."
