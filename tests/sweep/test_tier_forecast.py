"""A plan's price tiers side by side, each figure by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.providers.model import BatchTerms, Limits, Model, TierTerms
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.records.usage import NO_USAGE, AskUsage, EpisodeUsage, Usage
from mirror_ray.sweep.calibration import UNMEASURED_S
from mirror_ray.sweep.estimate import estimate
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.ranges import Range
from mirror_ray.sweep.sampling import KindSample, Samples, kind_of
from mirror_ray.sweep.tier_forecast import TierForecast, tier_forecasts
from support.plans import plan_of

SAMPLE = KindSample(2, Range(10, 20, 40), 200, 1600, 2000, 400, 1024, ())
PLAIN = Model(
    "openai/plain",
    "hosted",
    "openai/plain",
    Limits("plain", concurrency=1),
    usd_per_mtok_in=1.0,
    usd_per_mtok_out=2.0,
)
BOTH = replace(
    PLAIN,
    name="openai/both",
    limits=Limits("both", concurrency=1),
    flex=TierTerms(Limits("both (flex)", concurrency=2), 0.25, 0.5),
)
UNPRICED = replace(PLAIN, name="openai/unpriced", usd_per_mtok_in=None)


def plan_for(tmp_path: Path, *models: Model) -> Plan:
    return plan_of(tmp_path / "run", models, conditions=("E1",), seeds=6)


def tiers(plan: Plan, usage: Usage = NO_USAGE) -> tuple[TierForecast, ...]:
    kinds = {kind_of(cell): SAMPLE for cell in plan.cells}
    return tier_forecasts(plan, Samples(kinds, None, None, 0.0, None), usage, 4, 1.0)


def test_there_is_nothing_to_compare_where_no_model_offers_another_tier(tmp_path: Path) -> None:
    assert tiers(plan_for(tmp_path, PLAIN)) == ()


def test_only_what_offers_a_tier_is_asked_at_it(tmp_path: Path) -> None:
    standard, flex = tiers(plan_for(tmp_path, PLAIN, BOTH))
    assert [one.tier for one in (standard, flex)] == ["standard", "flex"]
    assert (set(standard.models), standard.all_costs_known) == ({"openai/both"}, True)
    usd = standard.models["openai/both"].cost_usd.expected
    # A quarter of the price, of one of two models.
    assert flex.models["openai/both"].cost_usd.expected == pytest.approx(usd / 4)
    assert standard.cost_usd.expected == pytest.approx(2 * usd)
    assert flex.cost_usd.expected == pytest.approx(1.25 * usd)


def test_batches_of_long_episodes_are_priced_and_refused(tmp_path: Path) -> None:
    terms = BatchTerms(Limits("both (batch)"), 0.25, 0.5)
    standard, _, batch = tiers(plan_for(tmp_path, replace(BOTH, batch=terms)))
    assert batch.tier == "batch"
    assert batch.cost_usd.expected == pytest.approx(standard.cost_usd.expected / 4)
    # An episode's twenty asks wait for one batch after another, all episodes beside each other.
    assert batch.time_s.expected == pytest.approx(20 * UNMEASURED_S["batch"].expected)
    cell, asks = batch.refused["openai/both"]
    assert (cell.condition, asks > 4) == ("E1", True)
    assert not standard.refused
    assert not batch.in_part


def asked_once(plan: Plan) -> Plan:
    """The same of FlipSet."""
    (cell,) = plan.cells
    once = replace(cell, family="flipset", condition="L1")
    episodes = tuple(replace(spec, cell=once) for spec in plan.episodes)
    return replace(plan, cells=(once,), episodes=episodes)


def test_where_some_episodes_ask_once_those_alone_are_in_batches(tmp_path: Path) -> None:
    terms = BatchTerms(Limits("both (batch)"), 0.25, 0.5)
    model = replace(BOTH, batch=terms)
    long = plan_for(tmp_path, model)
    once = asked_once(plan_for(tmp_path, model))
    both = replace(
        long, cells=(*long.cells, *once.cells), episodes=(*long.episodes, *once.episodes)
    )
    usd = {
        name: {one.tier: one.cost_usd.expected for one in tiers(plan)}
        for name, plan in (("long", long), ("once", once), ("both", both))
    }
    (batch,) = [one for one in tiers(both) if one.tier == "batch"]
    assert batch.in_part
    assert not batch.refused
    expected = usd["long"]["standard"] + usd["once"]["batch"]
    assert batch.cost_usd.expected == pytest.approx(expected)


def test_without_replies_the_latency_of_each_tier_is_assumed(tmp_path: Path) -> None:
    standard, flex = tiers(plan_for(tmp_path, BOTH))
    calls = 6 * 20
    assert standard.models["openai/both"].time_s.expected == pytest.approx(
        calls * UNMEASURED_S["standard"].expected
    )
    # Two at once in its own lane.
    assert flex.time_s.expected == pytest.approx(calls * UNMEASURED_S["flex"].expected / 2)
    assert not flex.measured


def test_an_unknown_price_leaves_at_least(tmp_path: Path) -> None:
    assert not any(one.all_costs_known for one in tiers(plan_for(tmp_path, BOTH, UNPRICED)))


def usage_of(plan: Plan, *served: str | None, latency_s: float = 30.0) -> Usage:
    """Four of six episodes ended, each of 10 asks, 5,000 tokens in and 500 out for $0.002."""
    ids = [spec.episode_id for spec in plan.episodes][:4]
    asks = tuple(
        AskUsage(each, 1600, 500, None, latency_s, tier) for each in ids for tier in served
    )
    return Usage({each: EpisodeUsage(10, True, 5000, 500, 0.002) for each in ids}, asks)


@pytest.mark.parametrize("tier", ["standard", "flex"])
def test_a_tier_is_forecast_by_what_was_paid_at_it(tmp_path: Path, tier: str) -> None:
    plan = plan_for(tmp_path, BOTH)
    forecasts = {one.tier: one for one in tiers(plan, usage_of(plan, tier))}
    other = {"standard": "flex", "flex": "standard"}[tier]
    # Two episodes are left, each as those before.
    paid = forecasts[tier].models["openai/both"]
    assert paid.cost_usd.expected == pytest.approx(2 * 0.002)
    assert forecasts[tier].measured
    # At the other tier the same tokens have the other's price.
    per_in, per_out = {"standard": (1.0, 2.0), "flex": (0.25, 0.5)}[other]
    expected = 2 * (5000 * per_in + 500 * per_out) / 1e6
    assert forecasts[other].models["openai/both"].cost_usd.expected == pytest.approx(expected)
    assert not forecasts[other].measured


def test_replies_that_name_no_tier_are_the_standard_one_s(tmp_path: Path) -> None:
    plan = plan_for(tmp_path, BOTH)
    standard, flex = tiers(plan, usage_of(plan, None))
    assert standard.measured
    assert standard.time_s.expected == pytest.approx(2 * 10 * 30.0)
    assert not flex.measured


def test_where_shed_calls_fall_back_all_of_them_may(tmp_path: Path) -> None:
    at_flex = replace(at_tier(BOTH, "flex"), fallback="standard")
    plan = plan_for(tmp_path, at_flex)
    standard, flex = tiers(plan)
    assert flex.cost_usd.high == pytest.approx(standard.cost_usd.high)
    assert flex.cost_usd.expected == pytest.approx(standard.cost_usd.expected / 4)


def test_at_most_is_at_the_dearer_price(tmp_path: Path) -> None:
    usd = []
    for model in (BOTH, at_tier(BOTH, "flex")):
        plan = plan_for(tmp_path, model)
        kinds = {kind_of(cell): SAMPLE for cell in plan.cells}
        (cell,) = estimate(plan, Samples(kinds, None, None, 0.0, None), NO_USAGE)
        usd.append(cell.at_most.cost_usd.high)
    assert usd[0] == pytest.approx(usd[1])
