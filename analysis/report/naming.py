"""Replaces the names of models and conditions by names that the reader chose, such as a paper's.

Only a name that is a whole cell, heading or label is replaced, not one within a sentence."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.report.section import TableCell
from mirror_ray.analysis.report.shown import TableText

_BETWEEN = (" → ", " · ", ", ")


def renamed_text(text: str, names: Mapping[str, str]) -> str:
    """Return the new text for a name, or for names joined by an arrow, a point or a comma."""
    if text in names:
        return names[text]
    for sign in _BETWEEN:
        if sign in text:
            return sign.join(renamed_text(part, names) for part in text.split(sign))
    return text


def renamed_table(table: TableText, names: Mapping[str, str]) -> TableText:
    """Return the table's cells, headings and groups under their new names."""

    def cell(one: TableCell) -> TableCell:
        return replace(one, text=renamed_text(one.text, names))

    return replace(
        table,
        columns=tuple(
            replace(column, heading=renamed_text(column.heading, names)) for column in table.columns
        ),
        groups=tuple(
            (renamed_text(heading, names), tuple(tuple(map(cell, row)) for row in rows))
            for heading, rows in table.groups
        ),
    )


def figure_names(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the new names for figures, whose labels are models' short names."""
    return {**{short: names[model] for model, short in short_names(names).items()}, **names}


def renamed_chart(node: Any, names: Mapping[str, str]) -> Any:
    """Return a Vega-Lite specification with these labels. Tooltips keep the original names."""
    if isinstance(node, str):
        return renamed_text(node, names)
    if isinstance(node, list):
        return [renamed_chart(part, names) for part in node]
    if isinstance(node, dict):
        return {
            key: part if key in ("description", "field", "type") else renamed_chart(part, names)
            for key, part in node.items()
        }
    return node
