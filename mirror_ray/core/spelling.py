"""Suggest known names for a wrong one."""

from collections.abc import Iterable
from difflib import get_close_matches

_MOST_CHARS = 80
"""Longer names are not compared: the time grows with the product of the lengths."""


def close_names(name: str, allowed: Iterable[str], n: int = 1) -> list[str]:
    """Return up to `n` allowed names that resemble this one in any case, the closest first."""
    if len(name) > _MOST_CHARS:
        return []
    folded = {one.casefold(): one for one in allowed if len(one) <= _MOST_CHARS}
    return [folded[close] for close in get_close_matches(name.casefold(), folded, n=n)]


def did_you_mean(name: str, allowed: Iterable[str]) -> str | None:
    """Return a question for an error's `fix`; None if no name is close."""
    close = close_names(name, allowed)
    return f"did you mean {close[0]!r}?" if close else None
