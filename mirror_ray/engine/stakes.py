"""Stakes: what asks may still cost that an earlier Limiter let go, until somebody knows more.

Knows the purses and which asks were noted; does not know lanes, queues, or how Gates are spoken to.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mirror_ray.engine.budget import Budget
from mirror_ray.engine.slots import Call
from mirror_ray.records.money import Begun


@dataclass(frozen=True, slots=True)
class Stake:
    """An ask that was noted before it began, and is not recorded.

    Args:
        scopes: the purses that pay for it.
    """

    begun: Begun
    scopes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """What a ledger holds, at one moment.

    Args:
        usd: scope → known costs; `presumed_usd`: the most that unknown ones may have come to.
        stakes: what is not recorded.
    """

    usd: Mapping[str, float]
    presumed_usd: Mapping[str, float]
    stakes: Sequence[Stake]


class Stakes:
    """What an earlier Limiter left under way; nothing, for the first one of a run.

    Every call that may cost something was noted before it was granted, and the note goes with its
    reply being recorded: so a call without a stake is in the ledger.

    Args:
        budget: where they are set aside meanwhile.
        grant_ids: where reservations get their numbers from.
        noted: whether there is a ledger that calls are noted in at all.
    """

    def __init__(
        self, stakes: Sequence[Stake], budget: Budget, grant_ids: Iterator[int], *, noted: bool
    ) -> None:
        self._budget = budget
        self._noted = noted
        self._open: dict[tuple[str, str, int], tuple[int, Stake]] = {}
        for stake in stakes:
            begun, grant_id = stake.begun, next(grant_ids)
            budget.reserve(grant_id, begun.at_most_usd, stake.scopes)
            self._open[begun.asker, begun.episode_id, begun.ask_index] = grant_id, stake

    def is_recorded(self, asker: str, call: Call) -> bool:
        """Whether the cost of a call that ended is in the ledger already."""
        at_stake = (asker, call.episode_id, call.ask_index) in self._open
        return self._noted and call.worst_case_usd != 0.0 and not at_stake

    def told(self, asker: str, call: Call) -> None:
        """Its Gate tells of a call, which is counted as such from now on.

        What the ask's earlier attempts may have cost stays presumed.
        """
        found = self._open.pop((asker, call.episode_id, call.ask_index), None)
        if found is not None:
            grant_id, stake = found
            self._budget.settle(grant_id, None)
            self._budget.correct(call.worst_case_usd, 0.0, stake.scopes)

    def presume(self, asker: str | None = None) -> None:
        """Nobody will tell more of what this process, or any other, has at stake: it counts."""
        for name, (grant_id, _) in list(self._open.items()):
            if asker in (None, name[0]):
                del self._open[name]
                self._budget.settle(grant_id, None)
