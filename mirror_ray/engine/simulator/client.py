"""How the driver talks to a Simulator: leases and results; its host, health, restarts and end."""

import asyncio
from collections.abc import Sequence
from itertools import chain, repeat
from time import monotonic

from ray.exceptions import RayActorError, RayError

from mirror_ray.core.errors import LostError
from mirror_ray.engine.actor_calls import RETRY_PAUSES_S, Actor
from mirror_ray.engine.batching import FlushTimer
from mirror_ray.engine.pending import resolve, start_task
from mirror_ray.engine.rollout import one_line
from mirror_ray.engine.simulator.messages import Completed, EpisodeResult, Lease, RenderEnvironment


class SimulatorClient:
    """The connection to one Simulator; used on one event loop."""

    def __init__(self, simulator: Actor) -> None:
        self._simulator = simulator
        self._unsent: list[Lease] = []
        self._waiting: dict[str, asyncio.Future[EpisodeResult]] = {}
        self._exchanging: set[asyncio.Task[None]] = set()
        self._exchanges = 0
        self._life: str | None = None
        self._due = FlushTimer(self._send)

    async def play(self, lease: Lease) -> EpisodeResult:
        """Play an episode. Leases given within one turn of the event loop share a message. Raise
        RayError if the actor died with all its episodes, or any Exception if the episode cannot be
        played there."""
        result: asyncio.Future[EpisodeResult] = asyncio.get_running_loop().create_future()
        self._unsent.append(lease)
        self._waiting[lease.spec.episode_id] = result
        self._due.within(0.0)
        return await result

    def _send(self) -> None:
        leases, self._unsent = self._unsent, []
        start_task(self._exchange(leases), self._exchanging)

    async def _exchange(self, leases: Sequence[Lease]) -> None:
        """Send one message and handle its answer; then send another if needed and none is in
        flight."""
        waiting = self._waiting
        self._exchanges += 1
        try:
            completed: Completed = await self._simulator.exchange.remote(leases)
        except Exception as reason:
            self._life = None
            self._fail_lost(waiting, (), reason)
            return
        finally:
            self._exchanges -= 1
        if self._life not in (None, completed.life):
            # The process died between two messages, and its successor has received only this one.
            self._fail_lost(waiting, leases, LostError("its process died and came back"))
        self._life = completed.life
        for one in completed.ended:
            if (result := self._waiting.pop(one.episode_id, None)) is not None:
                resolve(result, one.outcome)
        if self._waiting and not self._exchanges:
            self._due.within(0.0)

    def _fail_lost(
        self,
        waiting: "dict[str, asyncio.Future[EpisodeResult]]",
        kept: Sequence[Lease],
        reason: Exception,
    ) -> None:
        """Fail each sent lease once, except those in `kept`."""
        if self._waiting is not waiting:
            return
        ids = {lease.spec.episode_id for lease in (*kept, *self._unsent)}
        self._waiting = {name: result for name, result in waiting.items() if name in ids}
        for name, result in waiting.items():
            if name not in ids:
                resolve(result, reason)


READY_WITHIN_S = 120.0
COMES_BACK_WITHIN_S = 900.0
"""A process that restarts on a busy machine may take minutes, during which calls fail at once."""
MAX_DEATHS_IN_A_ROW = 4
MAX_HANGS_IN_A_ROW = 2
"""Fewer than the deaths that fail an episode, so that another Simulator may still draw it."""


class SimulatorHandle:
    """One Simulator of a run; Ray starts a new process for it whenever one dies."""

    def __init__(self, index: int, actor: Actor, node_id: str, host: str) -> None:
        self.index = index
        self.actor = actor
        self.client = SimulatorClient(actor)
        """Plays episodes."""
        self.node_id = node_id
        self.host = host
        """The name of the host it is on."""
        self.environment: RenderEnvironment | None = None
        """What its frames may depend on; None before it is ready."""
        self.losses = 0
        """How often it failed. Episodes that were played at the same time fail together and count
        once."""
        self.in_service = True
        self.cannot_draw = False
        """Whether its process runs but has no usable GL."""
        self.trouble = ""
        """The last event, in one line."""
        self._deaths_in_a_row = 0
        self._hangs: set[int] = set()
        self._hangs_in_a_row = 0
        self.has_left = False
        """Whether it is lost together with its host."""
        self._complained = False
        self._opening: asyncio.Task[bool] | None = None

    async def open(self, over: asyncio.Event | None = None) -> bool:
        """Wait until it can play. Return False once it is out of service for good, or if `over` is
        set."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._probe())
        opening = self._opening
        if over is None or opening.done():
            return await asyncio.shield(opening)
        ending = asyncio.create_task(over.wait())
        try:
            await asyncio.wait({opening, ending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending.cancel()
        return opening.done() and opening.result()

    def lost(self, losses_before: int, reason: str) -> bool:
        """Count a failure once. `losses_before` is the value of `losses` when the failed episode
        was sent."""
        if losses_before != self.losses:
            return False
        self.losses += 1
        self._deaths_in_a_row += 1
        self.trouble = f"Simulator {self.index} failed: {reason}"
        self._opening = None
        return True

    def hung(self, losses_before: int) -> None:
        """Note that the process reported a hung graphics driver before its end; counted once."""
        if losses_before not in self._hangs:
            self._hangs.add(losses_before)
            self._hangs_in_a_row += 1

    def has_hung(self, losses_before: int) -> bool:
        """Return whether the process that had ended reported a hang."""
        return losses_before in self._hangs

    def leave(self) -> None:
        """Note that the Simulator's host is lost."""
        self.has_left = True
        self.in_service = False
        self._opening = None

    def complaint(self) -> str | None:
        """Return why it is out of service, only on the first call; None if its host is lost."""
        if self._complained or self.has_left:
            return None
        self._complained = True
        return f"{self.trouble}: it is out of service"

    def survived(self) -> None:
        """Note that it has played an episode since its last death."""
        self._deaths_in_a_row = self._hangs_in_a_row = 0

    async def _probe(self) -> bool:
        may_play = not self.has_left and (
            self._deaths_in_a_row < MAX_DEATHS_IN_A_ROW
            and self._hangs_in_a_row < MAX_HANGS_IN_A_ROW
        )
        self.in_service = may_play and await self._answers() and not self.has_left
        return self.in_service

    async def _answers(self) -> bool:
        until_s = monotonic() + COMES_BACK_WITHIN_S
        for pause_s in chain(RETRY_PAUSES_S, repeat(RETRY_PAUSES_S[-1])):
            try:
                self.environment = await asyncio.wait_for(self.actor.ready.remote(), READY_WITHIN_S)
            except (RayActorError, TimeoutError) as reason:
                self.trouble = f"Simulator {self.index} does not come back: {one_line(reason)}"
                if self.has_left or monotonic() > until_s:
                    return False
                await asyncio.sleep(pause_s)
            except RayError as error:
                self.trouble = f"Simulator {self.index} cannot draw: {one_line(error)}"
                self.cannot_draw = True
                return False
            else:
                return True
        return False
