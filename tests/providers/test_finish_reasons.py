"""Why replies end, in the words of servers as they answer."""

import pytest

from mirror_ray.providers.classify import end_of, failure_of

STOP = (
    *("stop", "STOP", "end_turn", "eos", "eos_token", "stop_sequence", "COMPLETE", "Completed"),
    *("eos_found", "stop_str", "FINISH_STOP", "eos_token_id"),
    *(
        "success",
        "EOT",
        "hit_stop_token",
        "FinishReason.STOP",
        "FINISH_REASON_STOP",
        "stop-sequence",
    ),
)
LENGTH = (
    *("length", "LENGTH", "max_tokens", "MAX_TOKENS", "maxTokens", "max_output_tokens", "limit"),
    *("model_length", "token_limit", "max-tokens", "FINISH_REASON_MAX_TOKENS", "length_capped"),
    *("max_tokens_reached", "output_length", "maximum_length", "token_limit_reached", "max_len"),
    *("out_of_tokens", "output_token_limit", "truncation", "length_stop", "tokens_exhausted"),
    *(
        "context_full",
        "kv_cache_full",
        "time_budget",
        "FinishReason.MAX_TOKENS",
        "max_new_tokens",
        "MaxTokens",
    ),
)
FAILED = {
    "rate_limit": ("quota_exceeded", "throttled"),
    "content_filter": (
        *("blocked_by_policy", "toxicity", "PII", "MODEL_ARMOR", "content_flagged"),
        *("content_filter", "SAFETY", "content-filter", "sensitive", "ERROR_TOXIC"),
    ),
    "timeout": ("timeout", "TIMEOUT", "gateway_timeout", "request_timed_out"),
    "connection": ("network_error", "client_disconnect"),
    "server": (
        *("abort", "aborted", "cancelled", "canceled", "USER_CANCEL", "error", "engine_overloaded"),
        *("terminated", "hangup", "watchdog", "out_of_memory", "OOM", "capacity", "busy"),
        *("insufficient_system_resource", "failed", "load"),
        *("upstream_error", "preempted", "shutdown", "evicted", "unexpected_tool_call"),
    ),
    "refusal": ("refusal",),
    "context_window": ("model_context_window_exceeded",),
}


@pytest.mark.parametrize("word", STOP)
def test_complete(word: str) -> None:
    assert (end_of(word, None), failure_of(word, None)) == ("stop", "none")


@pytest.mark.parametrize("word", LENGTH)
def test_cut_by_length_whoever_says_so(word: str) -> None:
    assert end_of(word, None) == end_of("stop", word) == end_of(word, "eos") == "length"
    assert failure_of(word, None) == "none"


@pytest.mark.parametrize(
    ("kind", "word"), [(kind, word) for kind, words in FAILED.items() for word in words]
)
def test_a_failure_whoever_says_so(kind: str, word: str) -> None:
    assert failure_of(word, None) == failure_of("stop", word) == kind


@pytest.mark.parametrize("word", ["wibble", "other", "\x1b[2J", "x" * 10_000, "停止"])
def test_what_nobody_knows_is_not_complete(word: str) -> None:
    assert (end_of(word, None), failure_of(word, None)) == ("unknown", "none")
    # A router that names it "stop" explains a word of its provider's own.
    assert end_of("stop", word) == "stop"


def test_no_reason_is_no_reason() -> None:
    assert end_of(None, None) is None
    assert end_of("", "") is None
    assert end_of("tool_use", None) == "tool_calls"
