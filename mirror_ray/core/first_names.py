"""Shortens a list of names in a sentence."""

from collections.abc import Sequence


def first_names(names: Sequence[str], most: int, between: str = ", ") -> str:
    """Return the first names, and say how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return between.join(names[:most]) + more
