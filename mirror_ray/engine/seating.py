"""The seats of a run as the cluster grows and shrinks under it.

Knows which Simulators are there and when to wait for a host; does not know episodes.
"""

import asyncio
from collections.abc import Callable
from time import monotonic

from mirror_ray.engine.board import Board
from mirror_ray.engine.crew import Crew
from mirror_ray.engine.played import Surroundings
from mirror_ray.engine.seat import Seat
from mirror_ray.errors import LostError, RenderError

MUSTER_EVERY_S = 2.0

HOST_WITHIN_S = 1800.0
"""A cloud takes minutes to give and set up a host; spot hosts may all be gone for a while."""

NONE_CAN_DRAW = (
    f"No host can draw just now: waiting up to {HOST_WITHIN_S / 60:.0f} min for one with CPU"
    " cores, which offers the resource `renderer` where others of the cluster do."
)


class Seating:
    """All seats whose hosts are there.

    Args:
        useful: tells how many Simulators there is use for now.
    """

    def __init__(self, crew: Crew, board: Board, useful: Callable[[], int]) -> None:
        self._crew = crew
        self._board = board
        self._useful = useful
        self._waits_until_s: float | None = None
        self.seats: dict[int, Seat] = {}

    @property
    def in_service(self) -> bool:
        """Whether anybody can play."""
        return any(seat.in_service for seat in self.seats.values())

    @property
    def surroundings(self) -> dict[str, Surroundings]:
        """Host → what frames may depend on there, for the hosts that are ready now."""
        return {
            seat.host: seat.surroundings
            for seat in self.seats.values()
            if seat.surroundings is not None
        }

    async def first(self) -> list[Seat]:
        """The seats of the hosts that are there, open; waits where there is none.

        Raises:
            RenderError: none of them has a usable GL.
            EngineError: hosts run other code than this one.
            LostError: none came.
        """
        while not (seats := await self.follow()):
            await asyncio.sleep(MUSTER_EVERY_S)
        if not any(await asyncio.gather(*(seat.open() for seat in seats))):
            raise RenderError(seats[0].trouble)
        return seats

    async def follow(self) -> list[Seat]:
        """Takes note of what has changed in the cluster; the new seats.

        Raises:
            LostError: for too long no host was there.
        """
        muster = await self._crew.muster(self._useful())
        for line in muster.news:
            self._board.say(line)
        for member in muster.lost:
            self.seats.pop(member.index).leave()
        joined = [
            Seat(member.index, member.actor, member.host.short_name) for member in muster.joined
        ]
        self.seats.update({seat.index: seat for seat in joined})
        self._mind_the_time()
        return joined

    async def has_lost_its_host(self, seat: Seat) -> bool:
        """Whether it is its host that is gone, rather than its process."""
        if not seat.has_left and await self._crew.has_lost_the_host_of(seat.index):
            seat.leave()
        return seat.has_left

    def _mind_the_time(self) -> None:
        if self.seats:
            self._waits_until_s = None
        elif self._waits_until_s is None:
            self._waits_until_s = monotonic() + HOST_WITHIN_S
            self._board.say(NONE_CAN_DRAW)
        elif monotonic() > self._waits_until_s:
            raise LostError(
                "no host can draw\n"
                f"  got:     none for {HOST_WITHIN_S / 60:.0f} min\n"
                "  allowed: hosts with CPU cores, or with the resource `renderer`\n"
                "  fix:     ray status tells what the cluster lacks; run the same command again"
            )
