"""A Simulator's client: sends leases and receives results, many per message. Its caller handles the
Simulator's death."""

import asyncio
from collections.abc import Sequence

from mirror_ray.core.errors import LostError
from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.batching import FlushTimer
from mirror_ray.engine.pending import resolve, start_task
from mirror_ray.engine.simulator.messages import Completed, EpisodeResult, Lease


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
        """Play an episode; leases given within one turn of the event loop share a message.

        Raises:
            RayError: the actor died, with all its episodes.
            Exception: the episode cannot be played there.
        """
        result: asyncio.Future[EpisodeResult] = asyncio.get_running_loop().create_future()
        self._unsent.append(lease)
        self._waiting[lease.spec.episode_id] = result
        self._due.within(0.0)
        return await result

    def _send(self) -> None:
        leases, self._unsent = self._unsent, []
        start_task(self._exchange(leases), self._exchanging)

    async def _exchange(self, leases: Sequence[Lease]) -> None:
        """Send one message and handle its answer; then another, if episodes are awaited and no
        other exchange is in flight."""
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
            # It died between two messages, and its new process has received this one alone.
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
        """Fails what was sent, but for what is `kept`; each once."""
        if self._waiting is not waiting:
            return
        ids = {lease.spec.episode_id for lease in (*kept, *self._unsent)}
        self._waiting = {name: result for name, result in waiting.items() if name in ids}
        for name, result in waiting.items():
            if name not in ids:
                resolve(result, reason)
