"""What a run has cost and will come to, per model and in all.

Knows ended episodes, their costs, and purses; does not know who pays, nor how it is shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType

from mirror_ray.engine.budget import SWEEP_SCOPE, PurseStats, model_scope

_NO_PURSE = PurseStats(None, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Paid:
    """What earlier runs paid for a model.

    Args:
        spent_usd: known costs of all its replies.
        ended: of its episodes that came to a final end, how many, and `ended_usd` for how much.
    """

    spent_usd: float = 0.0
    ended: int = 0
    ended_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class ModelCosts:
    """One model's money.

    Args:
        spent_usd: known costs, those of earlier runs included.
        reserved_usd: what calls under way, or of unknown cost, may cost at most.
        ceiling_usd: the model's own budget; None for none.
        projected_usd: all its episodes at the mean cost of those that have ended; None before.
    """

    spent_usd: float
    reserved_usd: float
    ceiling_usd: float | None
    projected_usd: float | None


class Costs:
    """The money of a run.

    Args:
        planned: model → episodes of the whole plan.
        paid: model → what earlier runs paid.
    """

    def __init__(
        self, planned: Mapping[str, int], paid: Mapping[str, Paid] = MappingProxyType({})
    ) -> None:
        self._planned = planned
        self._before_usd = {model: paid.get(model, Paid()).spent_usd for model in planned}
        self._ended = {model: paid.get(model, Paid()).ended for model in planned}
        self._ended_usd = {model: paid.get(model, Paid()).ended_usd for model in planned}
        self._purses: Mapping[str, PurseStats] = {}

    def ended(self, model: str, cost_usd: float) -> None:
        """An episode came to a final end; its whole cost, earlier runs included."""
        self._ended[model] += 1
        self._ended_usd[model] += cost_usd

    def read(self, purses: Mapping[str, PurseStats]) -> None:
        """Scope → its purse, as it is now."""
        self._purses = purses

    def of(self, model: str, run_usd: float) -> ModelCosts:
        """A model's costs, of which `run_usd` in this run."""
        purse = self._purses.get(model_scope(model), _NO_PURSE)
        spent_usd = self._before_usd[model] + run_usd
        mean_usd = self._mean_usd(model)
        projected_usd = None
        if mean_usd is not None:
            left = self._planned[model] - self._ended[model]
            projected_usd = max(spent_usd, self._ended_usd[model] + left * mean_usd)
        return ModelCosts(
            spent_usd=spent_usd,
            reserved_usd=purse.reserved_usd + purse.presumed_usd,
            ceiling_usd=purse.ceiling_usd,
            projected_usd=projected_usd,
        )

    @property
    def ceiling_usd(self) -> float | None:
        """The sweep's budget; None for none."""
        return self._purses.get(SWEEP_SCOPE, _NO_PURSE).ceiling_usd

    @property
    def presumed_usd(self) -> float:
        """What calls may have cost at most whose cost never became known, earlier runs included."""
        return self._purses.get(SWEEP_SCOPE, _NO_PURSE).presumed_usd

    @property
    def left_usd(self) -> float | None:
        """What is left of the sweep's budget, calls under way not counted; None without one."""
        purse = self._purses.get(SWEEP_SCOPE, _NO_PURSE)
        if purse.ceiling_usd is None:
            return None
        return purse.ceiling_usd - purse.spent_usd - purse.presumed_usd

    @property
    def means_usd(self) -> dict[str, float]:
        """Model → an episode's mean cost; where none has ended yet, the mean over the others."""
        known = {
            model: mean_usd
            for model in self._planned
            if (mean_usd := self._mean_usd(model)) is not None
        }
        others_usd = fmean(known.values()) if known else 0.0
        return {model: known.get(model, others_usd) for model in self._planned}

    def _mean_usd(self, model: str) -> float | None:
        ended = self._ended[model]
        return self._ended_usd[model] / ended if ended else None
