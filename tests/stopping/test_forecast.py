"""What a rule is foretold to leave of a plan: by hand where it can be, elsewhere by limits."""

import numpy as np
import pytest

from mirror_ray.stopping.boards import by_best, by_verdict, by_width, looks
from mirror_ray.stopping.forecast import share_asked
from mirror_ray.sweep.plan import Until


def board(*right: str) -> np.ndarray:
    """One board: a word of 0 and 1 a model."""
    return np.array([[[letter == "1" for letter in word] for word in right]])


def test_looks_are_at_ends_of_rounds_that_may_decide() -> None:
    assert looks(Until("verdict", 0.99, 7, 5), 21) == (10, 15, 20, 21)
    assert looks(Until("verdict", 0.99, 30, 5), 21) == (21,)


def test_a_pair_far_apart_is_not_asked_on() -> None:
    asked, at_stop, whole = by_verdict(board("1" * 60, "0" * 60), 0.99, (5, 30, 60))
    assert asked.tolist() == [[30, 30]]
    assert at_stop.tolist() == whole.tolist() == [[0]]


def test_a_model_is_asked_while_one_of_its_comparisons_is_open() -> None:
    alternating = "10" * 30
    asked, _, whole = by_verdict(board("1" * 60, "0" * 60, alternating), 0.999999, (30, 60))
    assert whole.tolist() == [[0, 0, 1]]
    assert asked[0, 2] == 60
    assert asked[0, 0] == 60


def test_who_falls_behind_the_best_is_dropped_and_the_others_are_not() -> None:
    asked, at_stop, _ = by_best(board("1" * 60, "1" * 60, "0" * 60), 0.99, (30, 60))
    assert asked.tolist() == [[60, 60, 30]]
    assert at_stop.tolist() == [[2, 2, 0]]


def test_a_cell_ends_at_the_first_look_with_a_narrow_interval() -> None:
    # Wilson's half width of 0 of n: .081 at 20 units, .0355 at 50; of half right .2 at 20.
    asked = by_width(board("0" * 50, "10" * 25), 0.09, (20, 50))
    assert asked.tolist() == [[20, 50]]


@pytest.mark.parametrize("rule", ["verdict", "best_of"])
def test_shares_are_shares_and_the_same_each_time(rule: str) -> None:
    until = Until(rule, 0.99, 5, 5)  # type: ignore[arg-type]
    few, many = share_asked(until, 2, 21), share_asked(until, 2, 200)
    assert 0 < many.low <= many.expected <= many.high <= 1
    assert many.expected < few.expected
    assert few == share_asked(until, 2, 21)
