"""GPU costs of a run's own model servers, and the budgets that they end.

A server costs by the hour, so nothing can be reserved: its cost is counted as it accrues. A budget
ends once calls and GPUs together have reached it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, ceilings_of, model_scope
from mirror_ray.sweep.plan import Plan


@dataclass(frozen=True, slots=True)
class GpuSpending:
    """The costs of one run's servers: model → price, if known; scope → its budget in USD; and model
    → GPU seconds of earlier runs."""

    usd_per_gpu_hour: Mapping[str, float]
    ceilings: Mapping[str, float] = field(default_factory=dict)
    earlier_s: Mapping[str, float] = field(default_factory=dict)

    def usd(self, gpu_s: Mapping[str, float]) -> dict[str, float]:
        """Return the cost of each model's GPUs, earlier runs included."""
        return {
            model: (gpu_s.get(model, 0.0) + self.earlier_s.get(model, 0.0)) * price / 3600.0
            for model, price in self.usd_per_gpu_hour.items()
        }

    def unpriced(self, gpu_s: Mapping[str, float]) -> list[str]:
        """Return the models whose GPUs have an unknown cost."""
        held = {model for one in (gpu_s, self.earlier_s) for model, s in one.items() if s}
        return sorted(held - self.usd_per_gpu_hour.keys())

    def ended(
        self,
        gpu_s: Mapping[str, float],
        calls_usd: Mapping[str, float],
        sweep_usd: float | None = None,
    ) -> list[str]:
        """Return the scopes whose budget is reached by GPUs and calls together.

        Args:
            calls_usd: model → the cost of its calls, earlier runs included.
            sweep_usd: replaces the planned ceiling of the sweep.
        """
        ceilings = dict(self.ceilings)
        if sweep_usd is not None:
            ceilings[SWEEP_SCOPE] = sweep_usd
        gpus_usd = {model: usd for model, usd in self.usd(gpu_s).items() if usd}
        spent_usd = {
            model_scope(model): usd + calls_usd.get(model, 0.0) for model, usd in gpus_usd.items()
        }
        if gpus_usd:
            spent_usd[SWEEP_SCOPE] = sum(gpus_usd.values()) + sum(calls_usd.values())
        return [
            scope
            for scope, usd in spent_usd.items()
            if scope in ceilings and usd >= ceilings[scope]
        ]


NO_GPUS = GpuSpending({})


def gpu_spending(plan: Plan, earlier_s: Mapping[str, float]) -> GpuSpending:
    """Return the GPU costs of a plan's models; `earlier_s` are GPU seconds per model."""
    prices = {
        name: model.usd_per_gpu_hour
        for name, model in plan.models.items()
        if model.serve is not None and model.usd_per_gpu_hour is not None
    }
    return GpuSpending(prices, ceilings_of(plan), earlier_s)
