"""The servers of a run's own models: started as there is room, watched, ended with their episodes.

`model_queue` decides which are next; a server's own actor starts its engine again when it fails.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from ray.exceptions import RayError

from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.cluster.actors import RunActors
from mirror_ray.engine.cluster.nodes import hosts_alive
from mirror_ray.engine.cluster.placement import Host
from mirror_ray.engine.cluster.server_actors import Replica, demand_of
from mirror_ray.engine.driver.leases import Leases
from mirror_ray.engine.driver.model_queue import Unit, next_starts
from mirror_ray.engine.driver.server_log import ServerLog
from mirror_ray.engine.driver.simulator_pool import HOST_WITHIN_S
from mirror_ray.engine.limiter.budget import model_scope
from mirror_ray.engine.rollout import one_line
from mirror_ray.engine.server.messages import ServerStatus
from mirror_ray.errors import EngineError, LostError
from mirror_ray.sweep.plan import Plan

FOLLOW_EVERY_S = 1.0
STATUS_WITHIN_S = 5.0


@dataclass(slots=True)
class _Running:
    """A server that holds its share of a host."""

    actor: Actor
    host: Host
    status: ServerStatus | None = None


class Serving:
    """All servers of a run.

    Args:
        log: is told what becomes of each.
        changed: called when other episodes may be handed out than before.
    """

    def __init__(
        self,
        plan: Plan,
        actors: RunActors,
        leases: Leases,
        log: ServerLog,
        changed: Callable[[], None],
    ) -> None:
        self._where = plan.sweep.source
        self._actors = actors
        self._servers = actors.servers
        self._leases = leases
        self._log = log
        self._changed = changed
        self._running: dict[Replica, _Running] = {}
        self._failed: dict[Replica, str] = {}
        self._set_aside: dict[str, str] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._waits_since_s: float | None = None
        served = self._servers.served
        self._demands = {name: demand_of(one) for name, one in served.items()}
        self._replicas = {name: one.replicas for name, one in served.items()}
        self._needs: dict[str, frozenset[str]] = {}
        for cell in plan.cells:
            names = [name for _, name in cell.models]
            key = plan.models[names[0]].limits.key
            needs = self._needs.get(key, frozenset()) | (served.keys() & set(names))
            self._needs[key] = frozenset(needs)

    @property
    def held_keys(self) -> frozenset[str]:
        """Keys of which no episode may be handed out yet: a server that it needs is not ready."""
        ready = {one.model for one, it in self._running.items() if _is_ready(it)}
        met = ready | self._set_aside.keys()
        return frozenset(key for key, needs in self._needs.items() if needs - met)

    async def check(self) -> None:
        """Whether the cluster can serve every model of which episodes are left.

        Raises:
            EngineError: a host lacks what a server needs, or no host has room for it.
        """
        units = self._units()
        wanted = sorted({model for unit in units for model in unit.models})
        if not wanted:
            return
        hosts = await self._hosts()
        await self._servers.check(wanted, hosts.values(), self._where)
        for unit in units:
            if not self._next([unit], {}, hosts):
                names = ", ".join(sorted(unit.models))
                raise EngineError(
                    f"{self._where}: {names}: the same episodes ask all of these",
                    "more GPUs than the cluster has, for one server of each",
                    "models that find room together",
                    "name fewer gpus, or serve one of them elsewhere",
                )

    async def follow(self, is_over: asyncio.Event) -> None:
        """Starts, watches and ends servers until the run is over and no episode is played."""
        if not self._servers.served:
            return
        while not is_over.is_set() or any(playing for _, playing in self._leases.left.values()):
            await self._step()
            with suppress(TimeoutError):
                await asyncio.wait_for(is_over.wait(), FOLLOW_EVERY_S)
            if is_over.is_set():
                await asyncio.sleep(FOLLOW_EVERY_S)

    async def close(self) -> None:
        """Ends all servers in order."""
        for replica in list(self._running):
            self._end(replica, "its episodes have ended")
        await asyncio.gather(*self._ending)

    async def _step(self) -> None:
        hosts = await self._hosts()
        for replica, it in list(self._running.items()):
            if it.host.node_id not in hosts:
                self._end(replica, f"its host {it.host.name} is lost", orderly=False)
        await asyncio.gather(*(self._read(replica) for replica in list(self._running)))
        units = self._units()
        needed = {model for unit in units for model in unit.models}
        for replica in list(self._running):
            if replica.model not in needed:
                self._end(replica, "its episodes have ended")
        # One that ends keeps its GPUs until its processes have gone.
        if not self._ending:
            self._start(units, hosts)
        self._limit_the_wait(units)
        await self._tell_providers()
        self._changed()

    def _limit_the_wait(self, units: Collection[Unit]) -> None:
        """A host with GPUs may be missing for a while, not for ever."""
        plays = any(playing for _, playing in self._leases.left.values())
        if plays or self._running or self._ending or not units:
            self._waits_since_s = None
        elif self._waits_since_s is None:
            self._waits_since_s = monotonic()
        elif monotonic() - self._waits_since_s > HOST_WITHIN_S:
            raise LostError(
                "no host has room for the server of a model that is left",
                f"none for {HOST_WITHIN_S / 60:.0f} min",
                "hosts with the GPUs that there were at the start",
                "ray status shows what the cluster lacks; run the same command again",
            )

    async def _hosts(self) -> dict[str, Host]:
        hosts = await asyncio.to_thread(hosts_alive)
        left_out = self._actors.mismatched
        return {host.node_id: host for host in hosts if host.node_id not in left_out}

    def _units(self) -> list[Unit]:
        # Episodes that ask a model that is set aside are handed out no more.
        left, gone = self._leases.left, self._set_aside.keys()
        units = [
            Unit(needs - gone, sum(left.get(key, (0, 0)))) for key, needs in self._needs.items()
        ]
        return [unit for unit in units if unit.episodes and unit.models]

    def _next(
        self, units: Collection[Unit], running: Mapping[Replica, str], hosts: Mapping[str, Host]
    ) -> "Sequence[tuple[Replica, Host]]":
        starts = next_starts(
            units,
            self._demands,
            self._replicas,
            running=running,
            offers={node_id: host.offers for node_id, host in hosts.items()},
            failed=self._failed,
        )
        return [(start.replica, hosts[start.node_id]) for start in starts]

    def _start(self, units: Collection[Unit], hosts: Mapping[str, Host]) -> None:
        running = {replica: it.host.node_id for replica, it in self._running.items()}
        for replica, host in self._next(units, running, hosts):
            self._running[replica] = _Running(self._servers.start(replica, host), host)
            name = host.name.partition(" (")[0]  # without the address
            self._log.started(replica, name, self._demands[replica.model])

    async def _read(self, replica: Replica) -> None:
        it = self._running[replica]
        try:
            status: ServerStatus = await asyncio.wait_for(it.actor.status.remote(), STATUS_WITHIN_S)
        except TimeoutError:
            if it.status is None:
                self._log.waits(replica)
            return
        except RayError as error:
            # Ray starts the actor's process anew, or its host is lost and is missed soon.
            it.status = None
            self._log.lost(replica, one_line(getattr(error, "cause", None) or error))
            return
        it.status = status
        self._log.read(replica, status)
        if status.state == "failed":
            self._give_up(replica, status)

    def _give_up(self, replica: Replica, status: ServerStatus) -> None:
        """A server is not started again; with the last one of a model its episodes stop."""
        self._failed[replica] = status.trouble
        self._end(replica, f"it failed for good: {status.trouble}")
        self._log.last_words(replica, status.log)
        if any(one.model == replica.model for one in self._running):
            return
        last = status.log[-1] if status.log else "no output"
        why = f"its server failed for good: {status.trouble}; its last line: {last}"
        self._set_aside[replica.model] = f"{replica.model}: {why}"
        self._leases.stop(model_scope(replica.model), why)
        self._log.set_aside(replica.model, why)

    def _end(self, replica: Replica, why: str, *, orderly: bool = True) -> None:
        self._running.pop(replica)
        self._log.ended(replica, why)
        ending = asyncio.create_task(self._servers.stop(replica, orderly=orderly))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _tell_providers(self) -> None:
        """Again and again: a Provider that restarts knows of nothing."""
        if self._set_aside:
            told = [one.set_aside.remote(self._set_aside) for one in self._actors.providers]
            await asyncio.gather(*told, return_exceptions=True)


def _is_ready(it: _Running) -> bool:
    return it.status is not None and it.status.state == "ready"
