"""The largest cost of a call: by its prices, or by its model's highest reported cost.

A model may cost more than its listed prices. If nothing bounds the cost of calls, only one such
call is in flight at a time for each budget."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from mirror_ray.engine.limiter.messages import LimiterCall
from mirror_ray.records.journal.charges import Overrun


class WorstCases:
    """The worst cases of all models, from the highest reported costs, earlier runs included."""

    def __init__(self, highest_usd: Mapping[str, float] = MappingProxyType({})) -> None:
        self._highest_usd = dict(highest_usd)
        self._unnoted: list[Overrun] = []
        self._answered: set[str] = set()
        self._unbounded: dict[int, tuple[str, frozenset[str]]] = {}

    def usd(self, call: LimiterCall) -> float | None:
        """Return the amount to reserve for a call; None if unknown."""
        highest_usd = self._highest_usd.get(call.model)
        if highest_usd is None:
            return call.worst_case_usd
        return max(highest_usd, call.worst_case_usd or 0.0)

    def waits_for_first_cost(self, call: LimiterCall, budgets: Collection[str]) -> bool:
        """Return whether the call's cost has no bound while another such call on one of the same
        budgets is in flight. A model that has answered without a cost never reports one."""
        if self.usd(call) is not None or call.model in self._answered:
            return False
        return any(not paying.isdisjoint(budgets) for _, paying in self._unbounded.values())

    def sent(self, call: LimiterCall, grant_id: int, scopes: Collection[str]) -> None:
        """Note that the call is in flight; `scopes` pay for it."""
        if self.usd(call) is None and call.model not in self._answered:
            self._unbounded[grant_id] = call.model, frozenset(scopes)

    def ended(self, call: LimiterCall, grant_id: int, *, answered: bool) -> None:
        """Note that the call has ended; `answered` says whether the model replied."""
        self._unbounded.pop(grant_id, None)
        if answered and call.model not in self._answered:
            self._answered.add(call.model)
            self._unbounded = {
                other: one for other, one in self._unbounded.items() if one[0] != call.model
            }

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
