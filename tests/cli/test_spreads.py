"""An interval's two ends are in one unit, or each says its own."""

import pytest

from mirror_ray.cli.show import span
from mirror_ray.sweep.ranges import Range


def count(value: float) -> str:
    return f"{value / 1e3:.0f} k" if value >= 1e3 else f"{value:.0f}"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (53, 31_000, "0.05–31 k"),
        (14_000, 16_000, "14–16 k"),
        (12, 30, "12–30"),
        (0, 31_000, "0–31 k"),
        (7, 7, "7"),
    ],
)
def test_no_end_is_read_in_the_unit_of_the_other(low: int, high: int, said: str) -> None:
    assert span(Range(low, (low + high) / 2, high), count) == said


def test_ends_of_different_units_say_both() -> None:
    said = span(Range(5.0, 60.0, 900.0), lambda s: f"{s:.0f} s" if s < 60 else f"{s / 60:.0f} min")
    assert said == "5 s–15 min"
