"""Intervals: what sums and products of uncertain figures come to."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.sweep.ranges import (
    ZERO_RANGE,
    Range,
    between,
    exactly,
    latest,
    total,
    total_of_independent,
)

figures = st.floats(0.001, 1e6)
ranges = st.builds(lambda three: Range(*sorted(three)), st.tuples(figures, figures, figures))


def test_sums_add_bound_by_bound() -> None:
    assert Range(1, 2, 4) + Range(10, 20, 40) == Range(11, 22, 44)
    assert total([]) == ZERO_RANGE


def test_independent_errors_of_a_product_add_as_vectors() -> None:
    # Each tenfold either way: together √2 powers of ten, not two.
    both = Range(1, 10, 100) * Range(1, 10, 100)
    assert both.expected == 100
    assert both.low == pytest.approx(100 / 10 ** sqrt(2))
    assert both.high == pytest.approx(100 * 10 ** sqrt(2))


def test_only_bounds_known_means_the_geometric_middle() -> None:
    assert between(4, 100) == Range(4, 20, 100)


def test_the_last_of_several_is_over_when_the_slowest_is() -> None:
    assert latest([Range(1, 5, 6), Range(2, 3, 9)]) == Range(2, 5, 9)
    assert latest([]) == ZERO_RANGE


@given(ranges, ranges)
def test_every_result_is_a_range_no_wider_than_its_corners(one: Range, other: Range) -> None:
    for result in (one + other, one * other, latest([one, other]), one * 3.0):
        assert result.low <= result.expected <= result.high
    product = one * other
    assert product.low >= one.low * other.low * (1 - 1e-9)
    assert product.high <= one.high * other.high * (1 + 1e-9)


@given(ranges, figures)
def test_a_known_factor_only_scales(one: Range, factor: float) -> None:
    by_figure, by_number = one * exactly(factor), one * factor
    assert by_figure.low == pytest.approx(by_number.low)
    assert by_figure.high == pytest.approx(by_number.high)


def test_independent_errors_add_as_vectors() -> None:
    one, other = Range(7, 10, 13), Range(16, 20, 24)
    assert total_of_independent([one, other]) == Range(25, 30, 35)
    assert total_of_independent([Range(0, 1, 9), Range(0, 1, 1)]).low == pytest.approx(2 - 2**0.5)
    assert total_of_independent([]) == Range(0, 0, 0)
