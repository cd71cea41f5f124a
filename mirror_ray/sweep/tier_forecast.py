"""The same plan at each price tier: what is left of it would cost so much, and take so long."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mirror_ray.providers.model import Model, Tier
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.records.usage import Usage
from mirror_ray.sweep.duration import Timetable, timetable
from mirror_ray.sweep.estimate import CellEstimate, by_model, estimate, known_usd, together
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.sampling import Samples


@dataclass(frozen=True, slots=True)
class OfModel:
    """One model's share of what is left.

    Args:
        cost_usd: None where its price is unknown.
        time_s: until its calls are made; other keys' run beside them.
    """

    cost_usd: Range | None
    time_s: Range


@dataclass(frozen=True, slots=True)
class TierForecast:
    """What is left, with every model that offers the tier asked at it, and the others at standard.

    Args:
        cost_usd: of the known prices; `all_costs_known`: of all models.
        models: those that offer more than one tier.
        measured: whether each of these has replies of the tier on record; else their latency is
            assumed.
    """

    tier: Tier
    cost_usd: Range
    all_costs_known: bool
    time_s: Range
    models: Mapping[str, OfModel]
    measured: bool


def tier_forecasts(
    plan: Plan, samples: Samples, usage: Usage, simulators: int, drawn_share: float
) -> tuple[TierForecast, ...]:
    """One for each tier; none where every model of the plan has one tier only.

    Args:
        simulators, drawn_share: as for `mirror_ray.sweep.duration.timetable`.
    """
    offering = [name for name, model in plan.models.items() if model.flex is not None]
    if not offering:
        return ()
    forecasts = []
    for tier in _TIERS:
        models = {name: _at(model, tier) for name, model in plan.models.items()}
        at_it = replace(plan, models=models)
        cells = estimate(at_it, samples, usage)
        times = timetable(at_it, cells, samples, simulators, drawn_share)
        forecasts.append(_forecast(tier, at_it, cells, times, offering))
    return tuple(forecasts)


_TIERS: tuple[Tier, ...] = ("standard", "flex")


def _at(model: Model, tier: Tier) -> Model:
    if model.flex is None:
        return model
    return replace(at_tier(model, tier), fallback=model.fallback)


def _forecast(
    tier: Tier,
    plan: Plan,
    cells: tuple[CellEstimate, ...],
    times: Timetable,
    offering: list[str],
) -> TierForecast:
    cost, all_known = known_usd([one.left for one in cells])
    cells_of = by_model(cells)
    return TierForecast(
        tier,
        cost,
        all_known,
        times.whole.time_s,
        {
            name: OfModel(
                together([one.left for one in cells_of[name]]).cost_usd,
                times.keys[plan.models[name].limits.key].time_s,
            )
            for name in offering
            if name in cells_of
        },
        all(cells_of[name][0].latency_s is not None for name in offering if name in cells_of),
    )
