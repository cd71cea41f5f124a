"""A model that has become worse is found as often as promised; one that has not is left alone."""

import pytest
from scipy.stats import binomtest

from mirror_ray.analysis.drift import (
    ALPHA,
    DROP,
    LEAST_POWER,
    drift_of,
    sign_test_p,
    simulated_alarms,
)


@pytest.mark.parametrize(("worse", "n"), [(0, 0), (0, 3), (5, 5), (7, 9), (20, 31)])
def test_the_test_is_exact(worse, n):
    expected = binomtest(worse, n, alternative="greater").pvalue if n else 1.0
    assert sign_test_p(worse, n) == pytest.approx(expected)


@pytest.mark.parametrize(("n", "noise"), [(100, 0.02), (120, 0.05)])
def test_a_drop_is_found(n, noise):
    assert simulated_alarms(n, DROP, noise, ALPHA) >= LEAST_POWER


@pytest.mark.parametrize("n", [10, 30, 100, 300])
@pytest.mark.parametrize("noise", [0.02, 0.1, 0.3])
def test_false_alarms_are_rare(n, noise):
    assert simulated_alarms(n, 0.0, noise, ALPHA) <= ALPHA


def test_one_model_then_and_now():
    pairs = [(1.0, 0.0)] * 16 + [(0.0, 1.0)] + [(1.0, 1.0)] * 83
    found = drift_of("m", pairs, ALPHA)
    assert (found.n, found.worse, found.better, found.has_fallen) == (100, 16, 1, True)
    assert (found.baseline, found.now) == (0.99, 0.84)
    assert not drift_of("m", [(1.0, 0.0), (0.0, 1.0)] * 50, ALPHA).has_fallen


def test_missing_items_count_as_worse_where_they_decide():
    agreeing = [(1.0, 1.0)] * 100
    some = drift_of("m", [*agreeing, *[(1.0, None)] * 6], ALPHA)
    assert (some.n, some.missing, some.verdict) == (100, 6, "no fall")
    more = drift_of("m", [*agreeing, *[(1.0, None)] * 7], ALPHA)
    assert (more.missing, more.has_fallen, more.verdict) == (7, False, "too many missing")
    none = drift_of("m", [(1.0, None)] * 9, ALPHA)
    assert (none.n, none.now, none.baseline, none.power) == (0, None, None, 0.0)
