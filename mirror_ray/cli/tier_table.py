"""A plan's price tiers side by side: what each costs, saves and takes."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from mirror_ray.cli.budget_notes import dollars
from mirror_ray.cli.show import duration, new_table, spread
from mirror_ray.core.first_names import first_names
from mirror_ray.engine.driver.money import MISSING
from mirror_ray.stopping.forecast import ABILITIES, StoppingForecast
from mirror_ray.sweep.calibration import UNMEASURED_S
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.tier_forecast import TierForecast

_MOST_MODELS = 20


def tier_table(tiers: Sequence[TierForecast], stopping: StoppingForecast | None) -> Table:
    """Return the cost and time of each tier, and of the first tier with `until`, as columns.

    The rows are the models that offer more than one tier, and the whole sweep. The savings by
    `until` are those at the cheapest tier that a run uses."""
    ways = [one.tier for one in tiers] + ([stopping.key] if stopping is not None else [])
    table = new_table("model", *ways, "saves", title="what is left, by price tier: cost and time")
    models = list(tiers[0].models)
    for model in models[:_MOST_MODELS]:
        each = [one.models[model] for one in tiers]
        refused = [model in one.refused for one in tiers]
        found = [(one.cost_usd, one.time_s) for one in each]
        table.add_row(model, *_row(found, refused, stopping))
        table.add_row()
    if len(models) > _MOST_MODELS:
        table.add_row(f"{len(models) - _MOST_MODELS:,} more models")
    table.add_section()
    every = "all" if tiers[0].all_costs_known else "all known prices"
    whole: list[tuple[Range | None, Range]] = [(one.cost_usd, one.time_s) for one in tiers]
    table.add_row(every, *_row(whole, [bool(one.refused) for one in tiers], stopping))
    return table


def stopping_notes(
    stopping: StoppingForecast, cost_usd: Range, tiers: Sequence[TierForecast]
) -> list[str]:
    """Return what `until` saves, alone and at the cheapest tier, and the basis of these figures."""
    share, saved = stopping.share, cost_usd.expected * (1 - stopping.share.expected)
    low, high = ABILITIES
    will = "will" if stopping.is_declared else "would"
    taken = [tier for tier in tiers if not tier.refused]
    cheapest = min(taken, key=lambda tier: tier.cost_usd.expected, default=None)
    together = ""
    if cheapest is not None and cheapest.tier != "standard":
        left = dollars(cheapest.cost_usd.expected * share.expected)
        together = f"; with {cheapest.tier} {left} are left"
    return [
        f"{stopping.key} {will} leave {share.expected:.0%} ({share.low:.0%} to {share.high:.0%}) of"
        f" the cost and save {dollars(saved)}, if models' scores lie anywhere from {low:g} to"
        f" {high:g}{together}; each of some {stopping.rounds.expected:.0f} rounds waits for its"
        " slowest reply, in batches for its batch."
    ]


def tier_notes(tiers: Sequence[TierForecast]) -> list[str]:
    """Return what each cheaper tier requires, and the basis of its time estimate."""
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
    saves, takes = ("would save", "take") if other.refused else ("saves", "takes")
    return (
        f"{other.tier.capitalize()} {saves} {dollars(saved)} and {takes} {duration(later_s)}"
        f" longer, with {rests_on}{on_top}.{_refusal(other)}"
    )


def _refusal(other: TierForecast) -> str:
    for cell, asks in other.refused.values():
        return (
            f" A run does not take it for {first_names(list(other.refused), 1)}: episodes of"
            f" {cell.family} ask up to {asks} times, one after another, and each request would wait"
            " for a separate batch."
        )
    if other.in_part:
        return " Stages whose episodes ask many times, one after another, stay at standard for it."
    return ""


def _row(
    found: Sequence[tuple[Range | None, Range]],
    refused: Sequence[bool],
    stopping: StoppingForecast | None,
) -> list[Text | str]:
    costs = [cost for cost, _ in found]
    cells: list[Text | str] = [_cell(cost, time) for cost, time in found]
    if stopping is not None:
        cost, time = found[0]
        asked = None if cost is None else cost * stopping.share
        # Fewer requests cost less, but each further round waits for its slowest reply.
        further_s = UNMEASURED_S["standard"] * max(0.0, stopping.rounds.expected - 1)
        cells.append(_cell(asked, time * stopping.share + further_s))
    if not costs or None in costs:
        return [*cells, MISSING]
    usd = [cost.expected for cost in costs if cost is not None]
    taken = [cost for cost, is_refused in zip(usd, refused, strict=True) if not is_refused]
    return [*cells, dollars(max(0.0, usd[0] - min(taken, default=0.0)))]


def _cell(cost: Range | None, time: Range) -> Text:
    return Text("\n").join([spread(cost, dollars), spread(time, duration)])
