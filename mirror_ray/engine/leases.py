"""Which episode is played next, and when to stop handing them out.

Knows leases, deaths and models out of service; does not know Ray, actors or rows.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mirror_ray.types import EpisodeSpec

MAX_DEATHS = 3
"""How many Simulators an episode may see die before it is given up."""

FAILURES_IN_A_ROW = 3
"""So many episodes of a model that its provider turns away, with no success between, stop it."""

TURNED_AWAY: frozenset[str] = frozenset({"auth", "bad_request"})
"""What fails every further episode of the model too, until a person mends it."""


@dataclass(frozen=True, slots=True)
class Lease:
    """An episode to be played.

    Args:
        deaths: Simulators that died while they held it.
    """

    spec: EpisodeSpec
    deaths: int = 0


class Leases:
    """The episodes still to be played, in order; those given back come first."""

    def __init__(self, waiting: Iterable[Lease]) -> None:
        self._waiting: deque[Lease] = deque(waiting)
        self._held = 0
        self._draining = False
        self._stopped: dict[str, str] = {}
        self._in_a_row: Counter[str] = Counter()
        self._withheld = 0
        self._changed = asyncio.Event()

    @property
    def unplayed(self) -> int:
        """Episodes that wait or were withheld: what a later run has to do."""
        return len(self._waiting) + self._withheld

    @property
    def stopped_models(self) -> dict[str, str]:
        """Model → why no further episode of it is handed out."""
        return dict(self._stopped)

    async def take(self) -> Lease | None:
        """The next episode; None once there is none and none can come back."""
        while True:
            lease = self._next()
            if lease is not None:
                self._held += 1
                return lease
            if self._draining or not self._held:
                return None
            self._changed.clear()
            await self._changed.wait()

    def done(self, lease: Lease, error_kind: str, error: str | None) -> None:
        """The episode came to an end; its model may have to be stopped."""
        model = lease.spec.cell.model
        if error_kind == "budget":
            self._stop(model, "the budget is spent")
        elif error_kind in TURNED_AWAY:
            self._in_a_row[model] += 1
            if self._in_a_row[model] >= FAILURES_IN_A_ROW:
                self._stop(model, error or error_kind)
        elif error_kind == "none":
            self._in_a_row[model] = 0
        self._release()

    def stopped(self) -> None:
        """The episode was stopped before its end; a later run goes on with it."""
        self._withheld += 1
        self._release()

    def died(self, lease: Lease) -> bool:
        """The lease's Simulator died. True: it is played again; False: it is to be given up."""
        again = replace(lease, deaths=lease.deaths + 1)
        if again.deaths >= MAX_DEATHS:
            return False
        self._waiting.appendleft(again)
        self._release()
        return True

    def drain(self) -> None:
        """Hands out nothing more."""
        self._draining = True
        self._changed.set()

    def _next(self) -> Lease | None:
        while self._waiting and not self._draining:
            lease = self._waiting.popleft()
            if lease.spec.cell.model not in self._stopped:
                return lease
            self._withheld += 1
        return None

    def _stop(self, model: str, reason: str) -> None:
        self._stopped.setdefault(model, reason)

    def _release(self) -> None:
        self._held -= 1
        self._changed.set()
