"""What a plan adds to a run directory, computed before any of it is paid."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from mirror_ray.engine.driver.money import usd_words
from mirror_ray.records.usage import NO_USAGE, Usage, usage_of
from mirror_ray.sweep.bills import known_bills_usd, together
from mirror_ray.sweep.estimate import estimate
from mirror_ray.sweep.growth import Growth, growth_there
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.sampling import Samples, sample_scenes


def usage_there(plan: Plan, growth: Growth | None) -> Usage:
    """Return what the plan's directory has used so far, under any plan.

    Raises:
        RunDirError: something there cannot be read.
    """
    recorded = plan.sweep.resolved if growth is None else growth.recorded
    return usage_of(plan.sweep.out, recorded) or NO_USAGE


def growth_in_words(plan: Plan) -> Sequence[str]:
    """Return what is new to the run directory and about what it costs; what is left out of it.

    Raises:
        RunDirError: the plan contradicts the recorded one, or something there cannot be read.
    """
    growth = growth_there(plan)
    if growth is None:
        return []
    if not growth.added:
        return growth.words(plan.sweep.out)
    samples = sample_scenes(growth.added)
    return [
        *growth.words(plan.sweep.out),
        growth_cost_text(plan, growth, samples, usage_there(plan, growth)),
    ]


def growth_cost_text(plan: Plan, growth: Growth, samples: Samples, usage: Usage) -> str:
    """Return the expected and the largest cost of what is new, for a person."""
    cost, all_known, most = _cost(plan, growth, samples, usage)
    span = "" if cost.low == cost.high else f" ({usd_words(cost.low)} to {usd_words(cost.high)})"
    at_most = "an unknown sum" if most is None else usd_words(most.high)
    least = "" if all_known else "at least "
    return f"Expected for what is new: {least}{usd_words(cost.expected)}{span}; at most {at_most}."


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
    """Return the expected cost, whether all prices are known, and the largest cost."""
    cells = tuple(dict.fromkeys(spec.cell for spec in growth.added))
    new = estimate(replace(plan, cells=cells, episodes=growth.added), samples, usage)
    expected, all_known = known_bills_usd([one.left for one in new])
    return expected, all_known, together([one.at_most for one in new]).cost_usd
