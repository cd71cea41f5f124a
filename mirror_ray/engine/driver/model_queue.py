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
    """The remaining resources of the hosts, while starts are planned."""

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

    The largest models go first, so that models of one size follow one another on the same GPUs;
    among them, those with most episodes left. Smaller ones fill the rest, then replicas.

    Args:
        demands: model → resource → the amount that one server takes.
        replicas: model → how many servers it may have.
        running: server → its node.
        offers: node id → resource → its total.
        failed: servers that are not restarted.
    """
    plan = _Plan(demands, replicas, offers, running, failed)
    order = sorted(
        (unit for unit in units if unit.episodes),
        key=lambda unit: (-_gpus(unit, demands), -unit.episodes, sorted(unit.models)),
    )
    served = {replica.model for replica in running}
    waits = False
    for unit in order:
        if plan.start(sorted(unit.models - served)):
            served |= unit.models
        else:
            waits = True
    if not waits:
        for model in dict.fromkeys(model for unit in order for model in sorted(unit.models)):
            while plan.start([model]):
                pass
    return plan.starts


class _Plan:
    """Starts that fit, and the remaining room."""

    def __init__(
        self,
        demands: Mapping[str, Amounts],
        replicas: Mapping[str, int],
        offers: Mapping[str, Amounts],
        running: Mapping[Replica, str],
        failed: Collection[Replica],
    ) -> None:
        self._demands, self._replicas = demands, replicas
        self._room = _Room(offers)
        for replica, node_id in running.items():
            self._room.take(demands[replica.model], node_id)
        self._taken = {*running, *failed}
        self.starts: list[Start] = []

    def start(self, models: Sequence[str]) -> bool:
        """Start one more server of each model if there is room for all; return whether there is."""
        room = self._room.copy()
        starts = []
        for model in models:
            all_of_it = (Replica(model, index) for index in range(self._replicas[model]))
            replica = next((one for one in all_of_it if one not in self._taken), None)
            node_id = None if replica is None else room.place(self._demands[model])
            if replica is None or node_id is None:
                return False
            starts.append(Start(replica, node_id))
        self._room = room
        self._taken |= {one.replica for one in starts}
        self.starts += starts
        return True


def _gpus(unit: Unit, demands: Mapping[str, Amounts]) -> float:
    return sum(demands[model].get("GPU", 0.0) for model in unit.models)
