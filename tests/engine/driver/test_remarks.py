"""What is odd about a usable reply is recorded with it, and said once for each model."""

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.provider.counters import MOST_REMARKS, ModelCounters
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.hosted_reply import reply_of_completion
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.redaction import Secrets

MODEL = Model("m", "hosted", "hosted_vllm/m", Limits("k"))


def reply_of(message: dict[str, object], **choice: object) -> Reply:
    completion = {
        "choices": [{"message": message, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 5},
    }
    return reply_of_completion(completion, MODEL, Secrets(), Exchange())


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_all_in_reasoning_content_names_the_servers_setting(content: str | None) -> None:
    reply = reply_of({"content": content, "reasoning_content": "It is red."})
    assert (reply.error_kind, reply.text.strip()) == ("none", "")
    assert "--reasoning-format none" in (reply.error or "")
    cut = reply_of({"content": content, "reasoning_content": "It"}, finish_reason="length")
    assert "max_tokens" in (cut.error or "")


def test_an_unknown_reason_is_recorded_and_the_reply_is_not_complete() -> None:
    reply = reply_of({"content": "red"}, finish_reason="wibble")
    assert (reply.text, reply.finish_reason, reply.is_cut) == ("red", "unknown", True)
    assert reply.native_finish_reason == "wibble"
    assert "unknown reason" in (reply.error or "")
    usual = reply_of({"content": "red", "reasoning_content": "hm"})
    assert (usual.error, usual.finish_reason, usual.is_cut) == (None, "stop", False)


@pytest.mark.parametrize("reason", ["MAX_TOKENS", "max_output_tokens", "model_length"])
def test_length_in_any_spelling_is_cut(reason: str) -> None:
    reply = reply_of({"content": "re"}, finish_reason=reason)
    assert (reply.finish_reason, reply.native_finish_reason, reply.is_cut) == (
        "length",
        reason,
        True,
    )


@pytest.mark.parametrize("reason", ["abort", "network_error", "timeout", "cancelled"])
def test_a_servers_failure_is_tried_again(reason: str) -> None:
    reply = reply_of({"content": "re"}, finish_reason=reason)
    assert reply.error_kind in ("server", "connection", "timeout")


def test_each_remark_is_said_once_for_a_model() -> None:
    counted = ModelCounters()
    for number in range(MOST_REMARKS + 3):
        for _ in range(2):
            counted.count(Reply("x", error=f"odd {number}"))
    assert len(counted.remarks) == MOST_REMARKS
    counters = RunCounters({"m": 5}, {}, {})
    for source in ("one Provider", "another"):
        counters.provider_read(source, {"m": counted, "of a later stage": counted})
    assert counters.news() == [f"m: odd {number}" for number in range(MOST_REMARKS)]
