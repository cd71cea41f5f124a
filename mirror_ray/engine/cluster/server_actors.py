"""The model servers of one run as actors: what hosts lack for them, and their starts and ends."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mirror_ray.core.errors import EngineError
from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.cluster.actor_placement import Host, bare_name
from mirror_ray.engine.cluster.nodes import ask_host
from mirror_ray.engine.cluster.spawner import ActorSpawner
from mirror_ray.engine.rollout import one_line
from mirror_ray.engine.server.actor import ModelServer
from mirror_ray.engine.server.guard import GRACE_S
from mirror_ray.engine.server.messages import ServerPlacement
from mirror_ray.engine.server.preflight import LOOPBACK_HOSTS, lacks
from mirror_ray.providers.model import Model
from mirror_ray.providers.served import Served

STOPPED_WITHIN_S = GRACE_S + 25.0
CALLS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Replica:
    """One server of a model: the model's name, and the server's number."""

    model: str
    index: int


class ServerActors:
    """The servers of a run's models.

    Args:
        attached: other hosts reach the servers; otherwise everything is on this machine.
        secret_names: environment variables that hold keys of the models.
    """

    def __init__(
        self,
        models: Mapping[str, Model],
        spawner: ActorSpawner,
        *,
        attached: bool,
        secret_names: Iterable[str],
    ) -> None:
        self._spawner = spawner
        self._attached = attached
        self._secret_names = frozenset(secret_names)
        self.served: dict[str, Served] = {
            name: model.serve for name, model in models.items() if model.serve is not None
        }
        """How each model that the run serves is served."""
        self._index = {name: index for index, name in enumerate(self.served)}

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The names of each model's server actors, whether they run or not."""
        return {
            name: tuple(
                self._spawner.full_name(self._name(Replica(name, index)))
                for index in range(served.replicas)
            )
            for name, served in self.served.items()
        }

    def start(self, replica: Replica, host: Host) -> Actor:
        """Start a server's actor, which occupies its share of the host from now on."""
        served = self.served[replica.model]
        name = self._spawner.spawn(
            self._name(replica),
            ModelServer,
            {
                "num_cpus": 0,
                "num_gpus": served.gpus,
                "resources": dict(served.resources),
                "max_concurrency": CALLS_AT_ONCE,
                "scheduling_strategy": NodeAffinitySchedulingStrategy(host.node_id, soft=False),
            },
            served,
            ServerPlacement(self._address(host), bare_name(host.name), self._secret_names),
        )
        return self._spawner.spawned[name]

    async def stop(self, replica: Replica, *, orderly: bool = True) -> None:
        """End a server and its actor; if `orderly`, wait for its processes to free their GPUs."""
        name = self._spawner.full_name(self._name(replica))
        actor = self._spawner.spawned.get(name)
        if actor is None:
            return
        if orderly:
            with suppress(RayError, TimeoutError):
                await asyncio.wait_for(actor.stop.remote(), STOPPED_WITHIN_S)
        self._spawner.stop([name])

    def kill(self) -> None:
        """End all remaining actors at once."""
        self._spawner.stop(list(self._spawner.spawned))

    async def check(self, models: Iterable[str], hosts: Iterable[Host], where: str) -> None:
        """Check that every host with room for a model has what its server needs. Raise EngineError
        if no host has room, or if one lacks something."""
        hosts = list(hosts)
        asked = [
            self._check_one(name, host, where)
            for name in models
            for host in self._with_room(name, hosts, where)
        ]
        await asyncio.gather(*asked)

    def _with_room(self, name: str, hosts: Iterable[Host], where: str) -> list[Host]:
        served = self.served[name]
        hosts = list(hosts)
        fitting = [host for host in hosts if fits_host(demand_of(served), host.offers)]
        if not fitting:
            offers = sorted({f"{host.gpus:g}" for host in hosts}, key=float)
            wants = " and ".join(f"{n:g} {what}" for what, n in demand_of(served).items())
            raise EngineError(
                f"{where}: {name}.serve: no host has room for this server",
                f"{wants} on one host",
                f"what a single host offers to Ray; theirs have {', '.join(offers)} GPUs",
                "name fewer gpus, add a larger host, or tell Ray of its GPUs: ray start --num-gpus",
            )
        return fitting

    async def _check_one(self, name: str, host: Host, where: str) -> None:
        try:
            lacking: tuple[str, str, str] | None = await ask_host(
                host, lacks, self.served[name], self._address(host)
            )
        except (RayError, TimeoutError) as error:
            why = f"{host.name} does not say whether it can serve {name}: {one_line(error)}"
            raise EngineError(f"{where}: {name}.serve", why) from error
        if lacking is not None:
            key, got, fix = lacking
            raise EngineError(
                f"{where}: {name}.serve.{key}",
                f"{got} (on {host.name})",
                "what is there on every host that has room for the server",
                fix,
            )

    def _address(self, host: Host) -> str:
        return host.address if self._attached else LOOPBACK_HOSTS

    def _name(self, replica: Replica) -> str:
        return f"server-{self._index[replica.model]}-{replica.index}"


def demand_of(served: Served) -> dict[str, float]:
    """Return the amount of each resource that one server takes."""
    return {**({"GPU": served.gpus} if served.gpus else {}), **served.resources}


def fits_host(demand: Mapping[str, float], room: Mapping[str, float]) -> bool:
    """Return whether a host with this much room can take the server."""
    return all(room.get(what, 0.0) + 1e-6 >= amount for what, amount in demand.items())
