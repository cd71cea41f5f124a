"""The posterior-predictive verdict: worked out by hand, and by counting every way it may go on."""

from itertools import product
from math import comb, gamma

import pytest

from mirror_ray.stopping.outlook import outlook


def test_one_unit_left_by_hand():
    # Six units, level .5. With 3 to 0, p = 2/8 = .25: better. One more to the first: p = 2/16.
    # One more to the second: 3 to 1, p = 2 · 5/16 = .625: not told apart.
    # It differs with (3 + 1)/(5 + 3/2), and is the second's then with ½/(3 + 1).
    lost = (4 / 6.5) * (0.5 / 4)
    found = outlook(3, 0, 5, 6, 0.5)
    assert (found.first, found.second) == pytest.approx((1 - lost, 0.0))
    assert found.neither == pytest.approx(lost)


def test_nothing_left_is_the_test_itself():
    # 6 to 0: p = 2/64 = .031; 5 to 0: p = 2/32 = .0625; 1 to 8: p = 2 · 10/512 = .039.
    assert outlook(6, 0, 21, 21, 0.05).first == pytest.approx(1.0)
    assert outlook(5, 0, 21, 21, 0.05).neither == pytest.approx(1.0)
    assert outlook(1, 8, 21, 21, 0.05).second == pytest.approx(1.0)


def test_a_p_of_exactly_the_level_tells_nothing_apart():
    # 2 to 0: p = 2/4.
    assert outlook(2, 0, 2, 2, 0.5).neither == pytest.approx(1.0)
    assert outlook(2, 0, 2, 2, 0.51).first == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("one", "other", "asked", "planned", "alpha"),
    [(0, 0, 0, 7, 0.3), (2, 0, 3, 9, 0.2), (1, 4, 6, 11, 0.3)],
)
def test_every_way_it_may_go_on_is_counted(one, other, asked, planned, alpha):
    left = planned - asked
    first = second = 0.0
    for b, c in product(range(left + 1), repeat=2):
        if b + c > left:
            continue
        ways = comb(left, b) * comb(left - b, c)
        before = (one, other, asked - one - other)
        chance = ways * _one_order(before, (b, c, left - b - c))
        verdict = _p(one + b, other + c) < alpha
        first += chance * (verdict and one + b > other + c)
        second += chance * (verdict and one + b < other + c)
    found = outlook(one, other, asked, planned, alpha)
    assert (found.first, found.second) == pytest.approx((first, second))
    assert found.first + found.second + found.neither == pytest.approx(1.0)


@pytest.mark.parametrize(("one", "other", "asked"), [(-1, 0, 3), (2, 2, 3), (0, 0, 9)])
def test_impossible_counts_are_refused(one, other, asked):
    with pytest.raises(ValueError, match="of 8 units"):
        outlook(one, other, asked, 8, 0.05)


def _one_order(before: tuple[int, ...], added: tuple[int, ...]) -> float:
    """The probability of the added units in one order, under Dirichlet(½, ½, ½)."""
    chance = gamma(sum(before) + 1.5) / gamma(sum(before) + sum(added) + 1.5)
    for seen, more in zip(before, added, strict=True):
        chance *= gamma(seen + more + 0.5) / gamma(seen + 0.5)
    return chance


def _p(b: int, c: int) -> float:
    return min(1.0, 2 * sum(comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c))
