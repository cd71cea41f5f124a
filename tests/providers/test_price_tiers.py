"""Price tiers: what is sent for them, which one served, and what each call costs by it."""

import json
from dataclasses import replace

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.core.types import Reply
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_call import call_parameters
from mirror_ray.providers.model import Limits, Model, TierTerms
from mirror_ray.providers.price_tiers import (
    as_listed,
    at_tier,
    cost_usd,
    is_free_of_charge,
    lanes_of,
    priced_as,
    served_tier,
    worst_case_usd,
)
from mirror_ray.providers.probe import request_for
from support.canned_server import Canned, canned_server
from support.providers.hosted_asks import request_of

LISTED = Model(
    "m",
    "hosted",
    "openai/m",
    Limits("m", rpm=600),
    usd_per_mtok_in=2.0,
    usd_per_mtok_out=10.0,
    usd_per_mtok_cached=0.5,
    timeout_s=20.0,
    flex=TierTerms(Limits("m (flex)", rpm=60), 1.0, 5.0, 0.25, timeout_s=30.0),
)
FLEX = at_tier(LISTED, "flex")


def cost(model: Model, served) -> float | None:
    figures = {"tokens_in": 1000, "tokens_out": 100, "tokens_cached": 400}
    return cost_usd(model, reported_usd=None, served=served, **figures)


def completion(**more) -> Canned:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "A"}}
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    body = {"object": "chat.completion", "model": "m", "choices": [choice], "usage": usage, **more}
    return Canned(200, json.dumps(body))


async def reply_to(canned: Canned, model: Model, target: str = "hosted_vllm/m") -> Reply:
    with canned_server({"v1": canned}) as address:
        backend = Hosted(replace(model, target=target, base_url=f"{address}/v1"))
        reply = await backend.reply(request_of())
        await backend.aclose()
    return reply


def test_at_flex_a_model_has_its_flex_terms_and_goes_back_to_what_is_listed():
    assert (FLEX.usd_per_mtok_in, FLEX.usd_per_mtok_out, FLEX.usd_per_mtok_cached) == (1, 5, 0.25)
    assert (FLEX.timeout_s, FLEX.limits.key, FLEX.tier) == (30.0, "m (flex)", "flex")
    assert at_tier(FLEX, "standard") == at_tier(LISTED, "standard") == LISTED
    assert at_tier(FLEX, "flex") == FLEX
    assert as_listed(FLEX) == replace(LISTED, tier="flex")
    with pytest.raises(ValueError, match="no flex price"):
        at_tier(replace(LISTED, flex=None), "flex")


def test_a_standard_lane_is_there_only_to_fall_back_to():
    assert lanes_of(LISTED) == (LISTED,)
    assert lanes_of(FLEX) == (FLEX,)
    first, second = lanes_of(replace(FLEX, fallback="standard"))
    assert (first.tier, second.tier) == ("flex", "standard")
    assert second.limits == LISTED.limits


def test_the_tier_that_served_prices_a_call():
    # 600 + 400 cached tokens in, 100 out.
    assert cost(FLEX, "flex") == cost(FLEX, None) == pytest.approx(600e-6 + 100e-6 + 500e-6)
    assert cost(FLEX, "standard") == pytest.approx(1200e-6 + 200e-6 + 1000e-6)
    assert cost(LISTED, None) == cost(LISTED, "standard") == pytest.approx(2400e-6)
    # A project's own default may be flex.
    assert cost(LISTED, "flex") == pytest.approx(1200e-6)
    # Nobody has said what these cost.
    assert cost(FLEX, "priority") is None
    assert cost(replace(LISTED, flex=None), "flex") is None
    # An entry that asks for a tier by `extra` states that tier's prices.
    by_extra = replace(LISTED, flex=None, extra={"service_tier": "priority"})
    assert priced_as(by_extra, "priority") == by_extra


def test_what_is_set_aside_is_the_dearer_price():
    assert worst_case_usd(FLEX, 1000, 100) == worst_case_usd(LISTED, 1000, 100) == 3000e-6
    assert worst_case_usd(replace(LISTED, usd_per_mtok_in=None), 1, 1) is None
    free_at_flex = replace(LISTED, flex=TierTerms(Limits("f"), 0.0, 0.0))
    assert not is_free_of_charge(at_tier(free_at_flex, "flex"))
    assert is_free_of_charge(replace(LISTED, usd_per_mtok_in=0.0, usd_per_mtok_out=0.0))


@pytest.mark.parametrize(
    ("label", "tier"),
    [
        ("default", "standard"),
        ("on_demand", "standard"),
        ("Flex", "flex"),
        ("priority", "priority"),
        ("auto", None),
        ("f" * 5000, None),
        (None, None),
        (["flex"], None),
    ],
)
def test_makers_words(label, tier):
    assert served_tier(label) == tier


@pytest.mark.parametrize("target", ["hosted_vllm/m", "openai/m"])
async def test_the_served_tier_is_read_from_the_reply(target):
    flex = await reply_to(completion(service_tier="flex"), FLEX, target)
    assert (flex.service_tier, flex.cost_usd) == ("flex", pytest.approx(1000e-6 + 500e-6))
    downgraded = await reply_to(completion(service_tier="default"), FLEX, target)
    assert (downgraded.service_tier, downgraded.cost_usd) == ("standard", pytest.approx(3000e-6))
    silent = await reply_to(completion(), FLEX, target)
    assert (silent.service_tier, silent.cost_usd) == (None, pytest.approx(1500e-6))


@pytest.mark.parametrize("odd", [7, {"flex": 1}, ["flex"], "cheapest", True])
async def test_an_odd_tier_is_none(odd):
    reply = await reply_to(completion(service_tier=odd), FLEX)
    assert (reply.error_kind, reply.service_tier) == ("none", None)
    assert reply.cost_usd == pytest.approx(1500e-6)


UNAVAILABLE = {"error": {"code": "resource_unavailable", "message": "429 Resource Unavailable"}}
LIMITED = {"error": {"code": "rate_limit_exceeded", "message": "Rate limit reached for m"}}


@pytest.mark.parametrize(
    ("status", "body", "at_flex", "at_standard"),
    [
        (429, UNAVAILABLE, "shed", "rate_limit"),
        (429, LIMITED, "rate_limit", "rate_limit"),
        (503, {"error": {"message": "The model is overloaded."}}, "shed", "server"),
        (500, {"error": {"message": "oops"}}, "server", "server"),
    ],
)
@pytest.mark.parametrize("target", ["hosted_vllm/m", "openai/m"])
async def test_only_a_flex_call_is_shed(status, body, at_flex, at_standard, target):
    canned = Canned(status, json.dumps(body))
    assert (await reply_to(canned, FLEX, target)).error_kind == at_flex
    assert (await reply_to(canned, LISTED, target)).error_kind == at_standard


def test_openai_s_word_is_sent_at_a_tier_and_none_without():
    assert call_parameters(request_for(FLEX), FLEX)["service_tier"] == "flex"
    assert call_parameters(request_for(FLEX), FLEX.standard)["service_tier"] == "default"
    assert "service_tier" not in call_parameters(request_for(LISTED), LISTED)


@pytest.mark.parametrize(
    ("tier", "suffix", "beside"),
    [("flex", "flex", ()), ("batch", "batches", ("anthropic/claude-sonnet-4-6",))],
)
def test_the_packaged_prices_of_tiers_are_litellm_s(monkeypatch, tier, suffix, beside):
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    catalogue = load_catalogue()
    offered = {}
    for name in catalogue.match("*"):
        costs = litellm.model_cost.get(name) or litellm.model_cost.get(name.partition("/")[2], {})
        if f"input_cost_per_token_{suffix}" in costs:
            offered[name] = tuple(
                pytest.approx(costs[f"{key}_{suffix}"] * 1e6)
                for key in ("input_cost_per_token", "output_cost_per_token")
            )
            terms = getattr(catalogue.resolve(name, "x"), tier)
            assert terms is not None, name
            assert (terms.usd_per_mtok_in, terms.usd_per_mtok_out) == offered[name]
            if cached := costs.get(f"cache_read_input_token_cost_{suffix}"):
                assert terms.usd_per_mtok_cached == pytest.approx(cached * 1e6)
    assert set(offered) == {
        "gemini/gemini-2.5-flash",
        "gemini/gemini-2.5-pro",
        "openai/gpt-5.1",
        *beside,
    }


def test_an_entry_s_flex_terms(written):
    path = written(
        "models: {openai/x: {rpm: 600, concurrency: 8, usd_per_mtok_in: 2, usd_per_mtok_out: 8,"
        " flex: {usd_per_mtok_in: 1, usd_per_mtok_out: 4, concurrency: 200}},"
        " openai/gpt-5.1: {base_url: 'http://127.0.0.1:1/v1'}}"
    )
    catalogue = load_catalogue(path)
    terms = catalogue.resolve("openai/x", "x").flex
    assert terms is not None
    assert terms.limits == Limits("openai/x (flex)", rpm=600, concurrency=200)
    assert (terms.timeout_s, terms.usd_per_mtok_cached) == (900.0, None)
    # Another server's prices are not the maker's.
    assert catalogue.resolve("openai/gpt-5.1", "x").flex is None


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("flex: {usd_per_mtok_in: 1}", "flex.usd_per_mtok_out"),
        ("flex: {usd_per_mtok_in: 1, usd_per_mtok_out: 1, price: 1}", "timeout_s"),
        ("flex: true", "flex"),
        ("agent: observer, flex: {usd_per_mtok_in: 1, usd_per_mtok_out: 1}", "flex for an agent"),
    ],
)
def test_wrong_terms_are_refused(written, entry, message):
    with pytest.raises(SweepError) as refused:
        load_catalogue(written(f"models: {{openai/x: {{{entry}}}}}"))
    assert message in str(refused.value)
