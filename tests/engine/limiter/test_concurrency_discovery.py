"""How many calls at once a server can use that refuses none: found by their latency."""

from collections.abc import Callable
from heapq import heappop, heappush
from math import floor
from typing import TypeAlias

import numpy as np
import pytest

from mirror_ray.engine.limiter.concurrency_discovery import FIRST, MOST, ConcurrencyController


def latency_s(in_flight: int, room: int) -> float:
    """Of a server that answers `room` calls together as fast as one, and no more a second."""
    return 2.0 * max(1.0, in_flight / room)


Latency: TypeAlias = Callable[[int, int], float]


def played(
    room: int,
    *,
    calls: int,
    waiting: int = 10_000,
    at_most: int | None = None,
    noise: float = 0.2,
    latency_s: Latency = latency_s,
) -> tuple[ConcurrencyController, list[float], list[float]]:
    """The controller after so many calls, and its limit and the time at the end of each."""
    controller, rng = ConcurrencyController(at_most), np.random.default_rng(room)
    in_flight: list[tuple[float, float, int, int]] = []
    now_s, limits, times_s = 0.0, [], []
    for _ in range(calls):
        while len(in_flight) < min(floor(controller.limit), waiting):
            beside = len(in_flight) + 1
            took_s = latency_s(beside, room) * float(rng.uniform(1 - noise, 1 + noise))
            heappush(in_flight, (now_s + took_s, took_s, beside, controller.window))
        now_s, took_s, beside, window = heappop(in_flight)
        controller.ended(took_s, beside, window, "none")
        limits.append(controller.limit)
        times_s.append(now_s)
    return controller, limits, times_s


@pytest.mark.parametrize("room", [2, 16, 64, 256])
def test_it_settles_near_what_the_server_has_room_for(room):
    _, limits, _ = played(room, calls=400 * room + 4_000)
    later = np.array(limits[len(limits) // 2 :])
    assert 0.6 * room <= later.mean() <= 1.8 * room + 2


@pytest.mark.parametrize("room", [1, 2, 3, 4, 8, 16, 64])
@pytest.mark.parametrize(
    ("latency_s", "best_per_s"),
    [
        pytest.param(latency_s, 0.5, id="full beyond its room"),
        pytest.param(lambda n, room: 2.0 * max(1.0, n / room) ** 1.3, 0.5, id="slower beyond it"),
        # Four times the room, and five times the latency.
        pytest.param(lambda n, room: 2.0 * (1.0 + n / room), 0.4, id="never quite full"),
    ],
)
def test_replies_per_second_are_within_a_fifth_of_the_best(
    room: int, latency_s: Latency, best_per_s: float
) -> None:
    calls = 60 * room + 3_000
    *_, times_s = played(room, calls=calls, latency_s=latency_s)
    per_s = (calls - calls // 2) / (times_s[-1] - times_s[calls // 2 - 1])
    assert per_s >= 0.8 * best_per_s * room


def test_it_gets_there_in_a_few_rounds():
    _, limits, _ = played(128, calls=6 * 128)
    assert max(limits) >= 128


def test_a_server_that_has_room_again_is_used_again():
    controller, *_ = played(16, calls=8_000)
    assert controller.limit < 40
    before = controller.limit
    for _ in range(40 * 64):
        beside = floor(controller.limit)
        controller.ended(latency_s(beside, 64), beside, controller.window, "none")
    assert controller.limit > 1.5 * before


def test_what_is_not_used_is_not_raised():
    controller, *_ = played(1_000, calls=5_000, waiting=FIRST - 2)
    assert controller.limit == FIRST


def test_a_stated_concurrency_is_the_most():
    controller, limits, _ = played(1_000, calls=5_000, at_most=20)
    assert max(limits) == controller.limit == 20
    assert ConcurrencyController(3).limit == 3
    assert max(played(100_000, calls=20_000)[1]) == MOST


def test_timeouts_halve_it_once_a_round():
    controller = ConcurrencyController(None)
    window = controller.window
    for _ in range(10):
        controller.ended(30.0, FIRST, window, "timeout")
    assert controller.limit == FIRST / 2
    controller.ended(0.1, 4, controller.window, "rate_limit")
    assert controller.limit == pytest.approx(0.8 * FIRST / 2)


def test_it_never_ends_below_one_call():
    controller = ConcurrencyController(None)
    for _ in range(20):
        controller.ended(30.0, 1, controller.window, "server")
    assert controller.limit == 1
