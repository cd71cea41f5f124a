"""Figures with their intervals, as cells of a table."""

from collections.abc import Callable

from rich.text import Text

from mirror_ray.engine.driver.money import MISSING
from mirror_ray.sweep.ranges import Range

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
    """Format from low to high, with a shared unit written once."""
    low, high = show(figure.low), show(figure.high)
    if low == high:
        return low
    (number, _, unit), (_, _, of_high) = low.partition(" "), high.partition(" ")
    if not unit and of_high in _TIMES:
        # “53–31 k” would read as 53 to 31 thousand.
        return f"{figure.low / _TIMES[of_high]:.1g}–{high}"
    return f"{number if unit == of_high else low}–{high.removeprefix('$')}"
