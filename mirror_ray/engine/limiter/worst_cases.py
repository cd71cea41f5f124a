"""The largest cost of a call: by its prices, or by the highest reported cost of a call of its
model.

A model may cost more than its listed prices. Under a budget the first call of a model without a
known cost is therefore sent alone.
"""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.engine.limiter.messages import LimiterCall
from mirror_ray.records.journal.charges import Overrun


class WorstCases:
    """The worst cases of all models, from the highest reported costs so far, earlier runs
    included."""

    def __init__(self, highest_usd: Mapping[str, float] = MappingProxyType({})) -> None:
        self._highest_usd = dict(highest_usd)
        self._unnoted: list[Overrun] = []
        self._answered: set[str] = set()
        self._in_flight: dict[str, set[int]] = {}

    def usd(self, call: LimiterCall) -> float | None:
        """Return the amount to reserve for a call; None if nothing is known of it."""
        highest_usd = self._highest_usd.get(call.model)
        if highest_usd is None:
            return call.worst_case_usd
        return max(highest_usd, call.worst_case_usd or 0.0)

    def waits_for_first_cost(self, call: LimiterCall) -> bool:
        """Return whether nothing bounds the call's cost, and a call in flight will show it. A model
        that has answered without a cost never reports one."""
        return (
            self.usd(call) is None
            and call.model not in self._answered
            and bool(self._in_flight.get(call.model))
        )

    def sent(self, call: LimiterCall, grant_id: int) -> None:
        """Note that the call is in flight."""
        if call.model not in self._answered:
            self._in_flight.setdefault(call.model, set()).add(grant_id)

    def ended(self, call: LimiterCall, grant_id: int, *, answered: bool) -> None:
        """Note that the call is over; `answered` says whether the model replied."""
        self._in_flight.get(call.model, set()).discard(grant_id)
        if answered:
            self._answered.add(call.model)
            self._in_flight.pop(call.model, None)

    def cost(self, call: LimiterCall, usd: float | None) -> bool:
        """Take over a call's cost (None: unknown); return whether it exceeds its reservation."""
        if usd is None or usd <= (call.worst_case_usd or 0.0):
            return False
        self._highest_usd[call.model] = max(usd, self._highest_usd.get(call.model, 0.0))
        self._unnoted.append(Overrun(call.model, usd, call.episode_id, call.cell_id))
        return True

    def unnoted(self) -> list[Overrun]:
        """Return the costs to make durable since the last call of this method."""
        unnoted, self._unnoted = self._unnoted, []
        return unnoted
