"""Large figures in few digits."""

import pytest

from mirror_ray.engine.driver.rough_figures import time_left
from mirror_ray.sweep.ranges import Range


@pytest.mark.parametrize(
    ("low_s", "high_s", "shown"),
    [
        (40, 90, "40–90 s"),
        (0.4, 2.24, "≤ 2.2 s"),
        (60, 600, "60 s–10 min"),
        (90, 600, "1.5–10 min"),
        (20, 23_000, "20 s–6.4 h"),
        (7_200, 7_200, "2 h"),
        (86_400, 400_000, "1–4.6 d"),
    ],
)
def test_a_range_of_seconds(low_s: float, high_s: float, shown: str) -> None:
    assert time_left(Range(low_s, low_s, high_s)) == shown
