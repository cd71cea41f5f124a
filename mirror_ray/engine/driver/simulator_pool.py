"""A run's Simulators, as its cluster grows and shrinks, and the wait for a host."""

import asyncio
from collections.abc import Callable
from time import monotonic

from mirror_ray.core.errors import LostError, RenderError
from mirror_ray.engine.cluster.actor_placement import bare_name
from mirror_ray.engine.cluster.actors import RunActors
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.simulator.client import SimulatorHandle
from mirror_ray.engine.simulator.messages import RenderEnvironment

MEMBERSHIP_EVERY_S = 2.0

HOST_WITHIN_S = 1800.0
"""A cloud takes minutes to start a host, and all spot hosts may be missing for a while."""

NONE_CAN_DRAW = (
    f"No host can draw just now: waiting up to {HOST_WITHIN_S / 60:.0f} min for one with CPU"
    " cores, which offers the resource `renderer` where others of the cluster do."
)


class SimulatorPool:
    """Handles of all Simulators whose hosts are alive. `useful` returns how many can be used
    now."""

    def __init__(self, actors: RunActors, counters: RunCounters, useful: Callable[[], int]) -> None:
        self._actors = actors
        self._counters = counters
        self._useful = useful
        self._waits_until_s: float | None = None

    @property
    def handles(self) -> tuple[SimulatorHandle, ...]:
        """Handles of the current Simulators."""
        return tuple(self._actors.simulators.values())

    @property
    def in_service(self) -> bool:
        """Whether any Simulator can play."""
        return any(handle.in_service for handle in self.handles)

    @property
    def environments(self) -> dict[str, list[RenderEnvironment]]:
        """The facts on which frames may depend, for each ready Simulator, by host."""
        found: dict[str, list[RenderEnvironment]] = {}
        for handle in self.handles:
            if handle.environment is not None:
                found.setdefault(bare_name(handle.host), []).append(handle.environment)
        return found

    async def first(self) -> list[SimulatorHandle]:
        """Wait for the first Simulator and return those that are ready.

        Raises:
            RenderError: none of them has a usable GL.
            EngineError: hosts run other code than this one.
            LostError: none became ready.
        """
        while not (handles := await self.follow()):
            await asyncio.sleep(MEMBERSHIP_EVERY_S)
        if not any(await asyncio.gather(*(handle.open() for handle in handles))):
            unable = [handle for handle in handles if handle.cannot_draw]
            if unable:
                raise RenderError(unable[0].trouble)
            raise LostError(f"no Simulator has started: {handles[0].trouble}")
        return handles

    async def follow(self) -> list[SimulatorHandle]:
        """Follow changes of the cluster; return the new Simulators. Raise LostError if there is no
        host for too long."""
        joined, news = await self._actors.update_membership(self._useful())
        for line in news:
            self._counters.say(line)
        self._limit_the_wait()
        return joined

    def _limit_the_wait(self) -> None:
        if self.handles:
            self._waits_until_s = None
        elif self._waits_until_s is None:
            self._waits_until_s = monotonic() + HOST_WITHIN_S
            self._counters.say(NONE_CAN_DRAW)
        elif monotonic() > self._waits_until_s:
            raise LostError(
                "no host can draw",
                f"none for {HOST_WITHIN_S / 60:.0f} min",
                "hosts with CPU cores, or with the resource `renderer`",
                "ray status shows what the cluster lacks; run the same command again",
            )
