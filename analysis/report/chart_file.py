"""A figure whose marks are data: the `chart` of a part in a section's YAML file.

A chart has a `kind`, which names a function in `analysis.plots`, and that function's arguments:
`title`, `across` and so on. Each row of the part's query becomes a mark; `marks` states the
differences from `_MARKS`, or a list of them for several marks per row. A text of a mark is a
template, in which ``{accuracy:share}`` formats a value and ``{row:interval}`` several columns of
the row together; it can also name texts that the mark already has. Every other value is the name of
a column, or null. `panel_if_several` replaces the template of the panel if that gives more panels.

- `names`, by the key of a text: what each text is shown as. Marks whose text is not listed are left
  out; panels, and columns of a heat map, are in the list's order.
- `short_names`: the key of a text that is a model's name.
- `skips_undefined`: panels without a value are left out, and named below the figure.
- `at_least`: the fewest values of a horizontal axis that are worth a figure.
- `most: largest`: the darkest colour is that of the largest value.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from string import Formatter
from typing import Any

from mirror_ray.analysis.plots import style
from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.marked_shares import marked_shares
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.cells import (
    estimate_text,
    interval_text,
    number_text,
    row_setting_text,
    setting_text,
    share_text,
)
from mirror_ray.analysis.report.defined_panels import defined_panels

Mark = dict[str, Any]

_TEXTS = ("model", "panel", "condition", "column", "kind", "label", "description")
_ENDS = {"low": "ci_low", "high": "ci_high"}
_IN_PANEL = {"model": "{model}", "panel": "{condition}"}
_MARKS: Mapping[str, Mapping[str, str]] = {
    "curves": {**_IN_PANEL, "value": "value", "estimate": "estimate", **_ENDS},
    "dumbbell": {
        "model": "{model}",
        "condition": "{condition}",
        "left": "left_share",
        "right": "right_share",
    },
    "heat_map": {
        "model": "{model}",
        "column": "{column}",
        "panel": "{condition}",
        "value": "estimate",
        "label": "{value:share}",
    },
    "marked_shares": {**_IN_PANEL, "estimate": "estimate", **_ENDS, "mark": "chance"},
    "scatter": {"panel": "{condition}", "x": "x", "y": "y", **_ENDS, "n": "n", "label": ""},
    "stacked_shares": {"model": "{model}", "panel": "{panel}", "kind": "{kind}", "n": "n"},
}
_KINDS: Mapping[str, Callable[..., Chart]] = {
    "curves": curves,
    "dumbbell": dumbbell,
    "heat_map": heat_map,
    "marked_shares": marked_shares,
    "scatter": scatter,
    "stacked_shares": stacked_shares,
}
_FORMATS: Mapping[str, Callable[[Any], str]] = {
    "share": share_text,
    "number": number_text,
    "estimate": estimate_text,
    "setting": setting_text,
    "place": row_setting_text,
    "interval": lambda row: interval_text(row["ci_low"], row["ci_high"], share_text),
}


class _Template(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        known = _FORMATS.get(format_spec)
        return known(value) if known else super().format_field(value, format_spec)


def row_text(template: str, row: Row, mark: Mapping[str, Any] | None = None) -> str:
    """Fill a template with a row's values, and with what its mark already has."""
    return _Template().vformat(template, (), {**row, **(mark or {}), "row": row})


def drawn_chart(said: Mapping[str, Any], rows: Sequence[Row]) -> tuple[Chart | None, str]:
    """Return a chart and the note below it, which names the panels left out, or is "". Return None
    instead of a chart if there is too little to draw."""
    options = dict(said)
    kind, own = options.pop("kind"), options.pop("marks", {})
    names, short = options.pop("names", {}), options.pop("short_names", "")
    each = own if isinstance(own, list) else [own]
    made_of = [_with_panel({**_MARKS[kind], **one}, rows) for one in each]
    marks = [mark for said in made_of for row in rows for mark in _mark(row, said, names)]
    if short:
        shown = short_names(mark[short] for mark in marks)
        marks = [{**mark, short: shown[mark[short]]} for mark in marks]
    if "panel" in names:
        panels = list(names["panel"].values())
        marks.sort(key=lambda mark: panels.index(mark["panel"]))
    also = ""
    if options.pop("skips_undefined", False):
        value = "value" if kind == "heat_map" else "estimate"
        marks, also = defined_panels(marks, value)
        marks = marks if any(mark[value] is not None for mark in marks) else []
    return _chart(kind, marks, list(names.get("column", {}).values()), options), also


def _with_panel(said: Mapping[str, Any], rows: Sequence[Row]) -> dict[str, Any]:
    mark = dict(said)
    longer = mark.pop("panel_if_several", None)
    if longer is None:
        return mark
    few, many = ({row_text(text, row) for row in rows} for text in (mark["panel"], longer))
    return {**mark, "panel": longer} if len(many) > len(few) else mark


def _mark(row: Row, said: Mapping[str, str | None], names: Mapping[str, Any]) -> Iterator[Mark]:
    """Make a row's mark, or none if one of its texts is not in the list of names."""
    mark: Mark = {}
    for key, value in said.items():
        if key in _TEXTS:
            text = row_text(str(value), row, mark)
            if key in names and text not in names[key]:
                return
            mark[key] = names[key][text] if key in names else text
        else:
            mark[key] = None if value is None else row[value]
    yield mark


def _chart(
    kind: str, marks: Sequence[Mark], columns: Sequence[str], options: dict[str, Any]
) -> Chart | None:
    if kind == "curves":
        options["values"] = sorted({mark["value"] for mark in marks})
        if len(options["values"]) < options.pop("at_least", 1):
            return None
    elif kind == "heat_map":
        found = list(dict.fromkeys(mark["column"] for mark in marks))
        if columns:
            found.sort(key=columns.index)
        elif all(column.isdecimal() for column in found):
            found.sort(key=int)
        options["columns"] = found
        if options.get("most") == "largest":
            known = [mark["value"] for mark in marks if mark["value"] is not None]
            options["most"] = max(known, default=1.0)
    elif kind == "stacked_shares":
        options["kinds"] = {name: _colour(said) for name, said in options["kinds"].items()}
    return _KINDS[kind](marks, **options) if marks else None


def _colour(said: str | int) -> str:
    return style.CATEGORIES[said] if isinstance(said, int) else str(getattr(style, said.upper()))
