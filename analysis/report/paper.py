"""A paper's tables over a run, with each printed figure under the run's own: ``report --paper``."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import number_text
from mirror_ray.analysis.report.replies import of_own_counts, replies_of
from mirror_ray.analysis.report.section import (
    UNDEFINED_CELL,
    Column,
    Figure,
    ReportTable,
    Section,
    TableCell,
)
from mirror_ray.analysis.sql_file import KNOWN_UNREAD
from mirror_ray.analysis.sql_files import sql_files

_VALUES = ("estimate", "accuracy", "chi2", "mean_ars", "value")
"""The columns that a single `reference` may belong to; a view has one of them."""
_NO_SHARES = ("p", "r", "chi2", "log_score")
_HIDDEN = ("family", "source", "cited", "reference", "n_replies", "n_read")
_LABELS = ("condition", "temperature", "variant", "setting", "route", "n_sentences", "n_reference")
"""Labels that are equal in all rows are stated once, which leaves more room for the results."""
_NUMBER = re.compile(r"(\d+)")


def paper_sections(run: Reading, family: str) -> tuple[Section, ...]:
    """Write all ``paper.<family>…`` views as tables, and one figure of the printed values.

    Views without a row are named in the section's text."""
    views = {
        file.view: _comment(file.text)
        for file in sorted(sql_files(), key=lambda file: _in_order(file.view))
        if file.layer == "paper" and (file.name == family or file.name.startswith(f"{family}_"))
    }
    said = replies_of(run, family).sentence
    tables = [of_own_counts(_table(run, view, comment, said)) for view, comment in views.items()]
    shown = [table for table in tables if table.data.num_rows]
    empty = [table.title for table in tables if not table.data.num_rows]
    points = [point for table in shown for point in _points(table)]
    parts: list[Figure | ReportTable] = []
    if points:
        parts.append(
            Figure(
                f"paper_{family}",
                "The paper against this run",
                "Each point is a printed value (horizontal) and this run's (vertical), where both "
                "are shares. On the line they agree.",
                "\n".join(f"from {table.name.replace('paper_', 'paper.', 1)};" for table in shown),
                scatter(points, across=4, titles=("paper", "this run"), diagonal=True),
                replies=said,
            )
        )
    without = f" Without rows in this run: {', '.join(empty)}." if empty else ""
    compared = (
        "" if points else " No model or setting of this run is one that the paper prints shares of."
    )
    return (
        Section(
            "paper",
            f"{family}: the paper's tables",
            "Every table of the paper over this run's replies, with the printed value under each."
            f"{compared}{without}",
            (*parts, *shown),
        ),
    )


def _table(run: Reading, view: str, comment: str, said: str) -> ReportTable:
    sql = f"from {view}"
    data = run.table(sql)
    kinds = {field.name: field.type for field in data.schema}
    names = [name for name in kinds if name not in _HIDDEN]
    if data.num_rows > 1:
        labels = {name: set(data[name].to_pylist()) for name in names if name in _LABELS}
        equal = {name: found.pop() for name, found in labels.items() if len(found) == 1}
        names = [name for name in names if name not in equal]
        told = [
            f"{name.replace('_', ' ')} {value if isinstance(value, str) else number_text(value)}"
            for name, value in equal.items()
            if value is not None
        ]
        comment += f" In all rows: {', '.join(told)}." if told else ""
    return ReportTable(
        view.replace(".", "_"),
        view,
        comment,
        sql,
        data,
        tuple(
            Column(
                name.replace("_", " "),
                _cell(name, names),
                is_number=not _is_text(kinds[name]),
                is_estimate=str(kinds[name]) == "double"
                and name not in ("temperature", *KNOWN_UNREAD),
            )
            for name in names
        ),
        replies=said,
    )


def _cell(name: str, names: list[str]) -> Any:
    def show(row: Row) -> TableCell:
        printed = _printed(row, names).get(name)
        below = "" if printed is None else f"paper {number_text(printed)}"
        value = row[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            return TableCell(UNDEFINED_CELL if value is None else str(value), below)
        return TableCell(number_text(value), below)

    return show


def _printed(row: Row, names: list[str]) -> Mapping[str, float]:
    """Return the values that the paper prints, by column."""
    printed = row.get("reference")
    if isinstance(printed, Mapping):
        found = {key: value for key, value in printed.items() if key in names}
    else:
        found = {key: printed for key in _VALUES if key in names}
    return {
        key: float(value)
        for key, value in found.items()
        if isinstance(value, int | float) and isinstance(row.get(key), int | float)
    }


def _points(table: ReportTable) -> Iterator[Row]:
    names = list(table.data.column_names)
    for row in table.data.to_pylist():
        label = next((str(row[key]) for key in ("model", "m1", "condition") if row.get(key)), "")
        for key, printed in _printed(row, names).items():
            value = float(row[key])
            if key not in _NO_SHARES and 0 <= printed <= 1 and 0 <= value <= 1:
                about = f"{label} {key}: paper {number_text(printed)}, here {number_text(value)}"
                yield {
                    **dict.fromkeys(("low", "high")),
                    "panel": table.title.removeprefix("paper."),
                    "x": printed,
                    "y": value,
                    "n": 1,
                    "label": "",
                    "description": about,
                }


def _comment(text: str) -> str:
    lines = []
    for line in text.splitlines()[1:]:
        if not line.startswith("--"):
            break
        if line.startswith("-- replies:"):
            continue
        lines.append(line.removeprefix("--").strip())
    return " ".join(lines).replace("`", "")


def _in_order(view: str) -> list[str | int]:
    return [int(part) if part.isdigit() else part for part in _NUMBER.split(view)]


def _is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "bool")
