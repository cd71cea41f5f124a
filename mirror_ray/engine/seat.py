"""A Simulator as the driver sees it: whether it is alive, and when it is past hope.

Knows probes, lives and deaths of one actor; does not know what it plays.
"""

import asyncio

from ray.exceptions import RayActorError, RayError

from mirror_ray.engine.calls import PAUSES_S, Actor
from mirror_ray.engine.courier import Courier
from mirror_ray.engine.order import Lease
from mirror_ray.engine.played import Played, Surroundings
from mirror_ray.engine.rollout import one_line

READY_WITHIN_S = 120.0
MAX_DEATHS_IN_A_ROW = 4


class Seat:
    """One Simulator's place in a run; Ray puts a new process on it whenever one dies."""

    def __init__(self, index: int, actor: Actor, host: str) -> None:
        self.index = index
        self.actor = actor
        self._courier = Courier(actor)
        self.host = host
        """The name of the host it is on."""
        self.surroundings: Surroundings | None = None
        """What its frames may depend on; None before it was ready."""
        self.life = 0
        """Which of its lives this is; a loss is counted once per life."""
        self.in_service = True
        self.trouble = ""
        """What happened last, in one line."""
        self._deaths_in_a_row = 0
        self.has_left = False
        """Its host is lost, and it with it."""
        self._complained = False
        self._opening: asyncio.Task[bool] | None = None

    async def open(self) -> bool:
        """Waits until the actor can play; False once it is out of service for good."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._probe())
        return await asyncio.shield(self._opening)

    async def play(self, lease: Lease) -> Played:
        """Has an episode played.

        Raises:
            RayError: the actor died.
            Exception: the episode cannot be played there.
        """
        return await self._courier.play(lease)

    def lost(self, life: int, reason: str) -> bool:
        """An episode failed with its Simulator in `life`; True for the first to say so."""
        if life != self.life:
            return False
        self.life += 1
        self._deaths_in_a_row += 1
        self.trouble = f"Simulator {self.index} failed: {reason}"
        self._opening = None
        return True

    def leave(self) -> None:
        """Its host is lost."""
        self.has_left = True
        self.in_service = False
        self._opening = None

    def complaint(self) -> str | None:
        """Why it is out of service, the first time it is asked; None where its host is lost."""
        if self._complained or self.has_left:
            return None
        self._complained = True
        return f"{self.trouble}: it is out of service"

    def survived(self) -> None:
        """It has played an episode since its last death."""
        self._deaths_in_a_row = 0

    async def _probe(self) -> bool:
        may_play = self._deaths_in_a_row < MAX_DEATHS_IN_A_ROW and not self.has_left
        self.in_service = may_play and await self._answers() and not self.has_left
        return self.in_service

    async def _answers(self) -> bool:
        for pause_s in PAUSES_S:
            try:
                self.surroundings = await asyncio.wait_for(
                    self.actor.ready.remote(), READY_WITHIN_S
                )
            except (RayActorError, TimeoutError) as reason:
                self.trouble = f"Simulator {self.index} does not come back: {one_line(reason)}"
                if self.has_left:
                    return False
                await asyncio.sleep(pause_s)
            except RayError as error:
                reason_given = getattr(error, "cause", None) or error
                self.trouble = f"Simulator {self.index} cannot draw: {one_line(reason_given)}"
                return False
            else:
                return True
        return False
