"""A call's largest cost: by its prices, or by reported costs of calls of its model.

A model may be listed as free, or cheaper than it is, or bill what no price names: then its reported
costs say more than its prices. The calls in flight when the first of them is reported may pass a
budget; no later one does that costs no more.
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

    def usd(self, call: Call) -> float | None:
        """The amount to reserve for a call; None if nothing is known of it."""
        highest_usd = self._highest_usd.get(call.model)
        if highest_usd is None:
            return call.worst_case_usd
        return max(highest_usd, call.worst_case_usd or 0.0)

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
