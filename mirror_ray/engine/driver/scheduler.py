"""Hands episodes to Simulators and keeps the run going when some of them die."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from ray.exceptions import ActorUnschedulableError, RayActorError, RayError

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import (
    EngineError,
    HungError,
    LostError,
    RecordError,
    RenderError,
    RunDirError,
)
from mirror_ray.engine.actor_calls import Actor, retry_until_restarted
from mirror_ray.engine.cluster.actor_placement import expected_asks_per_s, useful_simulators
from mirror_ray.engine.cluster.actors import RunActors
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.fleet import Fleet
from mirror_ray.engine.driver.leases import MAX_DEATHS, Leases
from mirror_ray.engine.driver.serving import Serving
from mirror_ray.engine.driver.simulator_pool import MEMBERSHIP_EVERY_S, SimulatorPool
from mirror_ray.engine.episode_rows import codec_of, written_episode
from mirror_ray.engine.limiter.budget import name_of
from mirror_ray.engine.limiter.messages import LimiterStats
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.engine.rollout import abandoned, one_line
from mirror_ray.engine.simulator.client import SimulatorHandle
from mirror_ray.engine.simulator.messages import (
    EpisodeResult,
    Lease,
    RenderEnvironment,
    SimulatorStats,
)
from mirror_ray.records.journal.entry import Entry
from mirror_ray.sweep.in_flight import Capacity, capacities
from mirror_ray.sweep.plan import Plan

POLL_WITHIN_S = 5.0
CLOSE_WITHIN_S = 10.0
UNDER_WAY_POLL_S = 0.1
NOT_SERVED = Capacity(useful=1.0, at_most=0.0)


class Scheduler:
    """One part of a run, from the first lease to the last episode's end."""

    def __init__(
        self, plan: Plan, actors: RunActors, leases: Leases, counters: RunCounters, fleet: Fleet
    ) -> None:
        self._plan = plan
        self._actors = actors
        self._leases = leases
        self._counters = counters
        self._expected_per_s = expected_asks_per_s(plan.models.values())
        self._pool = SimulatorPool(actors, counters, self._useful)
        self._serving = Serving(plan, actors, leases, fleet, self._balance)
        self._is_over = asyncio.Event()
        self._remarks: set[str] = set()
        self._changes_read = Counter[int]()
        self._asked_of: dict[Actor, asyncio.Future[Any]] = {}
        self.playing_s = 0.0
        """From the first lease to the last episode's end."""
        self.resident_mib = 0.0
        """The largest Simulator's memory."""

    @property
    def environments(self) -> Mapping[str, Sequence[RenderEnvironment]]:
        """Facts on which frames may depend, of each ready Simulator, by host."""
        return self._pool.environments

    async def play_all(self) -> None:
        """Play until nothing is left or nothing more may be played.

        Raises:
            RenderError: no Simulator has a usable GL.
            LostError: no Simulator is left, or an actor does not restart.
            EngineError: hosts run other code than this one, or lack what a model's server needs.
            RunDirError: the records cannot be written.
        """
        handles = await self._pool.first()
        await self._serving.check()
        self._balance()
        began_s = monotonic()
        try:
            async with asyncio.TaskGroup() as workers:
                self._fill(handles, workers)
                workers.create_task(self._follow_the_cluster(workers))
                workers.create_task(self._serving.follow(self._is_over))
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            self.playing_s = monotonic() - began_s
        await self._serving.close()

    async def drain(self) -> None:
        """Stop leasing, stop every episode before its next request, and send nothing more."""
        self._leases.drain()
        self._is_over.set()
        drains = [handle.actor.drain.remote() for handle in self._pool.handles]
        drains += [provider.stop.remote() for provider in self._actors.providers]
        await asyncio.gather(*drains, return_exceptions=True)

    async def wind_up(self, within_s: float) -> None:
        """Drain without the head of the session: record calls in flight, and close the records."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, within_s - CLOSE_WITHIN_S)):
                await self.drain()
                while self._leases.under_way:
                    await asyncio.sleep(UNDER_WAY_POLL_S)
        if within_s:
            await self.dismiss()

    async def read_counters(self) -> None:
        """Update the counters; if a process does not answer, its counters stay as they are."""
        await asyncio.gather(
            *(self._read_simulator(handle) for handle in self._pool.handles),
            *(self._read_provider(*one) for one in enumerate(self._actors.providers)),
            self._read_limiter(),
        )
        self._balance()

    async def dismiss(self) -> None:
        """Close connections, and seal and close the records."""
        actors = self._actors
        closing = [provider.close.remote() for provider in actors.providers]
        with suppress(TimeoutError):
            await asyncio.wait_for(
                asyncio.gather(*closing, actors.recorder.close.remote(), return_exceptions=True),
                CLOSE_WITHIN_S,
            )

    async def _follow_the_cluster(self, workers: asyncio.TaskGroup) -> None:
        while not self._is_over.is_set():
            self._fill(await self._pool.follow(), workers)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_over.wait(), MEMBERSHIP_EVERY_S)

    def _fill(self, handles: Sequence[SimulatorHandle], workers: asyncio.TaskGroup) -> None:
        # Start one place of each Simulator in turn, so that few episodes spread over all of them.
        for _ in range(self._actors.in_flight):
            for handle in handles:
                workers.create_task(self._serve(handle))

    async def _serve(self, handle: SimulatorHandle) -> None:
        while await handle.open(self._is_over):
            self._remark(handle)
            lease = await self._leases.take(handle.index)
            if lease is None:
                self._is_over.set()
                return
            # The Simulator's process may have died while this waited for an episode.
            if not await handle.open(self._is_over):
                self._leases.returned(lease)
                break
            await self._play(handle, lease)
        if self._is_over.is_set():
            return
        if (trouble := handle.complaint()) is not None:
            self._counters.say(trouble)
        if not handle.has_left and not self._pool.in_service:
            raise LostError(f"no Simulator is left: {handle.trouble}")

    def _remark(self, handle: SimulatorHandle) -> None:
        drawn_on = handle.environment.drawn_on if handle.environment else None
        remark = drawn_on.remark() if drawn_on else None
        if remark is not None and (line := f"{handle.host}: {remark}") not in self._remarks:
            self._remarks.add(line)
            self._counters.say(line)

    def _useful(self) -> int:
        counters = self._counters
        episodes = counters.unplayed if self._leases.unplayed else 0
        return useful_simulators(self._expected_per_s, episodes, counters.simulators.steps_per_s)

    async def _play(self, handle: SimulatorHandle, lease: Lease) -> None:
        losses_before = handle.losses
        try:
            with self._counters.playing(lease.spec.cell.model, lease.spec.episode_id):
                result = await handle.client.play(lease)
        except RunDirError:
            raise
        except Exception as error:
            reason = one_line(error)
            died = isinstance(error, RayActorError | ActorUnschedulableError)
            if died and await self._actors.has_lost_its_host(handle):
                await self._lost(lease, reason, blameless=True)
                return
            if isinstance(error, EngineError) and not isinstance(error, LostError):
                handle.hung(losses_before)
            its_own_fault = died or isinstance(error, EngineError | RenderError)
            if its_own_fault and handle.lost(losses_before, reason):
                self._counters.say(handle.trouble)
            blameless = isinstance(error, HungError) or (died and handle.has_hung(losses_before))
            await self._lost(lease, reason, blameless=blameless)
            return
        handle.survived()
        if result.error_kind is None:
            self._leases.suspended(lease)
            return
        self._ended(lease, result)

    async def _lost(self, lease: Lease, reason: str, *, blameless: bool = False) -> None:
        """Handle a Simulator's death. The episode may have ended before, or be `blameless`."""
        episode_id = lease.spec.episode_id
        recorder = self._actors.recorder
        ended: Mapping[str, tuple[int, str]] = await retry_until_restarted(
            recorder.finished, "reading ended ones", [episode_id]
        )
        _, error_kind = ended.get(episode_id, (0, "internal"))
        if episode_id in ended and error_kind in FINAL_KINDS:
            self._ended(lease, EpisodeResult(error_kind, None))
            return
        if blameless:
            self._leases.returned(lease)
            return
        prefixes: Mapping[str, tuple[Entry, ...]] = await retry_until_restarted(
            recorder.prefixes, "reading recorded replies", [episode_id]
        )
        recorded = prefixes.get(episode_id, ())
        if not self._leases.died(lease, len(recorded)):
            why = f"its Simulator failed {MAX_DEATHS} times at the same ask: {reason}"
            await self._give_up(lease, recorded, why)

    async def _give_up(self, lease: Lease, recorded: Sequence[Entry], why: str) -> None:
        recorder, spec = self._actors.recorder, lease.spec
        family = FAMILIES[spec.cell.family]
        finished = await abandoned(
            family, spec, sweep=self._plan.sweep.name, prefix=recorded, reason=why
        )
        _, kept = written_episode(codec_of(family.name), finished)
        with suppress(RecordError):  # without its row, a later run plays it again
            await retry_until_restarted(recorder.finish, "keeping an episode's rows", kept)
        self._ended(lease, EpisodeResult("internal", why))

    def _ended(self, lease: Lease, result: EpisodeResult) -> None:
        error_kind, error = result.error_kind or "internal", result.error
        stopped_before = self._leases.stopped
        self._leases.done(lease, error_kind, error, result.closed_scope)
        model, usd = lease.spec.cell.model, result.cost_usd
        self._counters.episode_ended(
            model, error_kind, error, usd, result.partners_usd, n_asks=result.n_asks
        )
        for scope, why in self._leases.stopped.items() - stopped_before.items():
            self._counters.say(f"{name_of(scope, self._plan)}: no new episodes will start: {why}")

    def _balance(self) -> None:
        """Pass on the measurements by which Simulators and money are allocated."""
        places = max(1, self._actors.in_flight * len(self._pool.handles))
        lines = self._counters.lines
        latencies_s = {one.model: one.latency_s for one in lines if one.latency_s is not None}
        usable = capacities(self._plan.models.values(), places, latencies_s)
        self._leases.expect(usable | dict.fromkeys(self._serving.held_keys, NOT_SERVED))
        costs = self._counters.costs
        if costs.left_usd is not None:
            self._leases.pay_for(costs.left_usd, costs.means_usd)

    async def _read_simulator(self, handle: SimulatorHandle) -> None:
        stats: SimulatorStats | None = await self._stats_of(handle.actor)
        if stats is not None:
            drawing = stats.drawing
            self._counters.simulators.read(
                handle.index, stats.asks, drawing.pictures, drawing.reused
            )
            self._counters.provider_read(("simulator", handle.index), stats.model_counters)
            self.resident_mib = max(self.resident_mib, stats.resident_mib)

    async def _read_provider(self, index: int, provider: Actor) -> None:
        told: tuple[int, Mapping[str, ModelCounters]] | None
        told = await self._stats_of(provider, self._changes_read[index])
        if told is not None:
            self._changes_read[index], changed = told
            self._counters.provider_read(("provider", index), changed)

    async def _read_limiter(self) -> None:
        stats: LimiterStats | None = await self._stats_of(self._actors.limiter)
        if stats is not None:
            self._counters.limiter_read(stats)

    async def _stats_of(self, actor: Actor, *given: int) -> Any:
        # The next call waits for a late answer, because on a busy machine every one may be late.
        asked = self._asked_of.pop(actor, None) or asyncio.ensure_future(actor.stats.remote(*given))
        await asyncio.wait({asked}, timeout=POLL_WITHIN_S)
        with suppress(RayError):
            if asked.done():
                return asked.result()
            self._asked_of[actor] = asked
        return None


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
