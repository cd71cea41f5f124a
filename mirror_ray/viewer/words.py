"""Values as a page shows them: figures in few digits, money, replies as indented JSON.

Knows types; does not know columns, nor HTML: what comes from here is escaped by the templates.
"""

import json
from collections.abc import Mapping
from typing import Any

UNDEFINED = "–"

MOST_BRACKETS = 100
"""Opening ones of a reply that is laid out anew: what each level indents is all within it, so that
40 kB of a thousand levels would become 40 MB."""


def shown(value: Any) -> str:
    """A column's value in words; a dash where it is NULL."""
    if value is None:
        return UNDEFINED
    if isinstance(value, list):
        return ", ".join(map(shown, value)) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {shown(part)}" for name, part in value.items())
    return _plain(value)


def usd(value: float | None) -> str:
    """Dollars, with more digits below a cent; a dash where unknown."""
    if value is None:
        return UNDEFINED
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.2g}"


def seconds(value: float | None) -> str:
    """A time; a dash where unknown."""
    if value is None:
        return UNDEFINED
    return f"{value:,.0f} s" if value >= 10 else f"{value:.2g} s"


def time(value: str | None) -> str:
    """A moment that a record names (UTC, ISO 8601), to the second; a dash where unknown."""
    return f"{value[:10]} {value[11:19]} UTC" if value else UNDEFINED


def indented(reply: str) -> str | None:
    """A reply that is a JSON object or array, one key a line; None of any other, or deep ones."""
    if reply.count("[") + reply.count("{") > MOST_BRACKETS:
        return None
    try:
        read = json.loads(reply)
    except (ValueError, RecursionError):
        return None
    if not isinstance(read, dict | list):
        return None
    return json.dumps(read, indent=2, ensure_ascii=False)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
