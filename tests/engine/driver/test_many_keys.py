"""The order of the next episodes among more keys than are searched for a drawn scene."""

from collections import Counter

import numpy as np

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.engine.driver.episode_order import EpisodeOrder, leases_for
from mirror_ray.engine.simulator.messages import Lease
from mirror_ray.sweep.in_flight import Capacity


def test_of_a_hundred_keys_the_emptiest_is_always_next() -> None:
    rng = np.random.default_rng(0)
    names = [f"m{index:03}" for index in range(100)]
    cells = [Cell("selfid", "E1", (("subject", name),), None, "paper") for name in names]
    episodes = [EpisodeSpec(cell, seed, 0) for seed in range(12) for cell in cells]
    order = EpisodeOrder(leases_for(episodes, episodes), {})
    left, under_way = Counter(spec.cell.model for spec in episodes), Counter[str]()
    held: list[Lease] = []
    for step in range(2000):
        if step % 300 == 0:
            useful = {name: float(rng.uniform(0.5, 4.0)) for name in names}
            order.expect({name: Capacity(share, 6) for name, share in useful.items()})
        if held and rng.random() < 0.45:
            lease = held.pop(int(rng.integers(len(held))))
            model, is_back = lease.spec.cell.model, rng.random() < 0.3
            (order.put_back if is_back else order.ended)(lease)
            under_way[model] -= 1
            left[model] += is_back
            continue
        fills = {name: under_way[name] / useful[name] for name in names}
        ready = [fills[name] for name in names if left[name] and under_way[name] < 6]
        lease = order.next()
        if not ready:
            assert lease is None
            continue
        model = lease.spec.cell.model
        assert fills[model] == min(ready)
        left[model] -= 1
        under_way[model] += 1
        held.append(lease)
        assert order.under_way == len(held)
    assert sum(left.values()) == order.waiting
