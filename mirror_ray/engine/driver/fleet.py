"""The servers of a run's own models, through all parts of the run; `serving` chooses which run."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic

from ray.exceptions import RayError

from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.cluster.actor_placement import Host, bare_name
from mirror_ray.engine.cluster.server_actors import Replica, ServerActors, demand_of
from mirror_ray.engine.driver.server_log import ServerLog
from mirror_ray.engine.pending import start_task
from mirror_ray.engine.rollout import one_line
from mirror_ray.engine.server.messages import ServerStatus

_STATUS_WITHIN_S = 5.0
KEPT_AT_LEAST_S = 60.0
"""The least time that an idle server stays up, however fast it loads."""


@dataclass(slots=True)
class Running:
    """A server that occupies its share of a host.

    Args:
        loaded_s: duration of its first start; None before it was ready.
        idle_since_s: when the last episode that needed it ended; None while it is needed.
    """

    actor: Actor
    host: Host
    began_s: float
    status: ServerStatus | None = None
    loaded_s: float | None = None
    idle_since_s: float | None = None

    @property
    def is_ready(self) -> bool:
        """Whether the server accepts requests."""
        return self.status is not None and self.status.state == "ready"

    @property
    def has_idled(self) -> bool:
        """Whether it has idled as long as a start takes, which costs at most twice the optimum."""
        if self.idle_since_s is None:
            return False
        return monotonic() - self.idle_since_s > max(KEPT_AT_LEAST_S, self.loaded_s or 0.0)


class Fleet:
    """All servers of a run."""

    def __init__(self, actors: ServerActors, log: ServerLog) -> None:
        self.actors = actors
        self.log = log
        self.running: dict[Replica, Running] = {}
        self.failed: dict[Replica, str] = {}
        """Replicas that this run does not start again, and why."""
        self.set_aside: dict[str, str] = {}
        """Models without any server for the rest of the run, and why."""
        self.later: frozenset[str] = frozenset()
        """Models that a later part of the run may use."""
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def is_ending(self) -> bool:
        """Whether a server is ending and still occupies its GPUs."""
        return bool(self._ending)

    @property
    def demands(self) -> Mapping[str, Mapping[str, float]]:
        """Return the amount of each resource that one server of a model takes, by model."""
        return {name: demand_of(one) for name, one in self.actors.served.items()}

    def start(self, replica: Replica, host: Host) -> None:
        """Start a server, which occupies its share of the host from now on."""
        self.running[replica] = Running(self.actors.start(replica, host), host, monotonic())
        self.log.started(
            replica, bare_name(host.name), demand_of(self.actors.served[replica.model])
        )

    async def read(self) -> list[Replica]:
        """Read the state of each server; return those that have failed for good."""
        there = list(self.running)
        failed = await asyncio.gather(*(self._has_failed(replica) for replica in there))
        return [replica for replica, has_failed in zip(there, failed, strict=True) if has_failed]

    def give_up(self, replica: Replica) -> str | None:
        """Never restart a failed server. If its model has no server left, return why."""
        status = self.running[replica].status
        trouble = status.trouble if status else ""
        lines = status.log if status else ()
        self.failed[replica] = trouble
        self.end(replica, f"it failed for good: {trouble}")
        self.log.last_words(replica, lines)
        if any(one.model == replica.model for one in self.running):
            return None
        last = lines[-1] if lines else "no output"
        why = f"its server failed for good: {trouble}; its last line: {last}"
        self.set_aside[replica.model] = f"{replica.model}: {why}"
        self.log.set_aside(replica.model, why)
        return why

    def end(self, replica: Replica, why: str, *, orderly: bool = True) -> None:
        """Begin to end a server."""
        self.running.pop(replica)
        self.log.ended(replica, why)
        start_task(self.actors.stop(replica, orderly=orderly), self._ending)

    async def ended(self) -> None:
        """Wait until every server that is ending has ended."""
        await asyncio.gather(*self._ending)

    async def close(self) -> None:
        """End all servers in order, with the run."""
        for replica in list(self.running):
            self.end(replica, "the run ends")
        await self.ended()

    def abandon(self) -> None:
        """End all servers at once; their guards end the engines."""
        for replica in list(self.running):
            self.running.pop(replica)
            self.log.ended(replica, "the run was ended")
        self.actors.kill()

    async def _has_failed(self, replica: Replica) -> bool:
        it = self.running[replica]
        try:
            status: ServerStatus = await asyncio.wait_for(
                it.actor.status.remote(), _STATUS_WITHIN_S
            )
        except TimeoutError:
            if it.status is None:
                self.log.waits(replica)
            return False
        except RayError as error:
            # Ray either restarts the actor's process or its host is lost, which is noticed soon.
            it.status = None
            self.log.lost(replica, one_line(error))
            return False
        it.status = status
        if it.is_ready and it.loaded_s is None:
            it.loaded_s = monotonic() - it.began_s
        self.log.read(replica, status)
        return status.state == "failed"
