"""Numbers, units and clock times as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.reading.quantity import Quantity, clock_times, quantities


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.5", 1234.5),
        ("1 234", 1234),
        ("-7", -7),
        ("−7", -7),
        ("$5,000", 5000),
        ("€ 12.50", 12.5),
        ("3/4", 0.75),
        ("1 1/2", 1.5),
        ("1.71 x 10^13", 1.71e13),
        ("2e3", 2000),
        (".5", 0.5),
    ],
)
def test_a_number_alone(text: str, value: float) -> None:
    assert [each.value for each in quantities(text)] == [pytest.approx(value)]


def test_units_and_percent_are_kept() -> None:
    assert quantities("48 km/h, 15% and 3.5 kg") == [
        Quantity(48, unit="km/h"),
        Quantity(15, percent=True),
        Quantity(3.5, unit="kg"),
    ]


def test_a_compound_duration_is_one_quantity() -> None:
    assert quantities("2 hours 5 minutes") == [Quantity(125, unit="minutes")]
    assert [each.value for each in quantities("5 minutes or 2 hours")] == [5, 2]


@pytest.mark.parametrize("text", ["5/0", "", "no number", "1e999", "7/7/2024"])
def test_what_is_no_number_is_none_or_plain(text: str) -> None:
    assert all(abs(each.value) < 1e301 for each in quantities(text))


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("21:10", [1270]),
        ("9:10 pm", [1270]),
        ("9.10 p.m.", [1270]),
        ("12 am", [0]),
        ("12:30 AM", [30]),
        ("24:00", [0]),
        ("17", []),
        ("from 8:00 to 9:15", [480, 555]),
    ],
)
def test_times_of_day(text: str, minutes: list[int]) -> None:
    assert clock_times(text) == minutes


@given(st.floats(-1e9, 1e9, allow_nan=False), st.sampled_from(["", " kg", " apples", "%"]))
def test_every_decimal_is_read_back(value: float, unit: str) -> None:
    written = f"{value:,.3f}{unit}"
    (found,) = quantities(written)
    assert found.value == pytest.approx(float(f"{value:.3f}"), abs=1e-6)


@given(st.integers(0, 1439))
def test_every_minute_of_the_day_is_read_back(minutes: int) -> None:
    hour, minute = divmod(minutes, 60)
    half = "am" if hour < 12 else "pm"
    assert clock_times(f"{hour:02d}:{minute:02d}") == [minutes]
    assert clock_times(f"{(hour + 11) % 12 + 1}:{minute:02d} {half}") == [minutes]


@given(st.text(max_size=200))
def test_no_text_is_too_much(text: str) -> None:
    quantities(text)
    clock_times(text)
