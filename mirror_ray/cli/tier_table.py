"""A plan's price tiers side by side: what each costs, saves and takes."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from mirror_ray.cli.budget_notes import dollars
from mirror_ray.cli.show import duration, new_table
from mirror_ray.cli.spreads import spread
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.stopping.forecast import ABILITIES, StoppingForecast
from mirror_ray.sweep.calibration import UNMEASURED_S
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.tier_forecast import TierForecast

_MOST_MODELS = 20


def tier_table(tiers: Sequence[TierForecast], stopping: StoppingForecast | None) -> Table:
    """A row for each model that offers more than one tier, one for the whole sweep, and one for it
    with `until`; what it saves is by the cheapest of them."""
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
    whole = [one.cost_usd for one in tiers]
    table.add_row(every, *_row(whole, [one.time_s for one in tiers]))
    if stopping is not None:
        asked = [cost * stopping.share for cost in whole]
        waits = [_with_rounds(one, stopping) for one in tiers]
        row = _row(asked, waits)
        row[len(tiers)] = dollars(whole[0].expected - min(cost.expected for cost in asked))
        table.add_row(f"{every}, {stopping.key}", *row)
    return table


def stopping_notes(stopping: StoppingForecast, cost_usd: Range) -> list[str]:
    """What `until` saves of the cost, and what that rests on."""
    share, saved = stopping.share, cost_usd.expected * (1 - stopping.share.expected)
    low, high = ABILITIES
    will = "will" if stopping.is_declared else "would"
    return [
        f"{stopping.key} {will} leave {share.expected:.0%} ({share.low:.0%} to {share.high:.0%}) of"
        f" the cost and save {dollars(saved)}, if models' scores lie anywhere from {low:g} to"
        f" {high:g}; each of some {stopping.rounds.expected:.0f} rounds waits for its slowest"
        " reply, in batches for its batch."
    ]


def _with_rounds(tier: TierForecast, stopping: StoppingForecast) -> Range:
    """So much less is asked, and each further round waits for its slowest reply."""
    further = max(0.0, stopping.rounds.expected - 1)
    return tier.time_s * stopping.share + UNMEASURED_S[tier.tier] * further


def tier_notes(tiers: Sequence[TierForecast]) -> list[str]:
    """What each cheaper tier asks for in return, and what its time rests on."""
    return [_note(tiers[0], tier) for tier in tiers[1:]]


def _note(standard: TierForecast, other: TierForecast) -> str:
    saved = standard.cost_usd.expected - other.cost_usd.expected
    later_s = max(0.0, other.time_s.expected - standard.time_s.expected)
    assumed = UNMEASURED_S[other.tier]
    rests_on = (
        "its latency as measured"
        if other.measured
        else f"a reply after {assumed.expected:g} s ({assumed.low:g} to {assumed.high:g} s),"
        f" until replies at {other.tier} are on record"
    )
    on_top = "; waiting for capacity comes on top" if other.tier == "flex" else ""
    return (
        f"{other.tier.capitalize()} saves {dollars(saved)} and takes {duration(later_s)} longer,"
        f" with {rests_on}{on_top}."
    )


def _row(costs: Sequence[Range | None], times: Sequence[Range]) -> list[Text | str]:
    known = [cost for cost in costs if cost is not None]
    cheapest = min((cost.expected for cost in known), default=0.0)
    saves = MISSING if len(known) < len(costs) else dollars(max(0.0, known[0].expected - cheapest))
    return [
        *(spread(cost, dollars) for cost in costs),
        saves,
        *(spread(time, duration) for time in times),
    ]
