"""Forecasts the cost and time of the rest of a plan at each price tier."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from mirror_ray.core.identity import Cell
from mirror_ray.providers.batches.service import has_batches
from mirror_ray.providers.model import Model, Tier
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.records.usage import Usage
from mirror_ray.sweep.duration import Timetable, timetable
from mirror_ray.sweep.estimate import CellEstimate, by_model, estimate
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range, known_bills_usd, latest, together
from mirror_ray.sweep.sampling import Samples
from mirror_ray.sweep.tiers import asked_often


@dataclass(frozen=True, slots=True)
class OfModel:
    """One model's share of the rest: its cost if its price is known, and the time for its calls,
    while calls of other keys run in parallel."""

    cost_usd: Range | None
    time_s: Range


@dataclass(frozen=True, slots=True)
class TierForecast:
    """The rest of the plan, if every model that offers the tier is called at it, and the others at
    standard.

    Models whose episodes all have many requests are batched here, but a run refuses this: see
    `refused`. Otherwise such episodes stay at standard while the others are batched.

    Args:
        cost_usd: the cost at the known prices.
        all_costs_known: whether the prices of all models are known.
        models: those that offer more than one tier.
        refused: model → a cell whose episodes have too many requests for the tier, and how many.
        in_part: whether some episodes stay at standard for that reason.
        measured: whether all these models have replies at the tier; else a latency is assumed.
    """

    tier: Tier
    cost_usd: Range
    all_costs_known: bool
    time_s: Range
    models: Mapping[str, OfModel]
    measured: bool
    refused: Mapping[str, tuple[Cell, int]] = field(default_factory=dict)
    in_part: bool = False


def tier_forecasts(
    plan: Plan, samples: Samples, usage: Usage, simulators: int, drawn_share: float
) -> tuple[TierForecast, ...]:
    """Return one forecast per tier; none if every model of the plan has only one tier. `simulators`
    and `drawn_share` are as for `mirror_ray.sweep.duration.timetable`."""
    models_at = _models_at(plan)
    if len(models_at) == 1:
        return ()
    offering = [name for name in plan.models if any(name in its for its in models_at.values())]
    forecasts = []
    for tier, its in models_at.items():
        models = {
            name: its.get(name) or at_tier(model, "standard") for name, model in plan.models.items()
        }
        refused, stay = _often_asked(plan, its) if tier == "batch" else ({}, {})
        at_it = replace(plan, models=models, tiers=stay)
        cells = estimate(at_it, samples, usage)
        times = timetable(at_it, cells, samples, simulators, drawn_share)
        found = _forecast(tier, at_it, cells, times, offering)
        forecasts.append(replace(found, refused=refused, in_part=bool(stay)))
    return tuple(forecasts)


def _models_at(plan: Plan) -> dict[Tier, dict[str, Model]]:
    """Return, by tier, the models that can be called at it, with its terms; "standard" names
    none."""
    found: dict[Tier, dict[str, Model]] = {"standard": {}, "flex": {}, "batch": {}}
    for name, model in plan.models.items():
        if model.flex is not None:
            found["flex"][name] = replace(at_tier(model, "flex"), fallback=model.fallback)
        if model.batch is not None and has_batches(model):
            found["batch"][name] = at_tier(model, "batch")
    return {tier: its for tier, its in found.items() if its or tier == "standard"}


def _often_asked(
    plan: Plan, in_batches: Collection[str]
) -> tuple[dict[str, tuple[Cell, int]], dict[tuple[str, str], Tier]]:
    """Return models that always make too many requests for batches, and other models' cells kept at
    standard."""
    often = asked_often(plan.episodes)
    fit = {cell.model for cell in plan.cells if cell not in often}
    refused: dict[str, tuple[Cell, int]] = {}
    stay: dict[tuple[str, str], Tier] = {}
    for cell, n_asks in often.items():
        if cell.model in in_batches and cell.model in fit:
            stay[cell.cell_id, cell.model] = "standard"
        elif cell.model in in_batches:
            refused.setdefault(cell.model, (cell, n_asks))
    return refused, stay


def _forecast(
    tier: Tier, plan: Plan, cells: tuple[CellEstimate, ...], times: Timetable, offering: list[str]
) -> TierForecast:
    cost, all_known = known_bills_usd([one.left for one in cells])
    cells_of = by_model(cells)
    return TierForecast(
        tier,
        cost,
        all_known,
        times.whole.time_s,
        {
            name: OfModel(
                together([one.left for one in cells_of[name]]).cost_usd,
                latest(
                    times.keys[plan.model_of(one.cell, name).limits.key].time_s
                    for one in cells_of[name]
                ),
            )
            for name in offering
            if name in cells_of
        },
        all(cells_of[name][0].latency_s is not None for name in offering if name in cells_of),
    )
