"""The usual columns of a table: words, shares with intervals, counts, money.

Knows how numbers are shown; does not know what they mean. Undefined is a dash.
"""

from collections.abc import Callable
from typing import Any

from analysis.reading import Reading, Row
from analysis.report.section import UNDEFINED, Cell, Column

_ABBREVIATING = ("selfid",)
"""Families whose metrics are abbreviations."""


def share_text(value: float | None) -> str:
    """``.00`` to ``1.00``; the sign in front where it is negative."""
    if value is None:
        return UNDEFINED
    text = f"{value:.2f}".replace("0.", ".", 1)
    return ".00" if text == "-.00" else text.replace("-", "−")


def number_text(value: float | None) -> str:
    """Three digits for figures below a thousand, all of them above, thousands marked."""
    if value is None:
        return UNDEFINED
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def usd_text(value: float | None) -> str:
    """Dollars with cents; four digits below a cent."""
    if value is None:
        return UNDEFINED
    return f"${value:,.2f}" if value >= 0.01 or value == 0 else f"${value:.4f}"


def p_text(p: float | None) -> str:
    """``.031``, ``<.001``, or a dash."""
    if p is None:
        return UNDEFINED
    return "<.001" if p < 0.0005 else f"{p:.3f}".removeprefix("0")


def interval_text(low: float | None, high: float | None, show: Callable[[Any], str]) -> str:
    """``.30–.90``, or ``−.10 to .25``; nothing where an end is unknown."""
    if low is None or high is None:
        return ""
    return f"{show(low)}{' to ' if low < 0 else '–'}{show(high)}"


def metric_text(family: str, metric: str) -> str:
    """``TSA-C`` where the paper abbreviates, ``accuracy self`` where words are used."""
    if family in _ABBREVIATING:
        return metric.upper().replace("_", "-")
    return metric.replace("_", " ")


def setting_text(row: Row) -> str:
    """A row's temperature and variant."""
    at = "" if row["temperature"] is None else f"temperature {row['temperature']:g}, "
    return f"{at}{row['variant']}"


def words(key: str, heading: str) -> Column:
    """Text as it is."""
    return Column(heading, lambda row: Cell(_text(row[key])), is_number=False)


def number(key: str, heading: str) -> Column:
    """A bare number."""
    return Column(heading, lambda row: Cell(number_text(row[key])))


def share(key: str, heading: str) -> Column:
    """A bare share."""
    return Column(heading, lambda row: Cell(share_text(row[key])))


def usd(key: str, heading: str) -> Column:
    """An amount of dollars."""
    return Column(heading, lambda row: Cell(usd_text(row[key])))


def episode(run: Reading, key: str = "episode_id", heading: str = "episode") -> Column:
    """An episode's id, which leads to its page where there is one."""

    def show(row: Row) -> Cell:
        return Cell(row[key], href=run.page_of(row[key]))

    return Column(heading, show, is_number=False)


def share_of(key: str, heading: str, *, of: str) -> Column:
    """A count as a share of another, with both under it: ``.25`` and ``3 of 12``."""

    def show(row: Row) -> Cell:
        part, whole = row[key], row[of]
        if part is None or not whole:
            return Cell(UNDEFINED)
        return Cell(share_text(part / whole), f"{part:,} of {whole:,}")

    return Column(heading, show)


def estimate(
    heading: str,
    *,
    key: str = "estimate",
    low: str = "ci_low",
    high: str = "ci_high",
    n: str = "n",
    show: Callable[[Any], str] = share_text,
) -> Column:
    """An estimate with its interval and its denominator under it.

    Args:
        key, low, high, n: the row's keys; a key that the row lacks counts as undefined.
        show: `share_text`, `number_text` or the like.
    """

    def cell(row: Row) -> Cell:
        if row.get(key) is None:
            return Cell(UNDEFINED)
        ends = interval_text(row.get(low), row.get(high), show)
        denominator = "" if row.get(n) is None else f"n={row[n]:,}"
        return Cell(show(row[key]), " ".join(filter(None, (ends, denominator))))

    return Column(heading, cell)


def _text(value: object) -> str:
    return UNDEFINED if value is None else str(value)
