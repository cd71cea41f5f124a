"""The terminal's tables of metrics: names, estimates with intervals, columns split to fit."""

import re
from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any, TypeAlias

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mirror_ray.analysis.plots.few_models import MOST_MODELS

UNDEFINED = "–"
WIDE = 100
"""Terminals with fewer columns show the ends of intervals on two lines."""
_LEAST_NAME = 20
_MOST_OF_AN_END = 10
_WORDS = re.compile(r"[^-/:_ ]*[-/:_ ]|[^-/:_ ]+")

SummaryRow: TypeAlias = dict[str, Any]


def first_and_last(scores: Mapping[str, float | None], by: str) -> tuple[list[str], str]:
    """Return the models, but of more than `MOST_MODELS` only the first and the last ten, and a
    remark on those left out.

    Args:
        scores: of each model, to rank them by.
        by: what the scores are.
    """
    if len(scores) <= MOST_MODELS:
        return list(scores), ""
    known = [model for model, score in scores.items() if score is not None] or list(scores)
    ranked = sorted(known, key=lambda model: -(scores[model] or 0.0))
    shown = list(dict.fromkeys([*ranked[:_MOST_OF_AN_END], *ranked[-_MOST_OF_AN_END:]]))
    return shown, (
        f"{len(shown)} of {len(scores):,} models, the first and the last by {by}; all are in the "
        "report's files and in SQL."
    )


def few_rows(rows: Sequence[SummaryRow], metric: str, by: str) -> tuple[Sequence[SummaryRow], str]:
    """Return the rows, and a remark. If there are many models, return only the rows of the first
    and last by a metric."""
    scores = dict.fromkeys((row["model"] for row in rows), None) | {
        row["model"]: row["estimate"]
        for row in rows
        if row["metric"] == metric and not is_mostly_unread(row)
    }
    shown, said = first_and_last(scores, by)
    if not said:
        return rows, ""
    return [row for model in shown for row in rows if row["model"] == model], said


def fitted_tables(
    title: Text,
    corner: str,
    headers: Sequence[str],
    rows: Sequence[tuple[Text, Sequence[Text]]],
    *,
    width: int,
    least: int = 0,
) -> list[Table]:
    """Return one table, or several below each other if the terminal is too narrow for all columns.
    No heading, name or figure is cut.

    Args:
        rows: the cell of the name, then one cell per heading.
        least: the fewest terminal cells of a column.
    """
    names = max(map(_cells, [Text(corner), *(name for name, _ in rows)]), default=0)
    widths = [
        max(least, *map(_cells, [Text(header), *(cells[place] for _, cells in rows)]))
        for place, header in enumerate(headers)
    ]
    tables: list[Table] = []
    for first, last in _parts(widths, width - names):
        shown = title if not tables else Text.assemble(title, (" · further columns", "dim"))
        shown = _lines(shown, width)
        table = Table(
            title=shown,
            title_justify="left",
            caption_justify="left",
            caption_style="dim",
            box=None,
            padding=(0, 0, 0, 1),
            pad_edge=False,
        )
        table.add_column(corner, width=names, no_wrap=True)
        for header, cells in zip(headers[first:last], widths[first:last], strict=True):
            table.add_column(header, justify="right", width=cells, no_wrap=True)
        for name, figures in rows:
            table.add_row(name, *figures[first:last])
        tables.append(table)
    return tables


def _lines(text: Text, width: int) -> Text:
    lines = text.wrap(Console(width=width), width)
    return Text("\n", no_wrap=True, overflow="ignore").join(lines)


def whole_lines(text: str, width: int) -> Text:
    """Return text for below a table, in lines that fit the terminal but may be wider than the
    table."""
    lines = (fill(line, min(width, WIDE), break_long_words=False) for line in text.split("\n"))
    return Text("\n".join(lines), "dim", no_wrap=True, overflow="ignore")


def _cells(text: Text) -> int:
    return max(map(cell_len, text.plain.split("\n")))


def _parts(widths: Sequence[int], room: int) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    first, taken = 0, 0
    for place, cells in enumerate(widths):
        if place > first and taken + cells + 1 > room:
            parts.append((first, place))
            first, taken = place, 0
        taken += cells + 1
    return [*parts, (first, len(widths))]


def name_width(models: Iterable[str], width: int) -> int:
    """Return the width of the longest line under "model", at most half of the terminal."""
    parts = [part for model in set(models) for part in model.rsplit("/", 1)]
    return max(_LEAST_NAME, min(max(map(cell_len, parts), default=0) + 1, width // 2))


def broken(text: str, width: int) -> str:
    """Break text into lines at punctuation marks within names; longer words are cut."""
    lines = [""]
    words = (
        word[at : at + width] for word in _WORDS.findall(text) for at in range(0, len(word), width)
    )
    for word in words:
        if lines[-1] and cell_len(lines[-1] + word) > width:
            lines.append("")
        lines[-1] += word
    return "\n".join(lines)


def model_cell(model: str, row: SummaryRow, width: int) -> Text:
    """Return a model's name, with its provider, units, errors and unread replies below."""
    provider, slash, name = model.rpartition("/")
    name, provider = broken(name, width), broken(f"{provider}{slash}", width)
    between = " " if cell_len(provider.rpartition("\n")[2]) + 6 < width else "\n"
    errors = "1 error" if row["n_failed"] == 1 else f"{row['n_failed']} errors"
    episodes = f"n={row['n']}" + (f"\n{errors}" if row["n_failed"] else "")
    episodes += read_below([row])
    return Text.assemble((name, "bold"), (f"\n{provider}{between}{episodes}", "dim"))


def read_below(rows: Sequence[SummaryRow]) -> str:
    """Return a line on how many replies were read in the worst row; "" if all were."""
    unread = [row for row in rows if row["n_read"] is not None and row["n_read"] < row["n_replies"]]
    least = min(unread, key=lambda row: row["n_read"] / row["n_replies"], default=None)
    if least is None:
        return ""
    mark = f" {MOSTLY_UNREAD}" if is_mostly_unread(least) else ""
    return f"\nread {least['n_read']:,} of {least['n_replies']:,}{mark}"


MOSTLY_UNREAD = "?"


def is_mostly_unread(row: SummaryRow) -> bool:
    """Return whether fewer than half of the replies that an estimate rests on were read."""
    return row["n_read"] is not None and 2 * row["n_read"] < row["n_replies"]


def metric_cell(row: SummaryRow, is_wide: bool) -> Text:
    """Return an estimate with its interval below it."""
    mark = f" {MOSTLY_UNREAD}" if is_mostly_unread(row) else ""
    if row["estimate"] is None or row["n_read"] == 0:
        return Text(f"{UNDEFINED}{mark}", style="dim")
    show = _count if row["method"] == "bca" else share
    if mark:
        return Text(f"{show(row['estimate'])}{mark}", style="dim")
    if row["ci_low"] is None or row["ci_high"] is None:
        return Text(show(row["estimate"]))
    low, high = (show(row[end]).replace("1.00", "1") for end in ("ci_low", "ci_high"))
    interval = f"{low}–{high}" if is_wide else f"{low}\n{high}"
    return Text.assemble(show(row["estimate"]), (f"\n{interval}", "dim"))


def share(value: float) -> str:
    """Format a share as ``.00`` to ``1.00``."""
    return f"{value:.2f}".removeprefix("0")


def _count(value: float) -> str:
    text = f"{value:.1f}" if 0 <= value < 9.95 else f"{value:.0f}"
    return "0" if text == "-0" else text


def display_name(metric: str) -> str:
    """Return a metric's name as tables show it: ``TSA-C``."""
    return metric.upper().replace("_", "-")
