"""Forecast what a plan will use, cost and take, before it is played."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from os import sched_getaffinity
from typing import Any

from mirror_ray.core.errors import RunDirError
from mirror_ray.engine.driver.about_run import earlier_manifest
from mirror_ray.engine.driver.money import usd_words
from mirror_ray.records.served_models import ready_times
from mirror_ray.records.usage import NO_USAGE, Usage, usage_of
from mirror_ray.stopping.forecast import StoppingForecast, stopping_forecast
from mirror_ray.stopping.rounds import settled_in
from mirror_ray.sweep.commands import commands_of
from mirror_ray.sweep.demands import structure_of, withheld
from mirror_ray.sweep.duration import Timetable, timetable
from mirror_ray.sweep.earlier import with_stages_that_follow
from mirror_ray.sweep.estimate import CellEstimate, by_model, estimate, spent
from mirror_ray.sweep.gpu_hours import GpuUse, gpu_hours_as_json, gpu_use, paces
from mirror_ray.sweep.growth import Growth, growth_there
from mirror_ray.sweep.pictures import PictureCount, count_pictures
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range, known_bills_usd, together
from mirror_ray.sweep.sampling import Samples, sample_scenes
from mirror_ray.sweep.stages import presume
from mirror_ray.sweep.tier_forecast import TierForecast, tier_forecasts


@dataclass(frozen=True, slots=True)
class PlanForecast:
    """A plan's expected and largest use.

    Args:
        plan: with all stages, even presumed ones that depend on others; without settled episodes.
        whole: the plan with settled episodes.
        growth: what is new to the run directory; None if it has no run, or a run of another sweep.
        tiers: the remaining use at each price tier; empty if no model offers more than one.
        gpus: the GPUs that the run's own model servers occupy.
        stopping: the share of the cost that remains under `until`; None if that is not forecast.
        refusal: why `run` would refuse the run directory; None if it would not.
    """

    plan: Plan
    whole: Plan
    cells: Sequence[CellEstimate]
    times: Timetable
    samples: Samples
    pictures: PictureCount
    growth: Growth | None
    usage: Usage
    refusal: str | None
    tiers: tuple[TierForecast, ...] = ()
    gpus: tuple[GpuUse, ...] = ()
    stopping: StoppingForecast | None = None

    @property
    def settled(self) -> int:
        """Episodes of the plan that are skipped because `until` has decided their cells."""
        return len(self.whole.episodes) - len(self.plan.episodes)

    def as_json(self) -> dict[str, Any]:
        """Return the forecast as plain data, which ``mirror-ray plan --json`` prints."""
        plan, cells, times = self.plan, self.cells, self.times
        samples, pictures = self.samples, self.pictures
        cost, all_known = known_bills_usd([one.whole for one in cells])
        followers, shared = followers_of(plan)
        told: dict[str, Any] = {
            "name": plan.sweep.name,
            "out": plan.sweep.out,
            "replicate": plan.sweep.replicate,
            "cells": len(plan.cells),
            "episodes": len(plan.episodes),
            "settled": self.settled,
            "until": None if plan.sweep.until is None else asdict(plan.sweep.until),
            "budget_usd": plan.sweep.budget_usd,
            "budget_per_model_usd": dict(plan.sweep.budget_per_model_usd),
            "budget_per_cell_usd": plan.sweep.budget_per_cell_usd,
            "cost_usd": asdict(cost),
            "all_costs_known": all_known,
            "time_s": asdict(times.whole),
            "tiers": [asdict(one) for one in self.tiers],
            "stopping": None if self.stopping is None else asdict(self.stopping),
            "withheld": withheld(plan),
            "structured": sorted({structure_of(cell) for cell in plan.cells}),
            "episodes_saved": followers - shared,
            "pictures": asdict(pictures),
            "models": [
                {
                    "model": model,
                    "episodes": sum(one.episodes for one in mine),
                    "ended": sum(one.ended for one in mine),
                    "basis": basis_of(mine),
                    "expected": asdict(together([one.whole for one in mine])),
                    "left": asdict(together([one.left for one in mine])),
                    "at_most": asdict(together([one.at_most for one in mine])),
                    "spent_usd": spent(mine)[0],
                    "n_unpriced_episodes": spent(mine)[1],
                    "tier": plan.models[model].tier or "standard",
                    "limits_key": plan.models[model].limits.key,
                }
                for model, mine in by_model(cells).items()
            ],
            "cells_in_full": [asdict(one) | {"cell_id": one.cell.cell_id} for one in cells],
            "keys": {key: asdict(key_time) for key, key_time in times.keys.items()},
            "machine": [asdict(demand) for demand in times.machine],
            "unlimited_keys": list(times.unlimited),
            "commands": {one.model: one.text for one in commands_of(plan.models)},
            "gpu_hours": gpu_hours_as_json(self.gpus),
            "samples": {
                "episodes": sum(sample.episodes for sample in samples.by_kind.values()),
                "image_bytes": samples.image_bytes,
                "drawing_s": samples.drawing_s,
                "thinking_s": samples.thinking_s,
                "trouble": samples.trouble,
            },
        }
        if self.growth is not None:
            told |= growth_as_json(plan, self.growth, samples, self.usage)
        return told


def forecast_of(plan: Plan) -> PlanForecast:
    """Return the forecast. Sample episodes are played here, without any API calls.

    Raises:
        RunDirError: something in the plan's run directory cannot be read.
    """
    try:
        growth, refusal = growth_there(plan), None
    except RunDirError as error:
        growth, refusal = None, str(error)
    usage = NO_USAGE if refusal else usage_there(plan, growth)
    whole = presume(plan if refusal else with_stages_that_follow(plan))
    settled = set() if refusal else settled_in(plan.sweep.out, plan.sweep.until, whole.episodes)
    left = tuple(spec for spec in whole.episodes if spec.episode_id not in settled)
    plan = replace(whole, episodes=left) if settled else whole
    samples = sample_scenes(plan.episodes)
    cells = estimate(plan, samples, usage)
    simulators = plan.sweep.engine.simulators or len(sched_getaffinity(0))
    pictures = count_pictures(plan.episodes, cells, samples)
    share = pictures.drawn_share(plan.sweep.engine.picture_cache_bytes)
    times = timetable(plan, cells, samples, simulators, share)
    tiers = tier_forecasts(plan, samples, usage, simulators, share)
    ready = {} if refusal else ready_times(earlier_manifest(plan.sweep.out))
    gpus = gpu_use(plan, cells, times, paces(plan, usage, ready))
    return PlanForecast(
        plan=plan,
        whole=whole,
        cells=cells,
        times=times,
        samples=samples,
        pictures=pictures,
        growth=growth,
        usage=usage,
        refusal=refusal,
        tiers=tiers,
        gpus=gpus,
        stopping=stopping_forecast(plan, cells),
    )


def followers_of(plan: Plan) -> tuple[int, int]:
    """Return how many episodes are given another episode's reply, and how many episodes such
    replies come from."""
    parents = [spec.given["parent_id"] for spec in plan.episodes if "parent_id" in spec.given]
    return len(parents), len(set(parents))


def basis_of(cells: Sequence[CellEstimate]) -> str:
    """Return, in words, what the estimates of a model's cells are based on."""
    ended, replies = sum(one.ended for one in cells), sum(one.replies for one in cells)
    if all(one.basis in ("episodes", "other episodes") for one in cells):
        return f"the {ended:,} ended"
    return f"{replies:,} replies" if replies else cells[0].basis


def usage_there(plan: Plan, growth: Growth | None) -> Usage:
    """Return what the plan's directory has used so far, under any plan. Raise RunDirError if
    something there cannot be read."""
    recorded = plan.sweep.resolved if growth is None else growth.recorded
    return usage_of(plan.sweep.out, recorded) or NO_USAGE


def growth_in_words(plan: Plan) -> Sequence[str]:
    """Return, in words, what the plan adds to the run directory, its approximate cost, and what the
    plan leaves out.

    Raises:
        RunDirError: the plan contradicts the recorded one, or something there cannot be read.
    """
    growth = growth_there(plan)
    if growth is None:
        return []
    if not growth.added:
        return growth.words(plan.sweep.out)
    return growth_lines(plan, growth, sample_scenes(growth.added), usage_there(plan, growth))


def growth_lines(plan: Plan, growth: Growth, samples: Samples, usage: Usage) -> list[str]:
    """Return readable lines on what is new, with its expected and largest cost, or on what is left
    out."""
    words = growth.words(plan.sweep.out)
    if not growth.added:
        return words
    cost, all_known, most = _cost(plan, growth, samples, usage)
    span = "" if cost.low == cost.high else f" ({usd_words(cost.low)} to {usd_words(cost.high)})"
    at_most = "an unknown sum" if most is None else usd_words(most.high)
    least = "" if all_known else "at least "
    expected = f"{least}{usd_words(cost.expected)}{span}"
    return [*words, f"Expected for what is new: {expected}; at most {at_most}."]


def growth_as_json(plan: Plan, growth: Growth, samples: Samples, usage: Usage) -> dict[str, Any]:
    """Return what is new and its cost, or what is left out."""
    if not growth.added:
        return {"left_out": {"episodes": len(growth.left_out), "which": growth.left_out_in_words}}
    cost, all_known, most = _cost(plan, growth, samples, usage)
    return {
        "added": {
            "episodes": len(growth.added),
            "which": growth.added_in_words,
            "cost_usd": asdict(cost),
            "all_costs_known": all_known,
            "at_most_usd": None if most is None else most.high,
        }
    }


def _cost(
    plan: Plan, growth: Growth, samples: Samples, usage: Usage
) -> tuple[Range, bool, Range | None]:
    cells = tuple(dict.fromkeys(spec.cell for spec in growth.added))
    new = estimate(replace(plan, cells=cells, episodes=growth.added), samples, usage)
    expected, all_known = known_bills_usd([one.left for one in new])
    return expected, all_known, together([one.at_most for one in new]).cost_usd
