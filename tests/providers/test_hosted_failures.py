"""Hosted models that fail, over real HTTP: told by kind, bounded in time, sent once."""

import pytest

from mirror_ray.providers.backend import backend_for
from support.providers.hosted_asks import ask, model_of, request_of

pytestmark = pytest.mark.usefixtures("loopback_key")

FAILURES = [
    ("429", "rate_limit", 0.05),
    ("quota", "auth", None),
    ("limits_429", "rate_limit", 0.1),
    ("daily", "rate_limit", 432.0),
    ("retry_info", "rate_limit", 34.0),
    ("no_allowance", "auth", None),
    ("payment", "auth", None),
    ("region", "auth", None),
    ("location", "auth", None),
    ("429_in_body", "rate_limit", None),
    ("free_429", "rate_limit", 0.0),
    ("context_in_body", "context_window", None),
    ("credits_in_body", "auth", None),
    ("mute", "server", None),
    ("500", "server", None),
    ("503", "server", 1.0),
    ("529", "server", None),
    ("404", "bad_request", None),
    ("413", "bad_request", None),
    ("context", "context_window", None),
    ("moderated", "content_filter", None),
    ("echo_key", "auth", None),
    ("drop", "connection", None),
    ("cut", "connection", None),
    ("html", "server", None),
    ("truncated", "server", None),
    ("error_body", "server", None),
    ("no_choices", "server", None),
    ("filter", "content_filter", None),
    ("refusal", "refusal", None),
    ("midway", "server", None),
]


@pytest.mark.parametrize(("fault", "kind", "wait_s"), FAILURES)
async def test_failures_are_told_not_raised_and_sent_once(loopback, provider, fault, kind, wait_s):
    calls = loopback.stats()["calls"]
    reply = await ask(model_of(loopback, f"blind~{fault}", provider))
    assert (reply.error_kind, reply.retry_after_s) == (kind, wait_s), reply.error
    assert reply.error
    assert "\n" not in reply.error
    assert loopback.stats()["calls"] == calls + 1


@pytest.mark.parametrize("fault", ["hang", "trickle"])
async def test_an_attempt_is_bounded_as_a_whole(loopback, provider, fault):
    reply = await ask(model_of(loopback, f"blind~{fault}", provider, timeout_s=0.5))
    assert reply.error_kind == "timeout"
    assert reply.text == ""
    assert "0.5 s" in reply.error
    assert reply.latency_s >= 0.5


async def test_nobody_listens(provider, loopback):
    model = model_of(loopback, "blind", provider, base_url="http://127.0.0.1:9/v1")
    reply = await ask(model)
    assert reply.error_kind == "connection"


async def test_a_fault_of_the_first_sendings_only(loopback):
    backend = backend_for(model_of(loopback, "blind~503~2"))
    kinds = [(await backend.reply(request_of())).error_kind for _ in range(3)]
    await backend.aclose()
    assert kinds == ["server", "server", "none"]
