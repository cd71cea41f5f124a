"""Takes leases to one Simulator and brings back what became of them, many in a message.

Knows messages and who waits for which episode; does not know why an episode ended, nor what to do
when its Simulator has died. A message between processes costs more CPU time than many an episode.
"""

import asyncio
from collections.abc import Sequence

from mirror_ray.engine.calls import Actor
from mirror_ray.engine.order import Lease
from mirror_ray.engine.played import Brought, Ended, Played
from mirror_ray.errors import LostError


class Courier:
    """The way to one Simulator; use it on one event loop.

    Args:
        simulator: the actor.
    """

    def __init__(self, simulator: Actor) -> None:
        self._simulator = simulator
        self._untold: list[Lease] = []
        self._waiting: dict[str, asyncio.Future[Played]] = {}
        self._talking: set[asyncio.Task[None]] = set()
        self._talks = 0
        self._life: str | None = None
        self._is_due = False

    async def play(self, lease: Lease) -> Played:
        """Has an episode played; leases given within one turn of the event loop travel together.

        Raises:
            RayError: the actor died, with all that it was playing.
            Exception: the episode cannot be played there.
        """
        played: asyncio.Future[Played] = asyncio.get_running_loop().create_future()
        self._untold.append(lease)
        self._waiting[lease.spec.episode_id] = played
        self._go_soon()
        return await played

    def _go_soon(self) -> None:
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._go)

    def _go(self) -> None:
        self._is_due = False
        leases, self._untold = self._untold, []
        talking = asyncio.create_task(self._talk(leases))
        self._talking.add(talking)
        talking.add_done_callback(self._talking.discard)

    async def _talk(self, leases: Sequence[Lease]) -> None:
        """One message and its answer; then another, if somebody waits and nobody else talks."""
        waiting = self._waiting
        self._talks += 1
        try:
            brought: Brought = await self._simulator.exchange.remote(leases)
        except Exception as reason:
            self._life = None
            self._lose(waiting, (), reason)
            return
        finally:
            self._talks -= 1
        if self._life not in (None, brought.life):
            # It died between two messages, and its next life knows of this one alone.
            self._lose(waiting, leases, LostError("its process died and came back"))
        self._life = brought.life
        for one in brought.ended:
            self._tell(one)
        if self._waiting and not self._talks:
            self._go_soon()

    def _lose(
        self,
        waiting: "dict[str, asyncio.Future[Played]]",
        kept: Sequence[Lease],
        reason: Exception,
    ) -> None:
        """What was told is lost, but for what is `kept`, and heard of once."""
        if self._waiting is not waiting:
            return
        ids = {lease.spec.episode_id for lease in (*kept, *self._untold)}
        self._waiting = {name: played for name, played in waiting.items() if name in ids}
        for name, played in waiting.items():
            if name not in ids and not played.done():
                played.set_exception(reason)

    def _tell(self, ended: Ended) -> None:
        played = self._waiting.pop(ended.episode_id, None)
        if played is None or played.done():
            return
        if isinstance(ended.outcome, Exception):
            played.set_exception(ended.outcome)
        else:
            played.set_result(ended.outcome)
