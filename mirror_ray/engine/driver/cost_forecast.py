"""Past and expected costs of a run, in total and per model. Each model pays its own part of an
episode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from types import MappingProxyType

from mirror_ray.core.known_costs import sum_if_known
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, AccountStats, model_scope

_NO_ACCOUNT = AccountStats(None, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Paid:
    """What earlier runs paid for a model.

    Args:
        ended: number of ended episodes that it took part in, at `ended_usd`.
        unpriced: requests without a fully known cost: `spent_usd` is a lower bound.
        own: its own ended episodes, which cost `own_usd` with other models' parts.
    """

    spent_usd: float = 0.0
    ended: int = 0
    ended_usd: float = 0.0
    unpriced: int = 0
    own: int = 0
    own_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelCosts:
    """One model's costs.

    Args:
        spent_usd: known costs, earlier runs included.
        reserved_usd: the most that calls in flight, or of unknown cost, may cost.
        ceiling_usd: the model's own budget, if any.
        projected_usd: the cost of all its episodes, at the mean of those that have ended.
        unpriced: requests without a fully known cost: every sum is a lower bound.
    """

    spent_usd: float
    reserved_usd: float
    ceiling_usd: float | None
    projected_usd: float | None
    unpriced: int = 0

    @property
    def known_usd(self) -> float | None:
        """The known costs; None if none is known."""
        return None if self.unpriced and not self.spent_usd else self.spent_usd

    @property
    def left_usd(self) -> float | None:
        """What is left of the model's own budget; None without one."""
        return None if self.ceiling_usd is None else max(0.0, self.ceiling_usd - self.spent_usd)


def sum_of(costs: Sequence[ModelCosts]) -> ModelCosts:
    """Add the costs of several models; a ceiling or projection that one lacks is None in the
    sum."""
    return ModelCosts(
        sum(one.spent_usd for one in costs),
        sum(one.reserved_usd for one in costs),
        sum_if_known([one.ceiling_usd for one in costs]),
        sum_if_known([one.projected_usd for one in costs]),
        sum(one.unpriced for one in costs),
    )


class Costs:
    """The costs of a run, by model. `planned` counts the episodes of the whole plan, `paid` has the
    costs of earlier runs, and `partners` the other models' episodes that a model takes part in."""

    def __init__(
        self,
        planned: Mapping[str, int],
        paid: Mapping[str, Paid] = MappingProxyType({}),
        partners: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._asked_in = {model: count + partners.get(model, 0) for model, count in planned.items()}
        self._paid = {model: paid.get(model, Paid()) for model in planned}
        self._accounts: Mapping[str, AccountStats] = {}

    def ended(
        self, model: str, cost_usd: float, partners_usd: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        """Count an ended episode.

        Args:
            cost_usd: its whole cost, earlier runs included.
            partners_usd: each other model's part of it.
        """
        parts = {**partners_usd, model: max(0.0, cost_usd - sum(partners_usd.values()))}
        for name, usd in parts.items():
            paid = self._paid[name]
            self._paid[name] = replace(paid, ended=paid.ended + 1, ended_usd=paid.ended_usd + usd)
        paid = self._paid[model]
        self._paid[model] = replace(paid, own=paid.own + 1, own_usd=paid.own_usd + cost_usd)

    def recounted(self, model: str, more_unpriced: int) -> None:
        """Correct the number of requests whose cost is not fully known."""
        paid = self._paid[model]
        self._paid[model] = replace(paid, unpriced=paid.unpriced + more_unpriced)

    def read(self, accounts: Mapping[str, AccountStats]) -> None:
        """Update the accounts from a mapping of each scope to its account."""
        self._accounts = accounts

    def of(self, model: str, run_usd: float, run_unpriced: int = 0) -> ModelCosts:
        """Return a model's costs; `run_usd` and `run_unpriced` belong to this run."""
        account = self._accounts.get(model_scope(model), _NO_ACCOUNT)
        paid = self._paid[model]
        spent_usd = paid.spent_usd + run_usd
        projected_usd = None if self._asked_in[model] else spent_usd
        if paid.ended:
            left = self._asked_in[model] - paid.ended
            projected_usd = max(spent_usd, paid.ended_usd * (1 + left / paid.ended))
        return ModelCosts(
            spent_usd=spent_usd,
            reserved_usd=account.reserved_usd + account.presumed_usd,
            ceiling_usd=account.ceiling_usd,
            projected_usd=projected_usd,
            unpriced=paid.unpriced + run_unpriced,
        )

    @property
    def ceiling_usd(self) -> float | None:
        """The sweep's budget; None for none."""
        return self._accounts.get(SWEEP_SCOPE, _NO_ACCOUNT).ceiling_usd

    @property
    def presumed_usd(self) -> float:
        """The most that calls of unknown cost may have cost, earlier runs included."""
        return self._accounts.get(SWEEP_SCOPE, _NO_ACCOUNT).presumed_usd

    @property
    def left_usd(self) -> float | None:
        """The rest of the sweep's budget, ignoring calls in flight; None without a budget."""
        account = self._accounts.get(SWEEP_SCOPE, _NO_ACCOUNT)
        if account.ceiling_usd is None:
            return None
        return account.ceiling_usd - account.spent_usd - account.presumed_usd

    @property
    def means_usd(self) -> dict[str, float]:
        """Return each model's mean cost per episode, including other models' parts. Before a
        model's first episode ends, use the mean of the others."""
        known = {model: paid.own_usd / paid.own for model, paid in self._paid.items() if paid.own}
        others_usd = fmean(known.values()) if known else 0.0
        return {model: known.get(model, others_usd) for model in self._paid}
