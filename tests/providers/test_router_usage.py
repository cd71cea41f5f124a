"""Usage as routers and gateways report it: what is paid is counted, and nothing is a refund."""

import json
from typing import Any

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.providers.completion_body import plain_body
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.hosted_reply import reply_of_completion
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.redaction import Secrets

PRICED = Model(
    "m", "hosted", "hosted_vllm/m", Limits("k"), usd_per_mtok_in=1.0, usd_per_mtok_out=2.0
)
UNPRICED = Model("m", "hosted", "hosted_vllm/m", Limits("k"), base_url="http://127.0.0.1:9/v1")
TOKENS = {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500}
BY_PRICE = 0.002


def reply_of(
    usage: dict[str, Any], model: Model = UNPRICED, headers: dict[str, str] | None = None
) -> Reply:
    """Through the reduction of the body, as on the wire."""
    body = {
        "choices": [{"message": {"content": "red"}, "finish_reason": "stop"}],
        "usage": {**TOKENS, **usage},
    }
    plain, ignored = plain_body(json.dumps(body).encode(), 1000)
    exchange = Exchange()
    exchange.ignored = ignored
    hidden = {"_hidden_params": {"additional_headers": headers or {}}}
    return reply_of_completion(json.loads(plain) | hidden, model, Secrets(), exchange)


@pytest.mark.parametrize(
    ("usage", "usd"),
    [
        ({"cost": 0.004}, 0.004),
        ({"cost": 0.004, "cost_details": {"upstream_inference_cost": None}}, 0.004),
        ({"cost": 0.004, "cost_details": {"upstream_inference_cost": 0.004}}, 0.004),
        # With the user's own key.
        ({"cost": 0, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.004}}, 0.004),
        (
            {"cost": 0.001, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.02}},
            0.021,
        ),
        # Not said to be, and yet.
        ({"cost": 0, "cost_details": {"upstream_inference_cost": 0.004}}, 0.004),
        ({"cost_details": {"upstream_inference_cost": 0.004}}, 0.004),
        ({"cost": 0.001, "upstream_inference_cost": 0.02, "is_byok": True}, 0.021),
        ({"cost": {"total_cost": 0.005, "request_cost": 0.003}}, 0.005),
        ({}, None),
        ({"cost": -1}, None),
        ({"cost": True}, None),
        ({"cost": "0.01"}, None),
        ({"cost": 1e300}, None),
        ({"cost": 0, "is_byok": True, "market_cost": 0.004}, 0.004),
        (
            {
                "cost": 0,
                "is_byok": True,
                "cost_details": {
                    "upstream_inference_prompt_cost": 0.003,
                    "upstream_inference_completions_cost": 0.001,
                },
            },
            0.004,
        ),
        ({"estimated_cost": 0.004}, 0.004),
        ({"total_cost": 0.004}, 0.004),
        ({"cost": 0.004, "total_cost": 0.005}, 0.004),
        ({"cost": 0.001, "market_cost": 0.004}, 0.004),
        # Other currencies.
        ({"cost": 0.004, "currency": "usd"}, 0.004),
        ({"cost": 0.4, "currency": "CNY"}, None),
        ({"cost": {"total_cost": 0.4, "currency": "EUR"}}, None),
        ({"cost": 40, "cost_unit": "credits"}, None),
        ({"cost": {"total_cost": {"total_cost": 1}}}, None),
    ],
)
def test_what_a_router_bills(usage: dict[str, Any], usd: float | None) -> None:
    found = reply_of(usage).cost_usd
    assert found == (None if usd is None else pytest.approx(usd))


def test_a_fee_alone_is_not_the_cost_where_a_price_is_known() -> None:
    assert reply_of({"cost": 0, "is_byok": True}, PRICED).cost_usd == pytest.approx(BY_PRICE)
    assert reply_of({"cost": 0.5, "is_byok": True}, PRICED).cost_usd == pytest.approx(0.5)
    assert reply_of({"cost": 0.0001}, PRICED).cost_usd == pytest.approx(0.0001)
    assert reply_of({}, PRICED).cost_usd == pytest.approx(BY_PRICE)


def test_a_cost_of_nothing_is_not_believed_where_a_price_is_known() -> None:
    assert reply_of({"cost": 0}, PRICED).cost_usd == pytest.approx(BY_PRICE)
    assert reply_of({"cost": 0}).cost_usd == 0
    free = Model("m", "hosted", "openrouter/m:free", Limits("k"))
    assert reply_of({"cost": 0}, free).cost_usd == 0


@pytest.mark.parametrize(
    ("said", "usd"),
    [("0.004", 0.004), ("4e-3", 0.004), ("0.0", None), ("None", None), ("-1", None), ("nan", None)],
)
@pytest.mark.parametrize("prefix", ["", "llm_provider-"])
def test_a_litellm_proxy_states_the_cost_in_a_header(said: str, usd: float, prefix: str) -> None:
    headers = {f"{prefix}X-LiteLLM-Response-Cost": said}
    assert reply_of({}, UNPRICED, headers).cost_usd == usd
    assert reply_of({"cost": 0.01}, UNPRICED, headers).cost_usd == 0.01
    assert reply_of({}, PRICED, headers).cost_usd == pytest.approx(BY_PRICE)


def test_counts_under_anthropic_s_names_are_counts() -> None:
    usage = {"input_tokens": 1000, "output_tokens": 500}
    bare = {"prompt_tokens": None, "completion_tokens": None, "total_tokens": None}
    reply = reply_of({**bare, **usage}, PRICED)
    assert (reply.tokens_in, reply.tokens_out) == (1000, 500)
    assert reply.cost_usd == pytest.approx(BY_PRICE)


def test_more_cached_tokens_than_tokens_are_no_refund() -> None:
    reply = reply_of({"prompt_tokens_details": {"cached_tokens": 9_000}}, PRICED)
    assert reply.cost_usd == pytest.approx(BY_PRICE)


def test_dollars_in_details_are_not_malformed() -> None:
    details = {"upstream_inference_cost": 0.001, "upstream_inference_prompt_cost": 0.0005}
    assert reply_of({"cost": 0.001, "cost_details": details}).error is None


@pytest.mark.parametrize(
    ("usage", "tokens_out", "is_odd"),
    [
        ({}, 500, False),
        ({"completion_tokens_details": {"reasoning_tokens": 300}}, 500, False),
        # Thinking is missing from completion_tokens, and in the total.
        ({"total_tokens": 3500}, 2500, True),
        (
            {"total_tokens": 3500, "completion_tokens_details": {"reasoning_tokens": 2000}},
            2500,
            True,
        ),
        # And in the details alone.
        ({"completion_tokens_details": {"reasoning_tokens": 2000}}, 2500, True),
        ({"output_tokens_details": {"reasoning_tokens": 2000}}, 2500, True),
        ({"reasoning_tokens": 2000}, 2500, True),
        ({"reasoning_tokens": 300}, 500, False),
        ({"output_tokens": 2500}, 2500, True),
        # A total that is too small takes nothing away.
        ({"total_tokens": 7}, 500, False),
        ({"total_tokens": None}, 500, False),
        ({"total_tokens": -5}, 500, True),
    ],
)
def test_thinking_is_billed(usage: dict[str, Any], tokens_out: int, is_odd: bool) -> None:
    reply = reply_of(usage, PRICED)
    assert reply.tokens_out == tokens_out
    assert reply.cost_usd == pytest.approx((1000 + 2 * tokens_out) / 1e6)
    assert (reply.error is not None) is is_odd
