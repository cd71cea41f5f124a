"""Hands episodes to Simulators and keeps the run going when some of them die.

Knows leases, actors and when to stop; does not know the run directory's files, or how progress is
shown.
"""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic

from ray.exceptions import ActorUnschedulableError, RayActorError, RayError

from mirror_ray.engine.accounts import name_of
from mirror_ray.engine.board import Board
from mirror_ray.engine.calls import insist
from mirror_ray.engine.crew import Crew
from mirror_ray.engine.leases import MAX_DEATHS, Leases
from mirror_ray.engine.limiter import LimiterStats
from mirror_ray.engine.order import Lease
from mirror_ray.engine.placement import useful_simulators
from mirror_ray.engine.played import Played, SimulatorStats, Surroundings
from mirror_ray.engine.provider import ModelTally
from mirror_ray.engine.rollout import abandoned, one_line
from mirror_ray.engine.rows import form_of
from mirror_ray.engine.seat import Seat
from mirror_ray.engine.seating import MUSTER_EVERY_S, Seating
from mirror_ray.errors import EngineError, LostError, RenderError, RunDirError
from mirror_ray.records.entry import Entry
from mirror_ray.sweep.in_flight import capacities
from mirror_ray.sweep.plan import Plan
from mirror_ray.tasks import FAMILIES
from mirror_ray.types import FINAL_KINDS

POLL_WITHIN_S = 5.0
CLOSE_WITHIN_S = 10.0


class Dispatch:
    """One run's work, from the first lease to the last episode's end."""

    def __init__(self, plan: Plan, crew: Crew, leases: Leases, board: Board) -> None:
        self._plan = plan
        self._crew = crew
        self._leases = leases
        self._board = board
        self._seating = Seating(crew, board, self._useful)
        self._is_over = asyncio.Event()
        self.playing_s = 0.0
        """From the first lease to the last episode's end."""
        self.resident_mib = 0.0
        """The largest Simulator's memory."""

    @property
    def surroundings(self) -> Mapping[str, Surroundings]:
        """Host → what frames may depend on there, for the hosts that are ready now."""
        return self._seating.surroundings

    async def play_all(self) -> None:
        """Plays until nothing is left or nothing more may be played.

        Raises:
            RenderError: no Simulator has a usable GL.
            LostError: no Simulator is left, or an actor does not come back.
            EngineError: hosts run other code than this one.
            RunDirError: the records cannot be written.
        """
        seats = await self._seating.first()
        self._balance()
        began_s = monotonic()
        try:
            async with asyncio.TaskGroup() as workers:
                self._fill(seats, workers)
                workers.create_task(self._follow_the_cluster(workers))
        except BaseExceptionGroup as group:
            raise _first(group) from group
        finally:
            self.playing_s = monotonic() - began_s

    async def drain(self) -> None:
        """Hands out nothing more, and stops every episode before its next ask."""
        self._leases.drain()
        self._is_over.set()
        drains = [seat.actor.drain.remote() for seat in self._seating.seats.values()]
        await asyncio.gather(*drains, return_exceptions=True)

    async def read_counters(self) -> None:
        """Brings the board up to date; a process that is silent just now keeps its figures."""
        await asyncio.gather(
            *(self._read_simulator(seat) for seat in self._seating.seats.values()),
            *(self._read_provider(index) for index in range(len(self._crew.providers))),
            self._read_limiter(),
        )
        self._balance()

    async def dismiss(self) -> None:
        """Closes connections and the records, which are sealed."""
        crew = self._crew
        closing = [provider.close.remote() for provider in crew.providers]
        with suppress(TimeoutError):
            await asyncio.wait_for(
                asyncio.gather(*closing, crew.recorder.close.remote(), return_exceptions=True),
                CLOSE_WITHIN_S,
            )

    async def _follow_the_cluster(self, workers: asyncio.TaskGroup) -> None:
        while not self._is_over.is_set():
            self._fill(await self._seating.follow(), workers)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_over.wait(), MUSTER_EVERY_S)

    def _fill(self, seats: Sequence[Seat], workers: asyncio.TaskGroup) -> None:
        # Seat by seat in turn, so that few episodes spread over all of them.
        for _ in range(self._crew.in_flight):
            for seat in seats:
                workers.create_task(self._serve(seat))

    async def _serve(self, seat: Seat) -> None:
        while await seat.open():
            lease = await self._leases.take()
            if lease is None:
                self._is_over.set()
                return
            await self._play(seat, lease)
        if (trouble := seat.complaint()) is not None:
            self._board.say(trouble)
        if not seat.has_left and not self._seating.in_service:
            raise LostError(f"no Simulator is left: {seat.trouble}")

    def _useful(self) -> int:
        """How many Simulators the rest of the plan can use."""
        if not self._leases.unplayed:
            return 0
        board = self._board
        left = board.planned - board.done - board.failed
        return useful_simulators(self._plan.models.values(), left, board.steps_per_s)

    async def _play(self, seat: Seat, lease: Lease) -> None:
        life = seat.life
        try:
            played = await seat.play(lease)
        except RunDirError:
            raise
        except Exception as error:
            reason = one_line(getattr(error, "cause", None) or error)
            died = isinstance(error, RayActorError | ActorUnschedulableError)
            if died and await self._seating.has_lost_its_host(seat):
                await self._lost(lease, reason, blameless=True)
                return
            its_own_fault = died or isinstance(error, EngineError | RenderError)
            if its_own_fault and seat.lost(life, reason):
                self._board.say(seat.trouble)
            await self._lost(lease, reason)
            return
        seat.survived()
        if played.error_kind is None:
            self._leases.suspended(lease)
            return
        self._ended(lease, played)

    async def _lost(self, lease: Lease, reason: str, *, blameless: bool = False) -> None:
        """The Simulator died, but maybe not before it had kept the episode's end.

        Args:
            blameless: it died of its host, not of what it played.
        """
        episode_id = lease.spec.episode_id
        recorder = self._crew.recorder
        ended: Mapping[str, tuple[int, str]] = await insist(
            lambda: recorder.finished.remote([episode_id]), "reading ended ones"
        )
        _, error_kind = ended.get(episode_id, (0, "internal"))
        if episode_id in ended and error_kind in FINAL_KINDS:
            self._ended(lease, Played(error_kind, None))
            return
        if blameless:
            self._leases.returned(lease)
            return
        prefixes: Mapping[str, tuple[Entry, ...]] = await insist(
            lambda: recorder.prefixes.remote([episode_id]), "reading recorded replies"
        )
        recorded = prefixes.get(episode_id, ())
        if not self._leases.died(lease, len(recorded)):
            why = f"its Simulator failed {MAX_DEATHS} times at the same ask: {reason}"
            await self._give_up(lease, recorded, why)

    async def _give_up(self, lease: Lease, recorded: Sequence[Entry], why: str) -> None:
        """Keeps what is recorded of an episode as a failed one."""
        recorder, spec = self._crew.recorder, lease.spec
        family = FAMILIES[spec.cell.family]
        finished = await abandoned(
            family, spec, sweep=self._plan.sweep.name, prefix=recorded, reason=why
        )
        written = form_of(family).write(finished)
        await insist(lambda: recorder.finish.remote(written), "keeping an episode's rows")
        self._ended(lease, Played("internal", why))

    def _ended(self, lease: Lease, played: Played) -> None:
        error_kind, error = played.error_kind or "internal", played.error
        stopped_before = self._leases.stopped
        self._leases.done(lease, error_kind, error, played.spent_scope)
        self._board.episode_ended(lease.spec.cell.model, error_kind, error, played.cost_usd)
        for scope, why in self._leases.stopped.items() - stopped_before.items():
            self._board.say(f"{name_of(scope, self._plan)}: no further episode is begun: {why}")

    def _balance(self) -> None:
        """Tells the leases what has been measured, so that they share out seats and money."""
        seats = max(1, self._crew.in_flight * len(self._seating.seats))
        lines = self._board.lines
        latencies_s = {one.model: one.latency_s for one in lines if one.latency_s is not None}
        self._leases.expect(capacities(self._plan.models.values(), seats, latencies_s))
        costs = self._board.costs
        if costs.left_usd is not None:
            self._leases.pay_for(costs.left_usd, costs.means_usd)

    async def _read_simulator(self, seat: Seat) -> None:
        with suppress(RayError, TimeoutError):
            stats: SimulatorStats = await asyncio.wait_for(seat.actor.stats.remote(), POLL_WITHIN_S)
            self._board.simulator_read(seat.index, stats.asks)
            self._board.provider_read(("simulator", seat.index), stats.tallies)
            self.resident_mib = max(self.resident_mib, stats.resident_mib)

    async def _read_provider(self, index: int) -> None:
        with suppress(RayError, TimeoutError):
            provider = self._crew.providers[index]
            tallies: Mapping[str, ModelTally] = await asyncio.wait_for(
                provider.stats.remote(), POLL_WITHIN_S
            )
            self._board.provider_read(("provider", index), tallies)

    async def _read_limiter(self) -> None:
        with suppress(RayError, TimeoutError):
            stats: LimiterStats = await asyncio.wait_for(
                self._crew.limiter.stats.remote(), POLL_WITHIN_S
            )
            self._board.limiter_read(stats)


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first plain exception in a group."""
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
