"""Text and numbers from outside, made safe to keep and to print.

"Outside" means everything that this program did not write: replies, headers, usage figures, error
bodies, sweep files, run directories. Every reader passes such values through this module, so that
each has the right type, is finite, within the bounds of its column, and printable."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeAlias

Fits: TypeAlias = Mapping[str, Callable[[Any], Any]]
"""For each field, a function that returns what to keep of a value."""

MAX_INT = 2**63 - 1
"""The largest integer in columns, SQLite and DuckDB."""

MAX_DIGITS = 300
"""Most digits of a number within text: this many fit a float, and Python refuses some thousands."""

_VISIBLE = "�"
_KEPT = "\n\t"


def bounded_int(value: object, low: int = 0, high: int = MAX_INT) -> int | None:
    """Return `value` if it is an integer from `low` to `high`, else None, as for booleans.

    A float without a fraction, which some servers write for counts, becomes an integer."""
    if isinstance(value, float) and isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if low <= value <= high else None


def int_of(digits: str) -> int | None:
    """Return the integer of decimal digits, in any script and with or without a sign. Return None
    for any other text, and for more than `MAX_DIGITS`."""
    if len(digits) > MAX_DIGITS:
        return None
    try:
        return int(digits)
    except ValueError:
        return None


def bounded_float(value: object, low: float = 0.0, high: float = 1e12) -> float | None:
    """Return `value` as a float if it is a number from `low` to `high`, and finite; else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    # Compared before the conversion, because an integer may be too large for a float.
    return float(value) if low <= value <= high else None


def text_or_none(value: object) -> str | None:
    """Return `value` if it is text, else None."""
    return value if isinstance(value, str) else None


def keep_fitting(whole: object, fits: Fits) -> None:
    """Keep only values that fit the fields of a frozen dataclass; for its ``__post_init__``."""
    for name, fit in fits.items():
        value = getattr(whole, name)
        if (fitting := fit(value)) is not value:
            object.__setattr__(whole, name, fitting)


def printable(text: str, limit: int | None = None) -> str:
    """Return `text` with everything that acts on a terminal shown as ``�``.

    These are control characters other than line feeds and tabs, lone surrogates, and format
    characters that hide or reorder text.

    Args:
        limit: most characters kept; a longer text ends with ``…``.
    """
    if limit is not None and len(text) > limit:
        text = f"{text[: limit - 1]}…"
    if text.isprintable():
        return text
    return "".join(c if _is_harmless(c) else _VISIBLE for c in text)


def _is_harmless(c: str) -> bool:
    return c.isprintable() or c in _KEPT or (c.isspace() and c > "\x9f")


def one_printable_line(text: str, limit: int = 300) -> str:
    """Return `text` printable, on one line, with at most `limit` characters."""
    # Cut first, so that a text of megabytes costs only as much as its kept part.
    return printable(" ".join(text[: 4 * limit].split()), limit)


def is_storable(text: str) -> bool:
    """Return whether UTF-8, columns and prompts can take a text unchanged.

    It must have no lone surrogates, and no control characters except tabs and line ends. Format
    characters are allowed, because they may be part of words and emoji."""
    return text.isprintable() or not any(_is_control(c) for c in text)


def _is_control(c: str) -> bool:
    return (c < " " and c not in "\n\r\t") or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff"
