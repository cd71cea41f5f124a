"""Tables as HTML for notebooks: every text escaped, printable and bounded, no script, no style."""

from collections.abc import Sequence
from html import escape
from typing import Any

from mirror_ray.core.untrusted import one_printable_line

MOST_ROWS, MOST_COLUMNS = 20, 30
_MOST_CHARS = 80
_UNDEFINED = "–"


def html_table(
    headings: Sequence[str], rows: Sequence[Sequence[Any]], n_rows: int, about: str = ""
) -> str:
    """Return the first rows and columns as HTML, with a caption above and the totals below.

    Args:
        rows: those that are shown, of as many cells as there are headings.
        n_rows: of the whole table.
    """
    shown = headings[:MOST_COLUMNS]
    head = "".join(f"<th>{escaped_html(one)}</th>" for one in shown)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row[:MOST_COLUMNS])}</tr>"
        for row in rows[:MOST_ROWS]
    )
    rest = f"{n_rows:,} rows × {len(headings):,} columns"
    title = f"<p>{escaped_html(about, 500)}</p>" if about else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<div>{title}{table}<p>{rest}</p></div>"


def escaped_html(text: str, limit: int = _MOST_CHARS) -> str:
    """Return a text as HTML, on one line of so many characters."""
    return escape(one_printable_line(text, limit))


def _cell(value: Any) -> str:
    if value is None:
        return _UNDEFINED
    if isinstance(value, float):
        return f"{value:.4g}"
    return escaped_html(str(value))
