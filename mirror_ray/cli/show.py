"""How the commands print: one console, money and counts in one style, JSON for scripts."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

console = Console(highlight=False)
MISSING = "–"


def usd(value: float | None) -> str:
    """Dollars with cents, more digits below a cent, a dash where unknown."""
    if value is None:
        return MISSING
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.4f}"


def count(value: int | None) -> str:
    """A whole number with thousands marked."""
    return MISSING if value is None else f"{value:,}"


def print_json(value: Any) -> None:
    """JSON on stdout, for scripts; nothing else may be printed beside it."""
    print(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def print_rows(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A query's result as a table; values are shown as they are, markup and escapes inert."""
    table = Table(header_style="bold")
    for column in columns:
        table.add_column(escape(column), overflow="fold")
    for row in rows:
        table.add_row(*(_cell(value) for value in row))
    console.print(table)


def _cell(value: Any) -> str:
    if value is None:
        return MISSING
    if isinstance(value, float):
        return f"{value:.4g}"
    # What a model wrote may carry terminal escapes.
    printable = "".join(c if c.isprintable() or c == "\n" else "�" for c in str(value))
    return escape(printable)


def as_mappings(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[Mapping[str, Any]]:
    """Rows as dictionaries, for `print_json`."""
    return [dict(zip(columns, row, strict=True)) for row in rows]
