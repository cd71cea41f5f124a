"""The pretended provider counts right: what it lets in is computed by hand."""

import json
from http.client import HTTPConnection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.providers.mock.limits import Allowances, Bucket, Enforced, MinuteWindow
from support.loopback import LIMITS_PROGRAM, loopback_server


def taken(allowances):
    return sum(allowances.counts.taken.values())


def test_a_bucket_starts_full_and_refills_steadily():
    bucket = Bucket(600, burst_s=1.0, now_s=0.0)
    for _ in range(10):
        assert bucket.wait_s(0.0, 1) == 0
        bucket.take(0.0, 1)
    assert bucket.wait_s(0.0, 1) == pytest.approx(0.1)
    assert bucket.wait_s(0.04, 1) == pytest.approx(0.06)
    assert bucket.wait_s(0.1001, 1) == 0
    assert bucket.told(0.5) == (pytest.approx(5), pytest.approx(0.5))
    assert bucket.wait_s(100.0, 10) == 0
    bucket.take(100.0, 10)
    assert bucket.wait_s(100.0, 1) > 0


def test_a_window_starts_anew_with_each_minute():
    window = MinuteWindow(3, phase_s=45.0, now_s=0.0)
    for _ in range(3):
        assert window.wait_s(1.0, 1) == 0
        window.take(1.0, 1)
    assert window.wait_s(5.0, 1) == pytest.approx(10.0)
    assert window.told(5.0) == (0, pytest.approx(10.0))
    assert window.wait_s(15.0, 3) == 0
    assert window.told(195.0) == (3, pytest.approx(60.0))


def test_rejections_that_count_push_the_next_slot_away():
    kind = {"rpm": 60, "latency_s": 0.5}
    lenient = Allowances(Enforced(**kind), 0.0)
    strict = Allowances(Enforced(**kind, rejections_count=True), 0.0)
    for allowances in (lenient, strict):
        assert allowances.arrive(0.0, 0) == 0
        assert allowances.arrive(0.0, 0) == pytest.approx(1.0)
        assert allowances.arrive(0.0, 0) >= 1.0
    assert lenient.arrive(1.01, 0) == 0
    assert strict.arrive(1.01, 0) == pytest.approx(1.99)
    assert strict.arrive(4.1, 0) == 0
    assert dict(strict.counts.rejected) == {0: 2, 1: 1}
    assert strict.counts.last_s == pytest.approx(4.1)


def test_a_debt_has_a_bottom():
    allowances = Allowances(Enforced(rpm=60, rejections_count=True), 0.0)
    for _ in range(1000):
        allowances.arrive(0.0, 0)
    assert allowances.arrive(61.5, 0) == 0


def test_other_limits_go_on_from_the_same_level():
    allowances = Allowances(Enforced(rpm=600), 0.0)
    for _ in range(8):
        assert allowances.arrive(0.0, 0) == 0
    allowances.enforce(Enforced(rpm=300), 0.0)
    assert [allowances.arrive(0.0, 0) for _ in range(3)] == [0, 0, pytest.approx(0.2)]
    assert dict(allowances.counts.minutes) == {0: 10}


def test_minutes_are_the_providers():
    allowances = Allowances(Enforced(rpm=2, kind="window", phase_s=50.0), 100.0)
    for now_s in (101.0, 109.0, 109.9, 110.0, 111.0, 170.5):
        allowances.arrive(now_s, 0)
    assert dict(allowances.counts.minutes) == {0: 2, 1: 2, 2: 1}


def test_tokens_are_charged_before_and_corrected_after():
    allowances = Allowances(Enforced(tpm=6000), 0.0)
    assert allowances.arrive(0.0, 100) == 0
    assert allowances.arrive(0.0, 50) == pytest.approx(0.5)
    allowances.leave(0.0, reserved=100, used=30)
    assert allowances.arrive(0.0, 50) == 0
    assert allowances.counts.tokens == 30


def test_only_so_many_at_once():
    allowances = Allowances(Enforced(concurrency=2), 0.0)
    assert allowances.arrive(0.0, 0) == allowances.arrive(0.0, 0) == 0
    assert allowances.arrive(0.0, 0) > 0
    allowances.leave(0.1, 0, 0)
    assert allowances.arrive(0.1, 0) == 0
    assert allowances.counts.most_in_flight == 2


@given(
    st.lists(st.floats(0, 3), min_size=1, max_size=200),
    st.sampled_from(["bucket", "window"]),
    st.integers(1, 200),
)
def test_never_more_than_the_allowance(gaps_s, kind, rpm):
    allowances = Allowances(Enforced(rpm=rpm, kind=kind), 0.0)
    now_s = 0.0
    for gap_s in gaps_s:
        now_s += gap_s
        allowances.arrive(now_s, 0)
    at_most = {"bucket": max(1.0, rpm / 60) + now_s * rpm / 60, "window": rpm * (now_s // 60 + 1)}
    assert taken(allowances) <= at_most[kind] + 1e-6
    assert taken(allowances) + sum(allowances.counts.rejected.values()) == len(gaps_s)


def ask(connection, method, path, body=None):
    connection.request(method, path, json.dumps(body) if body is not None else None)
    reply = connection.getresponse()
    return reply, reply.read()


def test_over_http_by_turns_enforced_told_and_counted():
    with loopback_server(program=LIMITS_PROGRAM) as server:
        connection = HTTPConnection("127.0.0.1", server.port)
        limits = {"rpm": 60, "latency_s": 0.0, "headers": True}
        assert ask(connection, "PUT", "/limits", limits)[0].status == 204
        call = {"model": "m", "messages": [{"content": "x" * 40}], "max_tokens": 20}
        reply, body = ask(connection, "POST", "/v1/chat/completions", call)
        usage = json.loads(body)["usage"]
        assert reply.status == 200
        assert usage["prompt_tokens"] == 10
        assert 5 <= usage["completion_tokens"] <= 20
        assert reply.headers["x-ratelimit-limit-requests"] == "60"
        assert reply.headers["x-ratelimit-remaining-requests"] == "0"
        turned_away, _ = ask(connection, "POST", "/v1/chat/completions", call)
        assert turned_away.status == 429
        assert turned_away.headers["Retry-After"] == "1"
        ask(connection, "PUT", "/limits", {"latency_s": 0.0, "keep": True})
        assert ask(connection, "POST", "/v1/chat/completions", call)[0].status == 200
        counts = json.loads(ask(connection, "GET", "/stats")[1])
        connection.close()
    assert sum(number for _, number in counts["taken"]) == 2
    assert sum(number for _, number in counts["rejected"]) == 1
    assert counts["tokens"] == 2 * usage["total_tokens"]
