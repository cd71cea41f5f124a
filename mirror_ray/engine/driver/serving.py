"""Decides which servers of a run's own models each part of the run needs.

`model_queue` decides which start next; a server's own actor restarts its engine after a failure."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from time import monotonic

from mirror_ray.core.errors import EngineError, LostError
from mirror_ray.engine.cluster.actor_placement import Host
from mirror_ray.engine.cluster.actors import RunActors
from mirror_ray.engine.cluster.nodes import hosts_alive
from mirror_ray.engine.cluster.server_actors import Replica
from mirror_ray.engine.driver.fleet import Fleet
from mirror_ray.engine.driver.leases import Leases
from mirror_ray.engine.driver.model_queue import Unit, next_starts
from mirror_ray.engine.driver.simulator_pool import HOST_WITHIN_S
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, model_scope
from mirror_ray.sweep.plan import Plan

FOLLOW_EVERY_S = 1.0


class Serving:
    """The servers that one part of a run needs.

    An unneeded server stays up only if the run may need its model later, no other model waits for
    its GPUs, and it has not idled for longer than a new start would take.

    Args:
        fleet: the running servers, from earlier parts too.
        changed: called when the set of playable episodes has changed.
    """

    def __init__(
        self,
        plan: Plan,
        actors: RunActors,
        leases: Leases,
        fleet: Fleet,
        changed: Callable[[], None],
    ) -> None:
        self._where = plan.sweep.source
        self._actors = actors
        self._fleet = fleet
        self._leases = leases
        self._changed = changed
        self._waits_since_s: float | None = None
        served = fleet.actors.served
        self._demands = fleet.demands
        self._replicas = {name: one.replicas for name, one in served.items()}
        self._needs: dict[str, frozenset[str]] = {}
        for cell in plan.cells:
            names = [name for _, name in cell.models]
            key = plan.models[names[0]].limits.key
            needs = self._needs.get(key, frozenset()) | (served.keys() & set(names))
            self._needs[key] = frozenset(needs)
        for model, why in fleet.set_aside.items():
            leases.stop(model_scope(model), why)

    @property
    def held_keys(self) -> frozenset[str]:
        """Keys whose episodes cannot be leased yet, because a server that they need is not
        ready."""
        ready = {one.model for one, it in self._fleet.running.items() if it.is_ready}
        met = ready | self._fleet.set_aside.keys()
        return frozenset(key for key, needs in self._needs.items() if needs - met)

    async def check(self) -> None:
        """Check that the cluster can serve every model that is left. Raise EngineError if a host
        lacks what a server needs, or if no host has room for it."""
        units = self._units()
        there = {replica.model for replica in self._fleet.running}
        wanted = sorted({model for unit in units for model in unit.models} - there)
        if not wanted:
            return
        hosts = await self._hosts()
        await self._fleet.actors.check(wanted, hosts.values(), self._where)
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
        """Start, watch and end servers until the part is over and no episode is in progress."""
        if not self._fleet.actors.served:
            return
        while not is_over.is_set() or any(playing for _, playing in self._leases.left.values()):
            await self._step()
            with suppress(TimeoutError):
                await asyncio.wait_for(is_over.wait(), FOLLOW_EVERY_S)
            if is_over.is_set():
                await asyncio.sleep(FOLLOW_EVERY_S)

    async def close(self) -> None:
        """End, in order, all servers that the run no longer needs."""
        self._end_or_keep(frozenset())
        await self._fleet.ended()

    async def _step(self) -> None:
        hosts = await self._hosts()
        for replica, it in list(self._fleet.running.items()):
            if it.host.node_id not in hosts:
                self._fleet.end(replica, f"its host {it.host.name} is lost", orderly=False)
        for replica in await self._fleet.read():
            if (why := self._fleet.give_up(replica)) is not None:
                self._leases.stop(model_scope(replica.model), why)
        units = self._units()
        self._end_or_keep({model for unit in units for model in unit.models})
        # A server that is ending keeps its GPUs until its processes have exited.
        if not self._fleet.is_ending:
            self._make_room(units, hosts)
        if not self._fleet.is_ending:
            for replica, host in self._next(units, self._places(), hosts):
                self._fleet.start(replica, host)
        self._limit_the_wait(units)
        await self._tell_providers()
        self._changed()

    def _end_or_keep(self, needed: Collection[str]) -> None:
        stopped = self._leases.stopped.keys()
        stays = frozenset[str]()
        if not self._leases.is_draining and SWEEP_SCOPE not in stopped:
            stays = frozenset(one for one in self._fleet.later if model_scope(one) not in stopped)
        for replica, it in list(self._fleet.running.items()):
            if replica.model in needed:
                it.idle_since_s = None
            elif replica.model not in stays:
                self._fleet.end(replica, "its episodes have ended")
            elif it.idle_since_s is None:
                it.idle_since_s = monotonic()
                self._fleet.log.kept(replica)
            elif it.has_idled:
                self._fleet.end(replica, "nothing has asked it for as long as a start takes")

    def _make_room(self, units: Collection[Unit], hosts: Mapping[str, Host]) -> None:
        running = self._fleet.running
        served = {replica.model for replica in running}
        idle = [(it.idle_since_s, one) for one, it in running.items() if it.idle_since_s]
        places, ended = self._places(), []
        waiting = [unit for unit in units if unit.models - served]
        if not waiting or self._next(waiting, places, hosts):
            return
        for _, replica in sorted(idle, key=lambda one: (one[0], one[1].model, one[1].index)):
            places.pop(replica)
            ended.append(replica)
            if self._next(waiting, places, hosts):
                for one in ended:
                    self._fleet.end(one, "another model waits for its room")
                return

    def _places(self) -> dict[Replica, str]:
        return {replica: it.host.node_id for replica, it in self._fleet.running.items()}

    def _limit_the_wait(self, units: Collection[Unit]) -> None:
        plays = any(playing for _, playing in self._leases.left.values())
        if plays or self._fleet.running or self._fleet.is_ending or not units:
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
        # Episodes of a model without servers are not leased any more.
        left, gone = self._leases.left, self._fleet.set_aside.keys()
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
            failed=self._fleet.failed,
        )
        return [(start.replica, hosts[start.node_id]) for start in starts]

    async def _tell_providers(self) -> None:
        if self._fleet.set_aside:
            told = [one.set_aside.remote(self._fleet.set_aside) for one in self._actors.providers]
            await asyncio.gather(*told, return_exceptions=True)
