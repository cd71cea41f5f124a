"""Which episode is begun next: simulated hours with models of very different speed."""

import heapq
from collections import Counter, defaultdict
from itertools import count, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.engine.driver.episode_order import EpisodeOrder, leases_for
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.in_flight import (
    MOST_IN_FLIGHT,
    OFFLINE_IN_FLIGHT,
    Capacity,
    capacities,
    capacity,
    in_flight_for,
)

CONDITIONS = ("E1", "E2")


def plan_order(models, scenes: int) -> list[EpisodeSpec]:
    cells = [
        Cell("selfid", condition, (("subject", model),), None, "paper")
        for condition, model in product(CONDITIONS, models)
    ]
    return [EpisodeSpec(cell, seed, 0) for seed in range(scenes) for cell in cells]


def hosted(name: str, key: str | None = None, **bounds) -> Model:
    limits = Limits(key or name, **bounds)
    return Model(name=name, backend="hosted", target=name, limits=limits)


class Provider:
    """A key whose calls are paced evenly; it counts how much of its allowance is used."""

    def __init__(self, rpm: float) -> None:
        self.every_s = 60.0 / rpm
        self.free_s = 0.0
        self.calls: list[float] = []

    def begin(self, now_s: float) -> float:
        begins_s = max(now_s, self.free_s)
        self.free_s = begins_s + self.every_s
        self.calls.append(begins_s)
        return begins_s


def simulate(order, models, latency_s, *, places, asks, until_s, rng):
    """Plays until `until_s`: each episode asks one call after another, at its model's latency."""
    providers = {one.limits.key: Provider(one.limits.rpm) for one in models}
    limit_key_of = {one.name: one.limits.key for one in models}
    events: list = []
    ids = count()
    ended: list = []
    free_places = places
    measured: defaultdict[str, list[float]] = defaultdict(list)
    next_balance_s = 0.0
    now_s = 0.0

    def ask(lease, asks_left, at_s):
        model = lease.spec.cell.model
        lasts_s = latency_s[model] * rng.uniform(0.5, 1.5)
        measured[model].append(lasts_s)
        end_s = providers[limit_key_of[model]].begin(at_s) + lasts_s
        heapq.heappush(events, (end_s + 0.2, next(ids), lease, asks_left - 1))

    while True:
        if now_s >= next_balance_s:
            means_s = {model: float(np.mean(seen)) for model, seen in measured.items()}
            order.expect(capacities(models, places, means_s))
            next_balance_s = now_s + 5.0
        while free_places and (lease := order.next()) is not None:
            free_places -= 1
            ask(lease, int(rng.integers(1, 2 * asks)), now_s)
        if not events or events[0][0] > until_s:
            return providers, ended
        now_s, _, lease, asks_left = heapq.heappop(events)
        if asks_left > 0:
            ask(lease, asks_left, now_s)
        else:
            free_places += 1
            order.ended(lease)
            ended.append(lease.spec)


def test_models_from_10_to_1500_rpm_use_their_allowances_and_keep_to_the_scenes():
    rng = np.random.default_rng(0)
    rpms = np.geomspace(10, 1500, 16)
    models = [hosted(f"m{index}", rpm=float(rpm)) for index, rpm in enumerate(rpms)]
    rng.shuffle(models)
    latency_s = {one.name: float(rng.uniform(1.0, 25.0)) for one in models}
    simulators = 4
    places = simulators * in_flight_for(models, simulators)
    episodes = plan_order(latency_s, scenes=1000)
    order = EpisodeOrder(
        leases_for(episodes, episodes), {one.name: one.limits.key for one in models}
    )
    until_s = 300.0
    providers, ended = simulate(
        order, models, latency_s, places=places, asks=6, until_s=until_s, rng=rng
    )

    for one in models:
        # From a minute on, when the episodes of all keys are spread over their lengths.
        calls = [at_s for at_s in providers[one.limits.key].calls if 60.0 <= at_s < until_s]
        assert len(calls) >= 0.95 * one.limits.rpm / 60.0 * (until_s - 60.0) - 1

    most_under_way = {
        one.name: capacity(one.limits, 1.5 * latency_s[one.name]).at_most for one in models
    }
    # Wherever it stops, what a model has not ended of its scenes so far is under way.
    scenes = defaultdict(Counter)
    for spec in ended:
        scenes[spec.cell.model][spec.scene_seed] += 1
    for model, seen in scenes.items():
        whole = sum(times == len(CONDITIONS) for times in seen.values())
        assert max(seen) < whole + most_under_way[model]


def test_slow_models_do_not_occupy_the_places():
    """Half as many seats as the fast key could use: it still gets nearly all of them."""
    models = [hosted("slow", rpm=10.0), hosted("fast", rpm=600.0)]
    episodes = plan_order(["slow", "fast"], scenes=500)
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    order.expect(capacities(models, 0, {"slow": 10.0, "fast": 10.0}))
    begun = Counter(order.next().spec.cell.model for _ in range(100))
    assert begun["fast"] >= 95
    assert begun["slow"] >= 1


def test_models_of_one_key_go_scene_by_scene_together():
    models = [hosted("a", "shared", rpm=60.0), hosted("b", "shared", rpm=60.0)]
    episodes = plan_order(["a", "b"], scenes=3)
    order = EpisodeOrder(leases_for(episodes, episodes), {one.name: "shared" for one in models})
    order.expect({"shared": Capacity(100.0, 100)})
    assert [order.next().spec for _ in episodes] == episodes


@settings(max_examples=100)
@given(
    n_models=st.integers(1, 4),
    useful=st.lists(st.floats(1.0, 9.0), min_size=4, max_size=4),
    steps=st.lists(st.tuples(st.sampled_from(["next", "end", "back"]), st.integers(0, 99))),
)
def test_every_episode_is_handed_out_until_it_ends_and_scenes_in_order(n_models, useful, steps):
    names = "abcd"[:n_models]
    episodes = plan_order(names, scenes=4)
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    order.expect({name: Capacity(useful[i], inf_or(useful[i])) for i, name in enumerate(names)})
    held, ended = [], []
    begun = defaultdict(list)
    for what, which in steps:
        if what == "next" and (lease := order.next()) is not None:
            held.append(lease)
            if lease.deaths == 0:
                begun[lease.spec.cell.cell_id].append(lease.scene)
        elif what == "end" and held:
            lease = held.pop(which % len(held))
            order.ended(lease)
            ended.append(lease.spec)
    while held or order.waiting:
        while (lease := order.next()) is not None:
            held.append(lease)
            begun[lease.spec.cell.cell_id].append(lease.scene)
        lease = held.pop(0)
        order.ended(lease)
        ended.append(lease.spec)
    assert Counter(spec.episode_id for spec in ended) == Counter(s.episode_id for s in episodes)
    assert all(scenes == sorted(scenes) for scenes in begun.values())
    assert order.under_way == 0


def inf_or(useful):
    return int(useful) + 1


def test_what_came_back_is_played_before_others_of_its_key():
    episodes = plan_order("a", scenes=2)
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    first = order.next()
    order.put_back(first)
    assert order.next() == first


def test_the_rest_of_a_sweep_keeps_its_places_among_the_scenes():
    episodes = plan_order("ab", scenes=3)
    left = [spec for spec in episodes if spec.scene_seed > 0 or spec.cell.model == "b"]
    leases = leases_for(episodes, left)
    assert [lease.spec for lease in leases] == left
    assert [lease.scene for lease in leases] == [spec.scene_seed for spec in left]


def test_nobody_spends_on_new_scenes_what_others_need_for_the_same():
    """An episode of a costs 1, of b 3, each in two conditions: 20 pay for two scenes of 8."""
    episodes = plan_order("ab", scenes=5)
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    order.expect({"a": Capacity(100.0, 100), "b": Capacity(1.0, 1)})
    order.pay_for(20.0, {"a": 1.0, "b": 3.0})
    begun = []
    while (lease := order.next()) is not None:
        begun.append(lease)
    fast = [lease.scene for lease in begun if lease.spec.cell.model == "a"]
    assert fast == [0, 0, 1, 1]
    slow = [lease for lease in begun if lease.spec.cell.model == "b"]
    assert [lease.scene for lease in slow] == [0]
    # b's calls turn out cheaper: now there is money for a third scene, and for no fourth.
    order.pay_for(20.0, {"a": 1.0, "b": 2.0})
    fast = []
    while (lease := order.next()) is not None:
        fast.append(lease.scene)
    assert fast == [2, 2]


def test_somebody_goes_on_until_the_ceiling_itself_ends_the_sweep():
    episodes = plan_order("ab", scenes=2)
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    order.pay_for(0.0, {"a": 1.0, "b": 1.0})
    begun = []
    while (lease := order.next()) is not None:
        begun.append(lease.scene)
        order.ended(lease)
    assert begun == [0, 0, 0, 0, 1, 1, 1, 1]


def test_without_money_for_any_scene_nobody_goes_beyond_the_earliest():
    episodes = plan_order("ab", scenes=2)
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    order.pay_for(0.0, {"a": 1.0, "b": 1.0})
    order.expect({"a": Capacity(100.0, 100), "b": Capacity(1.0, 1)})
    begun = [order.next() for _ in range(4)]
    assert [lease and lease.scene for lease in begun] == [0, 0, 0, None]


def test_enough_money_holds_nobody_back():
    episodes = plan_order("ab", scenes=5)
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    order.pay_for(40.0, {"a": 1.0, "b": 3.0})
    assert [order.next() for _ in episodes].count(None) == 0


@pytest.mark.parametrize(
    ("bounds", "useful", "at_most"),
    [
        # Twice one call a second, of 9 s and 1 s between calls.
        ({"rpm": 60.0}, 20.0, 20),
        # 60,000 tokens a minute are 30 calls a minute.
        ({"rpm": 600.0, "tpm": 60_000.0}, 10.0, 10),
        ({"rpm": 6000.0, "concurrency": 8}, 16.0, 16),
        ({"rpm": 1.0}, 1.0, 1),
        ({}, 200.0, float("inf")),
    ],
)
def test_a_key_can_use_twice_its_rate_times_the_time_from_call_to_call(bounds, useful, at_most):
    found = capacity(Limits("k", **bounds), latency_s=9.0)
    assert (found.useful, found.at_most) == (pytest.approx(useful), at_most)


def test_places_follow_from_the_limits_within_bounds():
    few = [hosted("a", rpm=60.0)]
    assert in_flight_for(few, 2) == OFFLINE_IN_FLIGHT
    # 2 × 10 calls a second × 11 s for each of two keys, over two Simulators.
    two = [hosted("a", rpm=600.0), hosted("b", rpm=600.0), hosted("c", "b", rpm=600.0)]
    assert in_flight_for(two, 2) == 220
    many = [hosted(str(index), rpm=10_000.0) for index in range(40)]
    assert in_flight_for(many, 8) == MOST_IN_FLIGHT
