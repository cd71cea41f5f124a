"""A call's largest cost: by its prices, or by reported costs of calls of its model.

A model may be listed as free, or cheaper than it is, or bill what no price names: then its reported
costs say more than its prices. Under a budget the first call of a model without a known cost is
sent alone: no other call of the model is in flight until its cost is known.
"""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.engine.limiter.messages import Call
from mirror_ray.records.journal.charges import Overrun


class WorstCases:
    """The worst cases of all models.

    Args:
        highest_usd: model → the highest such cost in earlier runs, or lives of the Limiter.
    """

    def __init__(self, highest_usd: Mapping[str, float] = MappingProxyType({})) -> None:
        self._highest_usd = dict(highest_usd)
        self._unnoted: list[Overrun] = []
        self._answered: set[str] = set()
        self._in_flight: dict[str, set[int]] = {}

    def usd(self, call: Call) -> float | None:
        """The amount to reserve for a call; None if nothing is known of it."""
        highest_usd = self._highest_usd.get(call.model)
        if highest_usd is None:
            return call.worst_case_usd
        return max(highest_usd, call.worst_case_usd or 0.0)

    def waits_for_first_cost(self, call: Call) -> bool:
        """Whether nothing bounds the call's cost, and one that will tell it is in flight.

        A model that was answered without a cost reports none: waiting would tell nothing.
        """
        return (
            self.usd(call) is None
            and call.model not in self._answered
            and bool(self._in_flight.get(call.model))
        )

    def sent(self, call: Call, grant_id: int) -> None:
        """The call is in flight."""
        if call.model not in self._answered:
            self._in_flight.setdefault(call.model, set()).add(grant_id)

    def ended(self, call: Call, grant_id: int, *, answered: bool) -> None:
        """The call is over; `answered` says whether the model replied."""
        self._in_flight.get(call.model, set()).discard(grant_id)
        if answered:
            self._answered.add(call.model)
            self._in_flight.pop(call.model, None)

    def cost(self, call: Call, usd: float | None) -> bool:
        """A call has cost so much (None: unknown); returns whether that is more than was
        reserved."""
        if usd is None or usd <= (call.worst_case_usd or 0.0):
            return False
        self._highest_usd[call.model] = max(usd, self._highest_usd.get(call.model, 0.0))
        self._unnoted.append(Overrun(call.model, usd, call.episode_id, call.cell_id))
        return True

    def unnoted(self) -> list[Overrun]:
        """The costs to make durable since the last call of this method."""
        unnoted, self._unnoted = self._unnoted, []
        return unnoted
