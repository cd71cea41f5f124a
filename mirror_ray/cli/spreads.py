"""Figures with their intervals, as cells of a table."""

from collections.abc import Callable

from rich.text import Text

from mirror_ray.engine.driver.money import MISSING
from mirror_ray.sweep.ranges import Range


def noted(name: str, note: str) -> Text:
    """A cell with a note below it."""
    return Text.assemble(name, (f"\n{note}", "dim"))


def spread(figure: Range | None, show: Callable[[float], str]) -> Text:
    """The expected figure, and below it the interval if there is one."""
    if figure is None:
        return Text(MISSING)
    expected = show(figure.expected)
    between = span(figure, show)
    return Text(expected) if between == expected else noted(expected, between)


def span(figure: Range, show: Callable[[float], str]) -> str:
    """From low to high, with a shared unit written once."""
    low, high = show(figure.low), show(figure.high)
    if low == high:
        return low
    number, _, unit = low.partition(" ")
    return f"{number if unit == high.partition(' ')[2] else low}–{high.removeprefix('$')}"
