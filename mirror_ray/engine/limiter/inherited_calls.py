"""Calls granted by an earlier Limiter, and what they may still cost until they are reported or
recorded. Also the ledger that lists them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mirror_ray.engine.limiter.budget import Budget
from mirror_ray.engine.limiter.messages import LimiterCall
from mirror_ray.records.journal.batch_notes import BATCHED
from mirror_ray.records.journal.charges import Overrun, PendingCall


@dataclass(frozen=True, slots=True)
class InheritedCall:
    """A request that was noted before it began, and is not recorded."""

    pending: PendingCall
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """The content of a ledger at one moment.

    Args:
        usd: scope → known costs.
        presumed_usd: scope → the most that unknown costs may be.
        inherited: noted calls that are not recorded.
        highest_usd: model → the highest cost of a call that exceeded its reservation.
    """

    usd: Mapping[str, float]
    presumed_usd: Mapping[str, float]
    inherited: Sequence[InheritedCall]
    highest_usd: Mapping[str, float] = field(default_factory=dict)


class Ledger(Protocol):
    """The state that survives a restart of the Limiter."""

    async def spent(self) -> Spent:
        """Return costs so far, and what calls in flight may add."""

    async def begin(self, asks: Sequence[PendingCall]) -> None:
        """Note durably that these requests may be sent, and what they may cost."""

    async def overrun(self, calls: Sequence[Overrun]) -> None:
        """Note durably that these calls have cost more than was reserved for them."""

    async def claimed(self, days: Mapping[str, int]) -> Mapping[str, int]:
        """Return how many calls of its day each key has claimed, given the day's number."""

    async def claim(self, key: str, day: int, calls: int) -> None:
        """Note durably that up to `calls` calls of the day may have been made."""


class InheritedCalls:
    """Calls that an earlier Limiter left in flight; none for the first one of a run.

    Every call that may cost something is noted from before it is granted until its reply is
    recorded. So a call that is not inherited is in the ledger.

    Args:
        budget: the accounts that reserve them.
        grant_ids: the source of reservation numbers.
        noted: whether there is a ledger for notes.
    """

    def __init__(
        self,
        inherited: Sequence[InheritedCall],
        budget: Budget,
        grant_ids: Iterator[int],
        *,
        noted: bool,
    ) -> None:
        self._budget = budget
        self._noted = noted
        self._open: dict[tuple[str, str, int], tuple[int, InheritedCall]] = {}
        for one in inherited:
            pending, grant_id = one.pending, next(grant_ids)
            budget.reserve(grant_id, pending.at_most_usd, one.scopes)
            self._open[pending.asker, pending.episode_id, pending.ask_index] = grant_id, one

    def is_recorded(self, asker: str, call: LimiterCall) -> bool:
        """Return whether the cost of a call that ended is in the ledger already."""
        is_open = (asker, call.episode_id, call.ask_index) in self._open
        return self._noted and call.worst_case_usd != 0.0 and not is_open

    def reported(self, asker: str, call: LimiterCall) -> None:
        """Count a call as its client's. The possible costs of the request's earlier attempts stay
        reserved."""
        found = self._open.pop((asker, call.episode_id, call.ask_index), None)
        if found is not None:
            grant_id, one = found
            self._budget.settle(grant_id, None)
            self._budget.correct(call.worst_case_usd, 0.0, one.scopes)

    def asked_again(self, call: LimiterCall) -> None:
        """Reserve the possible cost of a request that is out in a batch and is awaited again."""
        found = self._open.pop((BATCHED, call.episode_id, call.ask_index), None)
        if found is not None:
            self._budget.settle(found[0], 0.0)

    def charge_in_full(self, asker: str | None = None) -> None:
        """Charge the reservations of `asker` (or of all) in full; those of batches stay
        reserved."""
        for name, (grant_id, _) in list(self._open.items()):
            if asker in (None, name[0]) and name[0] != BATCHED:
                del self._open[name]
                self._budget.settle(grant_id, None)
