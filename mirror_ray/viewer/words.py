"""Values as a page shows them: figures with few digits, money, replies as indented JSON.

The templates escape the results."""

import json
import re
from collections.abc import Mapping
from typing import Any

from mirror_ray.core.plain_json import parse_json
from mirror_ray.reading.parsing import encodable

NULL_TEXT = "–"
_PUNCTUATED = re.compile(r"[,.;:!?](?:\s|$)")

_OUTCOMES = {"finished": "answered", "failed": "error"}
_HEADINGS = {"run_dir": "run", "failure": "what went wrong", "finished": "ended"}

MOST_BRACKETS = 100
"""Most opening brackets of an indented reply, because a thousand levels turn 40 kB into 40 MB."""


def value_text(value: Any) -> str:
    """Return a column's value in words; a dash if it is NULL."""
    if value is None:
        return NULL_TEXT
    if isinstance(value, list):
        parts = [value_text(part) for part in value]
        # A comma would not show where one sentence of a list ends.
        between = " · " if any(_PUNCTUATED.search(part) for part in parts) else ", "
        return between.join(parts) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {value_text(part)}" for name, part in value.items())
    return _plain(value)


def outcome(value: str) -> str:
    """Return how an episode ended, as text. `verdict` says whether an answer is right."""
    return _OUTCOMES.get(value, value)


def column_heading(column: str) -> str:
    """Return the heading of a column of the list, which also names it among filters and orders."""
    return _HEADINGS.get(column, column)


def usd(value: float | None) -> str:
    """Format dollars, with more digits below a cent; a dash if unknown."""
    if value is None:
        return NULL_TEXT
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.2g}"


def seconds(value: float | None) -> str:
    """Format a duration; a dash if unknown."""
    if value is None:
        return NULL_TEXT
    return f"{value:,.0f} s" if value >= 10 else f"{value:.2g} s"


def time(value: str | None) -> str:
    """Format a recorded time (UTC, ISO 8601) to the second; a dash if unknown."""
    return f"{value[:10]} {value[11:19]} UTC" if value else NULL_TEXT


def indented(reply: str) -> str | None:
    """Return a JSON object or array with one key per line; None for other texts or deep ones."""
    if reply.count("[") + reply.count("{") > MOST_BRACKETS:
        return None
    try:
        read = parse_json(reply)
    except ValueError:
        return None
    if not isinstance(read, dict | list):
        return None
    return encodable(json.dumps(read, indent=2, ensure_ascii=False))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
