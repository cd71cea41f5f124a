"""Printing for the commands: one console, money and counts in one style, JSON for scripts."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, TypeAlias

from rich.table import Table
from rich.text import Text

from mirror_ray.cli.narrow_table import NarrowTable
from mirror_ray.core.terminal import Terminal
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.sweep.ranges import Range

console = Terminal()

_UNICODE = frozenset({"utf-8", "utf8", "utf_8", "utf-8-sig"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")


def count(value: int | None) -> str:
    """Return a whole number with thousands marked."""
    return MISSING if value is None else f"{value:,}"


def counted(number: int, noun: str) -> str:
    """Return how many of something there are: 1 model, 1,200 models."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def rough(value: float) -> str:
    """Return a large count in three digits: 29.7 M."""
    for unit, name in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if value >= unit:
            return f"{value / unit:.3g} {name}"
    return f"{value:.0f}"


def duration(seconds: float) -> str:
    """Return a time in a suitable unit: 25 s, 3 min, 2.1 h, 3.4 d."""
    for unit_s, name in ((86_400, "d"), (3_600, "h")):
        if seconds >= unit_s:
            return f"{seconds / unit_s:.1f} {name}"
    return f"{seconds / 60:.0f} min" if seconds >= 100 else f"{seconds:.0f} s"


def new_table(*columns: str, title: str | None = None, left: int = 1) -> Table:
    """Return a table in the common style; the first `left` columns are words, the rest figures."""
    return NarrowTable(*columns, title=title, left=left)


def print_json(value: Any) -> None:
    """Print a value as one JSON document on stdout and flush it.

    Numbers that JSON does not have (NaN, infinity) become null. Characters that control a terminal,
    or that its encoding lacks, are written as JSON escapes."""
    encoding = (sys.stdout.encoding or "ascii").lower()
    text = json.dumps(
        _with_numbers(value), indent=2, ensure_ascii=encoding not in _UNICODE, default=str
    )
    print(_UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text), flush=True)


def _with_numbers(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _with_numbers(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_with_numbers(part) for part in value]
    return value


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print a query's result as a table."""
    table = new_table(*columns, left=len(columns))
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    console.print(table)


def _cell(value: Any) -> str:
    if value is None:
        return MISSING
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def as_mappings(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Mapping[str, Any]]:
    """Return rows as dictionaries, for `print_json`."""
    return [dict(zip(columns, row, strict=True)) for row in rows]


FindingVerdict: TypeAlias = Literal["ok", "note", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: a fault keeps sweeps from running, a note does not."""

    topic: str
    verdict: FindingVerdict
    what: str


_TIMES = {"k": 1e3, "M": 1e6, "G": 1e9}
"""The factor of each unit of a count."""


def noted(name: str, note: str) -> Text:
    """Return a cell with a note below it."""
    return Text.assemble(name, (f"\n{note}", "dim"))


def spread(figure: Range | None, show: Callable[[float], str]) -> Text:
    """Return the expected figure, and below it the interval if there is one."""
    if figure is None:
        return Text(MISSING)
    expected = show(figure.expected)
    between = span(figure, show)
    return Text(expected) if between == expected else noted(expected, between)


def span(figure: Range, show: Callable[[float], str]) -> str:
    """Format an interval, writing a shared unit once."""
    low, high = show(figure.low), show(figure.high)
    if low == high:
        return low
    (number, _, unit), (_, _, of_high) = low.partition(" "), high.partition(" ")
    if not unit and of_high in _TIMES:
        # “53–31 k” would read as 53 to 31 thousand.
        return f"{figure.low / _TIMES[of_high]:.1g}–{high}"
    return f"{number if unit == of_high else low}–{high.removeprefix('$')}"
