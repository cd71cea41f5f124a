"""Amounts of money as text. An unknown amount is never 0, and a sum that lacks a part is "at
least"."""

MISSING = "–"


def usd_words(value: float | None) -> str:
    """Format dollars with cents, with more digits below a cent, or a dash if unknown."""
    if value is None:
        return MISSING
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.4f}"


def spent_words(spent_usd: float, n_unpriced: int) -> str:
    """Format a sum of known costs, e.g. ``at least $0.28 (362 requests of unknown price)``."""
    if not n_unpriced:
        return usd_words(spent_usd)
    requests = "request" if n_unpriced == 1 else "requests"
    return f"at least {usd_words(spent_usd)} ({n_unpriced:,} {requests} of unknown price)"


def in_all_words(projected_usd: float | None, n_unpriced: int) -> str:
    """Format a whole plan's cost for a sentence: ``at least $0.28 in all``."""
    if projected_usd is None:
        return "the total is not known yet"
    return f"{'at least ' if n_unpriced else ''}{usd_words(projected_usd)} in all"


def spent_cell(known_usd: float | None, n_unpriced: int) -> str:
    """Format a sum of known costs for a table: ``≥$0.28``, or a dash if nothing is known."""
    return (
        f"≥{usd_words(known_usd)}" if n_unpriced and known_usd is not None else usd_words(known_usd)
    )
