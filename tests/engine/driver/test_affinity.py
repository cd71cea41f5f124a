"""Episodes of one scene go to the Simulator that has drawn it, and nobody waits for that."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.engine.driver.episode_order import (
    SCENES_AHEAD,
    TURNS_PASSED,
    EpisodeOrder,
    leases_for,
)
from mirror_ray.engine.driver.leases import Leases, Takers
from mirror_ray.engine.simulator.messages import Lease
from mirror_ray.sweep.in_flight import Capacity
from support.whole import mostly_thorough

MODELS = tuple(f"m{index}" for index in range(20))


def sweep_of(
    family: str, conditions: Sequence[str], scenes: int, models: Sequence[str] = MODELS
) -> list[EpisodeSpec]:
    cells = [
        Cell(family, condition, (("subject", model),), None, "paper")
        for condition, model in product(conditions, models)
    ]
    return [EpisodeSpec(cell, seed, 0) for seed in range(scenes) for cell in cells]


def flipset(scenes: int) -> list[EpisodeSpec]:
    return sweep_of("flipset", ("L2", "ToM", "MR"), scenes)


def first_view(spec: EpisodeSpec) -> object:
    return next(FAMILIES[spec.cell.family].play(spec, spec.rng())).views[0]


def order_of(episodes: Sequence[EpisodeSpec], places: float = 64.0, **how: bool) -> EpisodeOrder:
    order = EpisodeOrder(leases_for(episodes, episodes), {}, **how)
    order.expect({spec.cell.model: Capacity(places, inf) for spec in episodes})
    return order


class Pool:
    """Simulators with places that take leases; which episode ends next is drawn by lot.

    Args:
        speeds: how often an episode of each Simulator ends, compared with the others.
    """

    def __init__(self, leases: Leases, speeds: Sequence[float], places: int, seed: int) -> None:
        self.leases = leases
        self.speeds = speeds
        self.rng = np.random.default_rng(seed)
        self.held: list[list[Lease]] = [[] for _ in speeds]
        self.begun: list[tuple[int, Lease]] = []
        self.waiting = [
            (simulator, asyncio.ensure_future(leases.take(simulator)))
            for _ in range(places)
            for simulator in range(len(speeds))
        ]

    async def settle(self) -> None:
        """Until all that can begin has begun."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        served = [one for one in self.waiting if one[1].done()]
        self.waiting = [one for one in self.waiting if not one[1].done()]
        for simulator, place in served:
            if not place.cancelled() and (lease := place.result()) is not None:
                self.held[simulator].append(lease)
                self.begun.append((simulator, lease))

    async def play(self, *, swap_every: int = 0) -> None:
        """Args: swap_every: after so many episodes the fast ones are slow, and the other way."""
        await self.settle()
        ended = 0
        while any(self.held):
            ended += 1
            if swap_every and ended % swap_every == 0:
                self.speeds = self.speeds[::-1]
            rates = np.array(
                [speed * len(held) for speed, held in zip(self.speeds, self.held, strict=True)]
            )
            simulator = int(self.rng.choice(len(rates), p=rates / rates.sum()))
            held = self.held[simulator]
            lease = held.pop(int(self.rng.integers(len(held))))
            self.leases.done(lease, "none", None)
            self.waiting.append((simulator, asyncio.ensure_future(self.leases.take(simulator))))
            await self.settle()
        assert not self.waiting


@pytest.mark.parametrize(
    ("scenes", "speeds"), [(28, (1, 1)), (28, (3, 1)), (28, (1, 1, 1, 1)), (84, (1, 1))]
)
@pytest.mark.parametrize("places", mostly_thorough(2, [32, 8]))
async def test_twenty_models_see_flipsets_cards_drawn_about_once(scenes, speeds, places):
    episodes = flipset(scenes)
    pool = Pool(Leases(order_of(episodes)), speeds, places, seed=scenes + places)
    await pool.play()
    assert Counter(lease.spec for _, lease in pool.begun) == Counter(episodes)
    views = {spec: first_view(spec) for spec in episodes}
    drawn = {(simulator, views[lease.spec]) for simulator, lease in pool.begun}
    # Four begin with the same scenes at once more often than two.
    bound = 1.2 if len(speeds) == 2 else 1.25
    assert len(drawn) <= bound * len(set(views.values()))


@pytest.mark.parametrize("swap_every", [40, 300])
async def test_cards_are_drawn_about_once_by_simulators_that_are_slow_in_turn(swap_every):
    """As on a busy machine: one ends many episodes while the other ends few."""
    episodes = flipset(28)
    pool = Pool(Leases(order_of(episodes)), (12, 1), 32, seed=swap_every)
    await pool.play(swap_every=swap_every)
    drawn = {(simulator, lease.shows) for simulator, lease in pool.begun}
    assert len(drawn) <= 1.1 * 28


async def test_twenty_models_meet_a_room_on_one_simulator():
    episodes = sweep_of("selfid", ("E1", "E3"), 40)
    pool = Pool(Leases(order_of(episodes)), (1, 1, 1), 16, seed=1)
    await pool.play()
    met = {(simulator, lease.shows) for simulator, lease in pool.begun}
    assert len(met) <= 1.2 * 40


async def test_a_scene_waits_for_nobody_whose_simulator_has_gone():
    """One of two Simulators leaves with half of the scenes begun: the other one plays them all."""
    episodes = sweep_of("selfid", ("E1", "E2"), 12, MODELS[:3])
    leases = Leases(order_of(episodes))
    pool = Pool(leases, (1, 1), 4, seed=2)
    await pool.settle()
    for simulator, place in pool.waiting:
        if simulator == 1:
            place.cancel()
    for lease in pool.held[1]:
        leases.returned(lease)
    pool.held[1] = []
    pool.begun = [one for one in pool.begun if one[0] == 0]
    await pool.play()
    assert Counter(lease.spec for _, lease in pool.begun) == Counter(episodes)
    assert leases.unplayed == 0


@settings(max_examples=150)
@given(
    n_models=st.integers(1, 4),
    n_simulators=st.integers(1, 4),
    steps=st.lists(
        st.tuples(st.sampled_from(["next", "next", "end", "back", "lose"]), st.integers(0, 99)),
        max_size=80,
    ),
)
def test_whoever_is_idle_is_given_an_episode_and_nothing_is_passed_over_for_long(
    n_models, n_simulators, steps
):
    """Whoever asks, whoever has gone for good, and whatever comes back."""
    episodes = sweep_of("selfid", ("E1", "E2"), 8, MODELS[:n_models])
    order = order_of(episodes)
    simulators = list(range(n_simulators))
    held: list[Lease] = []
    back: defaultdict[str, list[Lease]] = defaultdict(list)
    ended: Counter[EpisodeSpec] = Counter()
    passed: Counter[str] = Counter()
    for what, which in [*steps, *[("next", place) for place in range(len(episodes))]]:
        if what == "lose" and len(simulators) > 1:
            simulators.pop(which % len(simulators))
        elif what == "end" and held:
            lease = held.pop(which % len(held))
            order.ended(lease)
            ended[lease.spec] += 1
        elif what == "back" and held:
            lease = held.pop(which % len(held))
            order.put_back(lease)
            back[lease.spec.cell.model].append(lease)
        elif what == "next" and order.waiting:
            lines = {name: line for name, line in order._lines.items() if line.waiting}
            scenes = {name: line.scene for name, line in lines.items()}
            fills = {name: one.under_way / one.capacity.useful for name, one in lines.items()}
            whose_turn = min(lines, key=lambda name: (fills[name], scenes[name]))
            idle = [simulators[which % len(simulators)]]
            lease = order.next(idle)
            assert lease is not None
            assert order.simulator_for(lease, idle) in idle
            model = lease.spec.cell.model
            assert lease.scene < scenes[model] + SCENES_AHEAD * n_simulators
            passed[whose_turn] += 1
            passed[model] = 0
            assert passed[whose_turn] <= TURNS_PASSED * n_simulators
            if back[model]:
                assert lease == back[model].pop()
            held.append(lease)
    for lease in held:
        order.ended(lease)
        ended[lease.spec] += 1
    assert ended == Counter(episodes)
    assert (order.waiting, order.under_way) == (0, 0)


@pytest.mark.parametrize("how", ["a ceiling of each model", "money for three scenes"])
def test_scenes_keep_the_plans_order_where_a_ceiling_may_end_them(how):
    episodes = sweep_of("selfid", ("E1", "E2"), 6, MODELS[:2])
    order = order_of(episodes, in_order=how == "a ceiling of each model")
    if how == "money for three scenes":
        order.pay_for(3 * 4.0, dict.fromkeys(MODELS[:2], 1.0))
    plain = order_of(episodes)
    begun = [order.next([place % 2]) for place in range(12)]
    assert begun == [plain.next() for _ in range(12)]


def test_episodes_without_pictures_keep_the_plans_order():
    episodes = sweep_of("metacog", ("exp1",), 6, MODELS[:2])
    order, plain = order_of(episodes), order_of(episodes)
    assert [order.next([place % 3]) for place in range(12)] == [plain.next() for _ in range(12)]


async def test_of_places_that_wait_those_of_the_simulator_that_has_drawn_the_scene_are_given_it():
    episodes = sweep_of("selfid", ("E1", "E2", "E3"), 2, MODELS[:1])
    pool = Pool(Leases(order_of(episodes)), (1, 1), 3, seed=0)
    await pool.settle()
    assert sorted((simulator, lease.scene) for simulator, lease in pool.begun) == [
        *[(0, 0)] * 3,
        *[(1, 1)] * 3,
    ]


async def test_places_are_served_in_turn_and_those_that_went_away_are_passed_over():
    takers = Takers()
    places = [takers.add(simulator) for simulator in (2, 1, 2, 1)]
    assert takers.idle == [2, 1]
    places[0].cancel()
    assert takers.idle == [1, 2]
    takers.give(1, None)
    assert [place.done() for place in places] == [True, True, False, False]
    assert takers.idle == [2, 1]


def test_scenes_of_one_card_share_pictures_and_others_do_not():
    def shown(spec: EpisodeSpec) -> str | None:
        return FAMILIES[spec.cell.family].shown_by(spec)

    by_name = defaultdict(set)
    for spec in sweep_of("flipset", ("L2", "MR"), 60, MODELS[:2]):
        by_name[shown(spec), spec.cell.condition].add(first_view(spec))
    assert {len(views) for views in by_name.values()} == {1}
    assert len(by_name) == 2 * 28
    assert len({shown(spec) for spec in sweep_of("selfid", ("E1", "E2"), 5)}) == 5
    assert {shown(spec) for spec in sweep_of("metacog", ("exp1",), 5)} == {None}
