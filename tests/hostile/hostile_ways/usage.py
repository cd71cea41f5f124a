"""Usage: counts and costs that are negative, endless, of other types, or too many."""

from collections.abc import Mapping

from hostile_ways.answers import Way, in_usage, literal, put, without

_COUNTS: Mapping[str, object] = {
    "minus-1": -1,
    "minus-1e9": -1_000_000_000,
    "2-63": 2**63,
    "2-63-less-1": 2**63 - 1,
    "2-64": 2**64,
    "2-1000": 2**1000,
    "1e15": 10**15,
    "half": 1.5,
    "text": "12",
    "null": None,
    "true": True,
    "list": [1],
    "object": {"a": 1},
}
_LITERALS = ("1e999", "-1e999", "NaN", "1e300", "-0.0", "9" * 4000)

_COSTS: Mapping[str, object] = {
    "minus-1000": -1000,
    "minus-tiny": -1e-300,
    "1e300": 1e300,
    "1e13": 1e13,
    "2-1000": 2**1000,
    "text": "0.1",
    "true": True,
    "null": None,
    "list": [1.0],
    "object": {"usd": 1.0},
}
COSTS_OF_NOTE = ("1e999", "-1e999", "NaN", "-Infinity", "5e-324", "9" * 400)

USAGE: Mapping[str, Way] = {
    "usage-missing": without("usage"),
    "usage-null": put("usage", None),
    "usage-number": put("usage", 5),
    "usage-text": put("usage", "12"),
    "usage-list": put("usage", [1, 2]),
    "usage-true": put("usage", True),
    "usage-empty": put("usage", {}),
    **{f"tokens-in-{name}": in_usage(prompt_tokens=value) for name, value in _COUNTS.items()},
    **{f"tokens-in-{text[:6]}": literal("usage.prompt_tokens", text) for text in _LITERALS},
    **{f"tokens-out-{name}": in_usage(completion_tokens=value) for name, value in _COUNTS.items()},
    **{f"tokens-out-{text[:6]}": literal("usage.completion_tokens", text) for text in _LITERALS},
    "tokens-both-minus": in_usage(prompt_tokens=-(10**9), completion_tokens=-(10**9)),
    "tokens-both-huge": in_usage(prompt_tokens=2**62, completion_tokens=2**62),
    "tokens-total-only": put("usage", {"total_tokens": 2**80}),
    "tokens-total-minus": in_usage(total_tokens=-5),
    "tokens-cached-minus": in_usage(prompt_tokens_details={"cached_tokens": -(10**9)}),
    "tokens-cached-more": in_usage(prompt_tokens_details={"cached_tokens": 10**9}),
    "tokens-cached-huge": in_usage(prompt_tokens_details={"cached_tokens": 2**63}),
    "tokens-cached-text": in_usage(prompt_tokens_details={"cached_tokens": "x"}),
    "tokens-image-huge": in_usage(prompt_tokens_details={"image_tokens": 2**63}),
    "tokens-image-minus": in_usage(prompt_tokens_details={"image_tokens": -1}),
    "details-number": in_usage(prompt_tokens_details=5, completion_tokens_details=5),
    "details-text": in_usage(prompt_tokens_details="x", completion_tokens_details="y"),
    "details-list": in_usage(prompt_tokens_details=[1], completion_tokens_details=[2]),
    "details-odd": in_usage(
        prompt_tokens_details={"cached_tokens": {"a": 1}, "image_tokens": [2], "text_tokens": "x"},
        completion_tokens_details={"reasoning_tokens": "x", "audio_tokens": 2**70},
    ),
    "details-nan": literal("usage.prompt_tokens_details", '{"cached_tokens": NaN}'),
    "reasoning-tokens-huge": in_usage(completion_tokens_details={"reasoning_tokens": 2**70}),
    "cache-creation-minus": in_usage(
        cache_creation_input_tokens=-(10**9), cache_read_input_tokens=2**70
    ),
    **{f"cost-{name}": in_usage(cost=value) for name, value in _COSTS.items()},
    **{f"cost-{text[:9]}": literal("usage.cost", text) for text in COSTS_OF_NOTE},
    "cost-tenth": in_usage(cost=0.1),
    "cost-details": in_usage(cost_details={"upstream_inference_cost": -1000}, cost=5e-324),
}
