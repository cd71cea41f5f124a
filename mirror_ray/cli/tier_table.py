"""A plan's price tiers side by side: what each costs, saves and takes."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from mirror_ray.cli.budget_notes import dollars
from mirror_ray.cli.show import duration, new_table
from mirror_ray.cli.spreads import spread
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.sweep.calibration import UNMEASURED_FLEX_LATENCY_S
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.tier_forecast import TierForecast

_MOST_MODELS = 20


def tier_table(tiers: Sequence[TierForecast]) -> Table:
    """A row for each model that offers more than one tier, and one for the whole sweep."""
    names = [one.tier for one in tiers]
    table = new_table(
        "model",
        *names,
        "saves",
        *(f"{name}, time" for name in names),
        title="what is left, by price tier",
    )
    models = list(tiers[0].models)
    for model in models[:_MOST_MODELS]:
        each = [one.models[model] for one in tiers]
        costs, times = [one.cost_usd for one in each], [one.time_s for one in each]
        table.add_row(model, *_row(costs, times))
    if len(models) > _MOST_MODELS:
        table.add_row(f"{len(models) - _MOST_MODELS:,} more models")
    table.add_section()
    every = "all" if tiers[0].all_costs_known else "all known prices"
    table.add_row(every, *_row([one.cost_usd for one in tiers], [one.time_s for one in tiers]))
    return table


def tier_note(tiers: Sequence[TierForecast]) -> str:
    """What the cheaper tier asks for in return, and what its time rests on."""
    standard, flex = tiers[0], tiers[-1]
    saved = standard.cost_usd.expected - flex.cost_usd.expected
    later_s = max(0.0, flex.time_s.expected - standard.time_s.expected)
    assumed = UNMEASURED_FLEX_LATENCY_S
    rests_on = (
        "its latency as measured"
        if flex.measured
        else f"a reply after {assumed.expected:g} s ({assumed.low:g} to {assumed.high:g} s),"
        " until replies at flex are on record"
    )
    return (
        f"Flex saves {dollars(saved)} and takes {duration(later_s)} longer, with {rests_on};"
        " waiting for capacity comes on top."
    )


def _row(costs: Sequence[Range | None], times: Sequence[Range]) -> list[Text | str]:
    standard, flex = costs[0], costs[-1]
    saves = (
        MISSING
        if standard is None or flex is None
        else dollars(max(0.0, standard.expected - flex.expected))
    )
    return [
        *(spread(cost, dollars) for cost in costs),
        saves,
        *(spread(time, duration) for time in times),
    ]
