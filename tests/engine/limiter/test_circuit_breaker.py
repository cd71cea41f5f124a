"""A model that refuses everything is stopped; one that refuses some is not."""

from mirror_ray.engine.limiter.circuit_breaker import (
    FAILURES_IN_A_ROW,
    FIRST_REST_S,
    REFUSED_FOR_S,
    REFUSED_IN_A_ROW,
    TURNED_AWAY_IN_A_ROW,
    CircuitBreaker,
)


def refused(breaker: CircuitBreaker, times: int, *, from_s: float, every_s: float) -> float:
    """Returns when the last of them ended."""
    now_s = from_s
    for _ in range(times):
        breaker.ended(now_s, now_s, "rate_limit", "HTTP 429: top up")
        now_s += every_s
    return now_s - every_s


def test_a_series_without_an_answer_ends_in_the_providers_words() -> None:
    breaker = CircuitBreaker("lab/m")
    now_s = refused(breaker, REFUSED_IN_A_ROW, from_s=0.0, every_s=REFUSED_FOR_S / 10)
    stop = breaker.bars(now_s)
    assert stop is not None
    assert (stop.error_kind, stop.waits) == ("rate_limit", False)
    for said in ("lab/m has refused 20 calls in a row over 6 min", "HTTP 429: top up", "money"):
        assert said in stop.reason, said
    assert breaker.unreachable(now_s) is None


def test_many_refusals_in_a_short_time_are_a_rate() -> None:
    breaker = CircuitBreaker("lab/m")
    now_s = refused(breaker, 500, from_s=0.0, every_s=REFUSED_FOR_S / 501)
    assert breaker.bars(now_s) is None


def test_few_refusals_in_a_long_time_are_patience() -> None:
    breaker = CircuitBreaker("lab/m")
    now_s = refused(breaker, REFUSED_IN_A_ROW - 1, from_s=0.0, every_s=60.0)
    assert breaker.bars(now_s) is None


def test_one_answer_breaks_the_series() -> None:
    for answer in ("none", "content_filter", "bad_request"):
        breaker = CircuitBreaker("lab/m")
        now_s = refused(breaker, REFUSED_IN_A_ROW - 1, from_s=0.0, every_s=60.0)
        breaker.ended(now_s, now_s, answer)
        now_s = refused(breaker, REFUSED_IN_A_ROW - 1, from_s=now_s + 1.0, every_s=60.0)
        assert breaker.bars(now_s) is None, answer


def test_failures_among_the_refusals_do_not_hide_the_series() -> None:
    breaker = CircuitBreaker("lab/m")
    now_s = 0.0
    for _ in range(REFUSED_IN_A_ROW):
        breaker.ended(now_s, now_s, "server")
        now_s = refused(breaker, 1, from_s=now_s + 10.0, every_s=0.0)
    assert breaker.bars(now_s) is not None


def test_after_the_stop_a_call_now_and_then_tries_again() -> None:
    breaker = CircuitBreaker("lab/m")
    now_s = refused(breaker, REFUSED_IN_A_ROW, from_s=0.0, every_s=20.0)
    assert breaker.bars(now_s + FIRST_REST_S) is None
    breaker.sent()
    assert breaker.bars(now_s + FIRST_REST_S) is not None
    breaker.ended(now_s + FIRST_REST_S, now_s + FIRST_REST_S, "rate_limit")
    assert breaker.bars(now_s + 2 * FIRST_REST_S) is not None
    breaker.ended(now_s + 60.0, now_s + 60.0, "none")
    assert breaker.bars(now_s + 60.0) is None


def test_fast_refusals_of_single_calls_wait_for_the_answers_of_the_others() -> None:
    breaker = CircuitBreaker("lab/m")
    for _ in range(20):
        breaker.sent()
    for _ in range(4):
        breaker.ended(1.0, 0.0, "auth", "HTTP 403: blocked")
    assert breaker.bars(1.0) is None
    for _ in range(8):
        breaker.ended(5.0, 0.0, "none")
    for _ in range(TURNED_AWAY_IN_A_ROW - 1):
        breaker.ended(6.0, 0.0, "auth")
    assert breaker.bars(6.0) is None


def test_a_wrong_key_is_one_after_all_calls_that_were_out() -> None:
    breaker = CircuitBreaker("lab/m")
    for _ in range(5):
        breaker.sent()
    for n in range(5):
        assert breaker.bars(1.0) is None, n
        breaker.ended(1.0, 0.0, "auth")
    assert breaker.bars(1.0) is not None
    # Calls that never come back are not awaited for ever.
    breaker = CircuitBreaker("lab/m")
    for _ in range(50):
        breaker.sent()
    for _ in range(FAILURES_IN_A_ROW):
        assert breaker.bars(1.0) is None
        breaker.ended(1.0, 0.0, "auth")
    assert breaker.bars(1.0) is not None
