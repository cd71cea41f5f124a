"""What a number of scenes can tell apart: by hand, by enumeration, against scipy."""

from math import sqrt

import numpy as np
import pytest
import scipy.stats

from mirror_ray.analysis.power import (
    McNemarTest,
    detectable_difference,
    detectable_effect,
    power_table,
)


def test_certain_differences_need_six_scenes() -> None:
    # Five against none: p = 2/32; six against none: p = 2/64.
    assert McNemarTest(5, 0.05).power(0.0, 1.0) == 0.0
    assert McNemarTest(6, 0.05).power(0.0, 1.0) == pytest.approx(1.0)
    assert (detectable_difference(5, 0.0), detectable_difference(6, 0.0)) == (None, 0.965)
    assert 0.965**6 >= 0.8 > 0.96**6


@pytest.mark.parametrize(("n", "one", "other"), [(8, 0.1, 0.5), (21, 0.1, 0.4), (60, 0.2, 0.2)])
def test_power_agrees_with_an_enumeration_by_scipy(n: int, one: float, other: float) -> None:
    expected = sum(
        float(scipy.stats.multinomial.pmf([b, c, n - b - c], n, [one, other, 1 - one - other]))
        for b in range(n + 1)
        for c in range(n + 1 - b)
        if b + c and scipy.stats.binomtest(b, b + c).pvalue <= 0.05
    )
    assert McNemarTest(n, 0.05).power(one, other) == pytest.approx(expected, rel=1e-9)
    if one == other:
        assert McNemarTest(n, 0.05).power(one, other) <= 0.05


def test_what_is_detectable_shrinks_with_scenes_and_grows_with_tests() -> None:
    differences = [detectable_difference(n, 0.3) for n in (12, 21, 50, 100)]
    assert None not in differences
    assert differences == sorted(differences, key=lambda value: -(value or 0))
    # From 0.7 down it is as from 0.3 up.
    assert detectable_difference(50, 0.7) == detectable_difference(50, 0.3)
    one, many = (next(iter(power_table([50], [0.3], n_tests=n))) for n in (1, 28))
    assert one.difference is not None
    assert many.difference is not None
    assert many.difference > one.difference


@pytest.mark.parametrize("n", [10, 21, 100])
def test_the_effect_has_the_power_it_is_said_to_have(n: int) -> None:
    effect = detectable_effect(n)
    assert effect is not None
    bound = scipy.stats.t.ppf(0.975, n - 1)
    shifted = scipy.stats.nct(n - 1, effect * sqrt(n))
    assert shifted.sf(bound) + shifted.cdf(-bound) == pytest.approx(0.8, abs=0.01)


def test_too_few_scenes_detect_nothing() -> None:
    assert detectable_effect(1) is None
    assert not np.any([design.difference for design in power_table([2, 3], [0.1, 0.5])])
