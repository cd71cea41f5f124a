"""metacog's tables for people: models as rows, the metrics of arXiv 2604.19809's Table 4 as
columns."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import duckdb
from rich.table import Table
from rich.text import Text

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.summary_cells import (
    MOSTLY_UNREAD,
    WIDE,
    broken,
    few_rows,
    fitted_tables,
    is_mostly_unread,
    name_width,
    read_below,
    whole_lines,
)
from mirror_ray.core.identity import variant_words
from mirror_ray.core.shipped_files import shipped_rows, shipped_yaml

_ROWS = """
select setting, temperature, model, metric, n, estimate, n_replies, n_read
from summary.metacog
order by setting, temperature, model
"""

_NAMES = shipped_rows("mirror_ray.families.metacog", "summary_metrics.csv")
_SAID = shipped_yaml("mirror_ray.families.metacog", "tables.yaml")
_PARTS = tuple(
    (*_SAID[part].values(), {metric: short for metric, of, short, _ in _NAMES if of == part})
    for part in ("knowing", "adapting", "doing")
)


def tables(connection: duckdb.DuckDBPyConnection, width: int = WIDE) -> list[Table]:
    """Return three tables for each temperature and setting; tables without any number are left out.

    Columns are explained below the last table that has them.

    Args:
        width: columns of the terminal.
    """
    rows = Reading(connection).rows(_ROWS)
    tables: list[Table] = []
    last: dict[str, Table] = {}
    for (setting, temperature), members in groupby(
        rows, lambda row: (row["setting"], row["temperature"])
    ):
        of_setting = list(members)
        for part, meaning, metrics in _PARTS:
            shown = [row for row in of_setting if row["metric"] in metrics]
            if any(row["estimate"] is not None for row in shown):
                at = "" if temperature is None else f" · temperature {temperature:g}"
                tables += _tables(f"{part}{at} · {variant_words(setting)}", metrics, shown, width)
                last[meaning] = tables[-1]
    for meaning, table in last.items():
        said = f"{table.caption}\n" if table.caption else ""
        table.caption = whole_lines(f"{said}{meaning}", width)
    if tables:
        tables[-1].caption = whole_lines(f"{tables[-1].caption}\n{_SAID['legend']}", width)
    return tables


def _tables(
    title: str, metrics: Mapping[str, str], rows: Sequence[dict[str, Any]], width: int
) -> list[Table]:
    known = {row["metric"] for row in rows if row["estimate"] is not None}
    ranking = next(metric for metric in metrics if metric in known)
    rows, left_out = few_rows(rows, ranking, metrics[ranking])
    names = name_width((row["model"] for row in rows), width)
    drawn = []
    for model, members in groupby(rows, lambda row: row["model"]):
        of_model = list(members)
        found = {row["metric"]: row for row in of_model}
        cells = [_number(found.get(metric)) for metric in metrics if metric in known]
        most = max((row["n"] for row in of_model if row["n"] is not None), default=0)
        name = broken(model.rpartition("/")[2], names)
        below = f"n≤{most:,}{read_below([row for row in of_model if row['metric'] in metrics])}"
        drawn.append((Text.assemble((name, "bold"), (f"\n{below}", "dim")), cells))
    tables = fitted_tables(
        Text.assemble(("\nmetacog ", "bold"), (title, "dim")),
        "model",
        [heading for metric, heading in metrics.items() if metric in known],
        drawn,
        width=width,
    )
    undefined = [heading for metric, heading in metrics.items() if metric not in known]
    without = f"Undefined for every model: {', '.join(undefined)}." if undefined else ""
    tables[-1].caption = whole_lines("\n".join(filter(None, (left_out, without))), width)
    return tables


def _number(row: dict[str, Any] | None) -> Text:
    """Format a number: ``.64``, ``-.44``, ``1.00``; ``.64 ?`` if few replies were read."""
    value = None if row is None else row["estimate"]
    if row is None or value is None:
        return Text("–", "dim")
    if is_mostly_unread(row):
        return Text(f"{_text(value) if row['n_read'] else '–'} {MOSTLY_UNREAD}", "dim")
    return Text(_text(value))


def _text(value: float) -> str:
    text = f"{value:.2f}"
    if float(text) == 0:
        return "0"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text
