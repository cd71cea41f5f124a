"""How many Simulators and Providers run, and on which host each is placed. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, inf

from mirror_ray.providers.model import Model
from mirror_ray.sweep.in_flight import BETWEEN_CALLS_S, EXPECTED_LATENCY_S, HEADROOM, capacities

ASKS_PER_SIMULATOR_S = 5.0
"""The planned pictures per second of one Simulator: a core draws 30 to 90, a shared one fewer."""

SIMULATORS_PER_PROVIDER = 2
"""A hosted call costs its process 4 to 10 ms of CPU time, a picture 10 to 30 ms."""

SMALLEST_FRACTION = 1e-4
"""Ray divides resources in ten-thousandths."""


@dataclass(frozen=True, slots=True)
class Host:
    """A node of the cluster, and what it offers.

    Args:
        renderers: its custom resource ``renderer``, a number of Simulators; None without one.
        offers: Ray's name of a resource → how much of it there is.
    """

    node_id: str
    name: str
    cpus: float
    gpus: float = 0.0
    renderers: float | None = None
    offers: Mapping[str, float] = field(default_factory=dict)
    address: str = ""


def bare_name(name: str) -> str:
    """Return a host's name without its address."""
    return name.partition(" (")[0]


@dataclass(frozen=True, slots=True)
class HostCapacity:
    """How many Simulators fit on a host, and which resources each takes; several share a GPU by
    fractions."""

    count: int
    cpus: float
    gpus: float
    renderers: float


def capacity_of(
    hosts: Iterable[Host], wanted: int | None = None, *, draw_on: str = "auto"
) -> dict[str, HostCapacity]:
    """Return the room for Simulators of each host that has any, by node id: one per CPU core.

    If some hosts offer ``renderer``, only those have room, and no more than they offer.

    Args:
        wanted: the number needed in all, if necessary with less than a core each.
        draw_on: as in `mirror_ray.sweep.plan.EngineSettings`.
    """
    hosts = [
        replace(host, gpus=0.0) if draw_on == "cpu" else host
        for host in hosts
        if host.gpus or draw_on != "gpu"
    ]
    named = any(host.renderers for host in hosts)
    counts = {
        host.node_id: floor(min(host.cpus, host.renderers or 0.0) if named else host.cpus)
        for host in hosts
    }
    crowding = max(1.0, (wanted or 0) / max(1, sum(counts.values())))
    return {
        host.node_id: _capacity(host, ceil(counts[host.node_id] * crowding))
        for host in hosts
        if counts[host.node_id]
    }


def _capacity(host: Host, count: int) -> HostCapacity:
    # An actor's fraction comes from one GPU, so each GPU takes a whole number of actors.
    per_gpu = ceil(count / host.gpus) if host.gpus else 0
    return HostCapacity(
        count,
        cpus=_fraction(host.cpus / count),
        gpus=_fraction(1.0 / per_gpu) if per_gpu else 0.0,
        renderers=_fraction((host.renderers or 0.0) / count),
    )


def _fraction(share: float) -> float:
    return min(1.0, floor(share / SMALLEST_FRACTION + 1e-6) * SMALLEST_FRACTION)


def next_places(
    capacity: Mapping[str, HostCapacity], taken: Mapping[str, int], target: int
) -> list[str]:
    """Return node ids for further Simulators up to `target`, the emptiest host first. `taken` maps
    node id → Simulators there."""
    filled = Counter({node_id: taken.get(node_id, 0) for node_id in capacity})
    places: list[str] = []
    while filled.total() < target:
        free = [node_id for node_id, its in capacity.items() if filled[node_id] < its.count]
        if not free:
            break
        emptiest = min(free, key=lambda node_id: filled[node_id] / capacity[node_id].count)
        filled[emptiest] += 1
        places.append(emptiest)
    return places


def expected_asks_per_s(models: Iterable[Model]) -> float:
    """Return how many requests per second the models' limits presumably allow; inf with offline
    agents, which reply at once."""
    models = list(models)
    if any(model.is_offline for model in models):
        return inf
    under_way = sum(one.useful for one in capacities(models, 0.0, {}).values()) / HEADROOM
    return under_way / (EXPECTED_LATENCY_S + BETWEEN_CALLS_S)


def useful_simulators(expected_per_s: float, episodes: int, asks_per_s: float = 0.0) -> int:
    """Return the number of Simulators beyond which more would only wait for models; 0 without
    episodes.

    Args:
        expected_per_s: by the models' limits; real ones may be higher.
        asks_per_s: as measured.
    """
    most_per_s = max(expected_per_s, HEADROOM * asks_per_s)
    return ceil(min(float(episodes), max(1.0, most_per_s / ASKS_PER_SIMULATOR_S)))


def providers_wanted(
    simulators: Sequence[str], providers: Mapping[str, int], in_all: int | None
) -> list[str]:
    """Return node ids for further Providers, each on a node of the Simulators that it serves.

    Args:
        simulators: the node id of each.
        providers: node id → Providers placed there.
        in_all: the exact number; None scales it to each node's Simulators.
    """
    by_node = Counter(simulators)
    if in_all is not None:
        missing = in_all - sum(providers.values())
        nodes = list(by_node)
        return [nodes[index % len(nodes)] for index in range(missing)] if nodes else []
    return [
        node_id
        for node_id, count in by_node.items()
        for _ in range(ceil(count / SIMULATORS_PER_PROVIDER) - providers.get(node_id, 0))
    ]
