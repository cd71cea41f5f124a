"""Decides which model servers start next on the cluster's GPUs. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mirror_ray.engine.cluster.server_actors import Replica, fits_host

Amounts = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Unit:
    """Episodes that need the same served models at the same time."""

    models: frozenset[str]
    episodes: int


@dataclass(frozen=True, slots=True)
class Start:
    """A server to start, and where."""

    replica: Replica
    node_id: str


class _Room:
    """What the hosts have left, as starts are planned."""

    def __init__(self, offers: Mapping[str, Amounts]) -> None:
        self._free = {node_id: dict(amounts) for node_id, amounts in offers.items()}

    def take(self, demand: Amounts, node_id: str) -> None:
        free = self._free.get(node_id, {})
        for what, amount in demand.items():
            free[what] = free.get(what, 0.0) - amount

    def place(self, demand: Amounts) -> str | None:
        able = [node_id for node_id, free in self._free.items() if fits_host(demand, free)]
        if not able:
            return None
        node_id = min(able, key=lambda one: (self._free[one].get("GPU", 0.0), one))
        self.take(demand, node_id)
        return node_id

    def copy(self) -> "_Room":
        return _Room(self._free)


def next_starts(
    units: Collection[Unit],
    demands: Mapping[str, Amounts],
    replicas: Mapping[str, int],
    *,
    running: Mapping[Replica, str],
    offers: Mapping[str, Amounts],
    failed: Collection[Replica] = (),
) -> list[Start]:
    """Return the servers that fit now.

    The largest models go first, so that those of one size follow one another on the same GPUs; then
    those with the most episodes left. Smaller ones fill the rest, and replicas what no model waits
    for.

    Args:
        demands: model → resource → how much of it one server takes.
        replicas: model → how many servers it may have.
        running: server → its node.
        offers: node id → resource → its total.
        failed: servers that are not restarted.
    """
    room = _Room(offers)
    for replica, node_id in running.items():
        room.take(demands[replica.model], node_id)
    order = sorted(
        (unit for unit in units if unit.episodes),
        key=lambda unit: (-_gpus(unit, demands), -unit.episodes, sorted(unit.models)),
    )
    taken = {*running, *failed}
    starts: list[Start] = []
    served = {replica.model for replica in running}
    waits = False
    for unit in order:
        missing = sorted(unit.models - served)
        found = _together(missing, demands, replicas, taken, room)
        if found is None:
            waits = True
            continue
        starts += found
        served |= unit.models
        taken |= {start.replica for start in found}
        for start in found:
            room.take(demands[start.replica.model], start.node_id)
    if not waits:
        starts += _further(order, demands, replicas, taken, room)
    return starts


def _together(
    models: Sequence[str],
    demands: Mapping[str, Amounts],
    replicas: Mapping[str, int],
    taken: Collection[Replica],
    room: _Room,
) -> list[Start] | None:
    """One server of each; None where not all of them find room. Takes no room itself."""
    trial = room.copy()
    starts = []
    for model in models:
        all_of_it = (Replica(model, index) for index in range(replicas[model]))
        replica = next((one for one in all_of_it if one not in taken), None)
        node_id = None if replica is None else trial.place(demands[model])
        if replica is None or node_id is None:
            return None
        starts.append(Start(replica, node_id))
    return starts


def _further(
    order: Sequence[Unit],
    demands: Mapping[str, Amounts],
    replicas: Mapping[str, int],
    taken: Collection[Replica],
    room: _Room,
) -> list[Start]:
    starts = []
    models = dict.fromkeys(model for unit in order for model in sorted(unit.models))
    for model in models:
        for index in range(replicas[model]):
            replica = Replica(model, index)
            if replica not in taken and (node_id := room.place(demands[model])) is not None:
                starts.append(Start(replica, node_id))
    return starts


def _gpus(unit: Unit, demands: Mapping[str, Amounts]) -> float:
    return sum(demands[model].get("GPU", 0.0) for model in unit.models)
