"""What the GPUs of a run's own model servers have cost, and which budgets that ends.

A server costs by the hour, whether it is asked or not, so that nothing can be reserved for it: its
cost is counted as it passes, and ends a budget once calls and GPUs together have reached it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, model_scope
from mirror_ray.engine.limiter.budget_scopes import ceilings_of
from mirror_ray.sweep.plan import Plan


@dataclass(frozen=True, slots=True)
class GpuSpending:
    """What one run's servers cost.

    Args:
        usd_per_gpu_hour: model → price, of models that have one.
        ceilings: scope → its budget in USD.
        earlier_s: model → GPU seconds of earlier runs in the directory.
    """

    usd_per_gpu_hour: Mapping[str, float]
    ceilings: Mapping[str, float] = field(default_factory=dict)
    earlier_s: Mapping[str, float] = field(default_factory=dict)

    def usd(self, gpu_s: Mapping[str, float]) -> dict[str, float]:
        """Model → what its GPUs have cost, earlier runs included.

        Args:
            gpu_s: model → GPU seconds of this run.
        """
        return {
            model: (gpu_s.get(model, 0.0) + self.earlier_s.get(model, 0.0)) * price / 3600.0
            for model, price in self.usd_per_gpu_hour.items()
        }

    def unpriced(self, gpu_s: Mapping[str, float]) -> list[str]:
        """Models whose GPUs cost an unknown amount."""
        held = {model for one in (gpu_s, self.earlier_s) for model, s in one.items() if s}
        return sorted(held - self.usd_per_gpu_hour.keys())

    def ended(
        self,
        gpu_s: Mapping[str, float],
        calls_usd: Mapping[str, float],
        sweep_usd: float | None = None,
    ) -> list[str]:
        """Scopes whose budget is reached, of those that GPUs are part of.

        Args:
            gpu_s: model → GPU seconds of this run.
            calls_usd: model → what its calls have cost, earlier runs included.
            sweep_usd: the sweep's ceiling in place of the planned one; None: that one.
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
    """Of a plan's models.

    Args:
        earlier_s: model → GPU seconds of earlier runs in the directory.
    """
    prices = {
        name: model.usd_per_gpu_hour
        for name, model in plan.models.items()
        if model.serve is not None and model.usd_per_gpu_hour is not None
    }
    return GpuSpending(prices, ceilings_of(plan), earlier_s)
