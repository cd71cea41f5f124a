"""What played episodes tell of those to come: computed by hand, and against known laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.sweep.lengths import PlayedLengths, ToCome, extrapolate


def told(
    asks: list[int], ended: list[bool], n_episodes: int, max_asks: int = 100, **used: list[float]
) -> ToCome:
    played = PlayedLengths(
        np.array(asks, float), np.array(ended), {name: np.array(u) for name, u in used.items()}
    )
    return extrapolate(played, n_episodes, max_asks, np.random.default_rng(0))


def test_ended_episodes_alone_give_their_mean() -> None:
    to_come = told([10, 20, 30, 40], [True] * 4, 8, tokens_in=[1000.0, 2000.0, 3000.0, 4000.0])
    assert to_come.asks.expected == pytest.approx(8 * 25)
    assert to_come.used["tokens_in"].expected == pytest.approx(8 * 2500)


def test_an_episode_under_way_lengthens_what_is_expected() -> None:
    # Survival: 1 up to 2 asks, 2/3 up to 6, then 0; 2 + 4 × 2/3. The ended alone: 4.
    assert told([2, 4, 6], [True, False, True], 1, 10).asks.expected == pytest.approx(2 + 8 / 3)


def test_nothing_ended_means_the_bound() -> None:
    assert told([3, 5], [False, False], 2, 50).asks.expected == pytest.approx(100)


def test_at_equal_lengths_an_end_comes_before_what_goes_on() -> None:
    # One of two ends at 4; the other may go on to the bound of 8.
    assert told([4, 4], [False, True], 1, 8).asks.expected == pytest.approx(4 + 4 / 2)


def test_equal_episodes_leave_no_doubt() -> None:
    asks = told([12] * 5, [True] * 5, 7, tokens_in=[100.0] * 5).asks
    assert (asks.low, asks.expected, asks.high) == (84, 84, 84)


def test_use_that_was_not_told_is_not_guessed_from_the_others_length() -> None:
    nan = float("nan")
    to_come = told([10, 30], [True, True], 1, tokens_in=[500.0, nan], cost_usd=[nan, nan])
    assert to_come.used["tokens_in"].expected == pytest.approx(20 * 50)
    assert "cost_usd" not in to_come.used


def test_the_interval_covers_as_often_as_it_says() -> None:
    """Episodes that end with chance 4 % at each of 100 asks; 12 played, 30 to come."""
    rng = np.random.default_rng(1)
    rounds, hits = 200, 0
    for index in range(rounds):
        before, after = (np.minimum(rng.geometric(0.04, n), 100) for n in (12, 30))
        played = PlayedLengths(before.astype(float), before < 101, {})
        interval = extrapolate(played, 30, 100, np.random.default_rng(index)).asks
        hits += interval.holds(float(after.sum()))
    assert 0.85 <= hits / rounds <= 1.0


@given(
    st.lists(st.tuples(st.integers(1, 40), st.booleans()), min_size=1, max_size=12),
    st.integers(1, 50),
)
def test_any_record_gives_ordered_bounds_within_what_is_possible(
    episodes: list[tuple[int, bool]], n_episodes: int
) -> None:
    asks, ended = (list(column) for column in zip(*episodes, strict=True))
    told_asks = told(asks, ended, n_episodes, 40).asks
    assert n_episodes <= told_asks.low <= told_asks.expected <= told_asks.high <= n_episodes * 40
