"""Headers as each provider sends them, and the allowance a minute computed by hand."""

from dataclasses import astuple
from datetime import UTC, datetime
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.types import Quota
from mirror_ray.providers.quota import grants_nothing, quota_of

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)
NOW_S = 1_767_268_800


def of_units(requests=(), tokens=(), **others):
    """x-ratelimit-{limit,remaining,reset}-{requests,tokens}, as far as given."""
    parts = ("limit", "remaining", "reset")
    named = {
        f"x-ratelimit-{part}-{unit}": value
        for unit, values in (("requests", requests), ("tokens", tokens))
        for part, value in zip(parts, values, strict=False)
    }
    return named | {name.replace("_", "-"): value for name, value in others.items()}


def anthropic(unit, limit, left, reset):
    name = f"anthropic-ratelimit-{unit}"
    return {f"{name}-limit": limit, f"{name}-remaining": left, f"{name}-reset": reset}


CASES = [
    (
        "openai",
        of_units(("5000", "4999", "12ms"), ("160000", "159976", "9ms")),
        Quota(5000, 4999, 0.012, 160_000, 159_976, 0.009),
    ),
    ("openai, whole", of_units(("500", "500", "0s")), Quota(500, 500, 0.0)),
    ("openai, used up", of_units(("60", "0", "1m0s")), Quota(60, 0, 60.0)),
    # 1 of 200 a day comes back in 432 s; 4 of 10,000 in 34.56 s.
    ("openai, 200 a day", of_units(("200", "199", "7m12s")), None),
    (
        "openai, 10,000 a day",
        of_units(("10000", "9996", "34.56s"), ("30000", "29000", "2s")),
        Quota(tpm=30_000, tokens_left=29_000, tokens_reset_s=2.0),
    ),
    (
        "groq's requests are a day's",
        of_units(("14400", "14399", "6s"), ("18000", "17997", "7.66s"), x_groq_region="us-west1"),
        Quota(tpm=18_000, tokens_left=17_997, tokens_reset_s=7.66),
    ),
    (
        "groq without its mark, by the pace of the refill",
        of_units(("14400", "14370", "2m59.56s")),
        None,
    ),
    (
        "anthropic",
        anthropic("requests", "50", "49", "2026-01-01T12:00:01Z")
        | anthropic("tokens", "48000", "47000", "2026-01-01T12:00:02Z")
        | anthropic("input-tokens", "40000", "39000", "2026-01-01T12:00:03Z"),
        Quota(50, 49, 1.0, 48_000, 47_000, 2.0),
    ),
    (
        "anthropic, input tokens alone",
        anthropic("input-tokens", "40000", "39000", "2026-01-01T12:00:03Z"),
        Quota(tpm=40_000, tokens_left=39_000, tokens_reset_s=3.0),
    ),
    (
        "azure states its window",
        of_units(
            ("1000", "999", "3"),
            ("1000000", "999992", "1"),
            x_ratelimit_renewalperiod_requests="10",
            x_ratelimit_renewalperiod_tokens="60",
        ),
        Quota(6000, 999, 3.0, 1_000_000, 999_992, 1.0),
    ),
    (
        "azure without limits",
        {"x-ratelimit-remaining-requests": "19", "x-ratelimit-remaining-tokens": "19913"},
        Quota(requests_left=19, tokens_left=19_913),
    ),
    (
        "mistral",
        {
            "x-ratelimit-limit-req-minute": "720",
            "x-ratelimit-remaining-req-minute": "717",
            "x-ratelimit-limit-tokens-minute": "5000000",
            "x-ratelimit-remaining-tokens-minute": "4999911",
            "x-ratelimit-tokens-query-cost": "52",
            "x-ratelimit-limit-tokens-month": "4000000000",
        },
        Quota(rpm=720, requests_left=717, tpm=5_000_000, tokens_left=4_999_911),
    ),
    (
        "cerebras tells the day beside the minute",
        {
            "x-ratelimit-limit-requests-day": "14400",
            "x-ratelimit-remaining-requests-day": "14399",
            "x-ratelimit-reset-requests-day": "33011.38",
            "x-ratelimit-limit-tokens-minute": "60000",
            "x-ratelimit-remaining-tokens-minute": "59000",
            "x-ratelimit-reset-tokens-minute": "11.38",
        },
        Quota(tpm=60_000, tokens_left=59_000, tokens_reset_s=11.38),
    ),
    (
        "together tells seconds",
        {
            "x-ratelimit-limit": "10",
            "x-ratelimit-remaining": "9",
            "x-ratelimit-reset": "1",
            "x-tokenlimit-limit": "3000",
            "x-tokenlimit-remaining": "2900",
        },
        Quota(600, 9, 1.0, 180_000, 2900),
    ),
    (
        "openrouter, a minute",
        {
            "X-RateLimit-Limit": "20",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": str((NOW_S + 48) * 1000),
        },
        Quota(20, 0, 48.0),
    ),
    (
        "openrouter, a day",
        {
            "X-RateLimit-Limit": "50",
            "X-RateLimit-Remaining": "0",
            "X-RateLimit-Reset": str((NOW_S + 43_200) * 1000),
        },
        None,
    ),
    (
        "ietf, older drafts",
        {"RateLimit-Limit": "100, 100;w=10", "RateLimit-Remaining": "50", "RateLimit-Reset": "5"},
        Quota(600, 50, 5.0),
    ),
    (
        "ietf, policy apart",
        {
            "ratelimit-limit": "100",
            "ratelimit-remaining": "50",
            "ratelimit-reset": "5",
            "ratelimit-policy": "10;w=1, 100;w=30",
        },
        Quota(200, 50, 5.0),
    ),
    (
        "ietf, structured",
        {
            "RateLimit": '"burst";r=50;t=30',
            "RateLimit-Policy": '"day";q=9;w=86400,"burst";q=100;w=60',
        },
        Quota(100, 50, 30.0),
    ),
    ("ietf, a day's", {"RateLimit": '"d";r=5;t=30', "RateLimit-Policy": '"d";q=9;w=86400'}, None),
    ("vllm says nothing", {"content-type": "application/json", "date": "now"}, None),
    ("no number", of_units(("unlimited", "", "soon")), None),
    ("a type's largest number is no limit", of_units(("9223372036854775807", "-1")), None),
]


@pytest.mark.parametrize(
    ("headers", "quota"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
@pytest.mark.parametrize("prefix", ["", "llm_provider-"])
def test_what_each_provider_says(headers, quota, prefix):
    said = quota_of({prefix + name: value for name, value in headers.items()}, NOW)
    if quota is None:
        assert said is None
    else:
        assert astuple(said) == pytest.approx(astuple(quota), abs=1e-6)


@pytest.mark.parametrize(
    ("headers", "nothing"),
    [
        ({"x-ratelimit-limit-req-minute": "0"}, True),
        ({"x-ratelimit-limit-req-minute": "1"}, False),
        ({"x-ratelimit-remaining-req-minute": "0"}, False),
        ({}, False),
    ],
)
def test_a_limit_of_nothing_is_no_pace(headers, nothing):
    assert grants_nothing(headers) is nothing
    quota = quota_of(headers)
    assert quota is None or quota.rpm != 0


_NAMES = st.sampled_from(
    sorted(
        {name for _, headers, _ in CASES for name in headers}
        | {"ratelimit", "ratelimit-policy", "x-groq-region", "x-tokenlimit-reset"}
    )
)
_VALUES = st.one_of(
    st.text(max_size=30),
    st.floats().map(str),
    st.integers(-10, 10**20).map(str),
    st.from_regex(r"[0-9.]{1,5}(ms|s|m|h|d)", fullmatch=True),
    st.from_regex(
        r'"?[a-z0-9]{1,4}"?(;(r|t|q|w)=[0-9]{1,6}){0,3}(, ?1;w=[0-9]{1,9})?', fullmatch=True
    ),
    st.datetimes().map(str),
)


@given(st.dictionaries(st.one_of(_NAMES, st.text(max_size=20)), _VALUES, max_size=8))
def test_any_headers_give_sane_figures_or_none(headers):
    quota = quota_of(headers, NOW)
    grants_nothing(headers)
    if quota is not None:
        told = [figure for figure in astuple(quota) if figure is not None]
        assert told
        assert all(isfinite(figure) and figure >= 0 for figure in told)
        assert quota.rpm != 0
        assert quota.tpm != 0


@pytest.mark.parametrize(
    ("limit", "rpm"),
    [
        ("1e-300", None),
        ("0", None),
        ("-0", None),
        ("-5", None),
        ("inf", None),
        ("nan", None),
        ("1e308", None),
        ("1e12", None),
        ("9" * 5000, None),
        ("0.001", None),
        ("1", 1.0),
        ("999999999999", 999_999_999_999.0),
    ],
)
def test_no_limit_is_believed_that_nobody_would_have(limit, rpm):
    quota = quota_of({"x-ratelimit-limit-requests": limit, "x-ratelimit-remaining-requests": "1"})
    assert quota is None or quota.rpm == rpm
    tokens = quota_of({"x-ratelimit-limit-tokens": limit, "x-ratelimit-remaining-tokens": "1"})
    assert tokens is None or tokens.tpm == rpm
    windowed = quota_of({"ratelimit-limit": limit, "ratelimit-policy": f"{limit};w=0.0001"})
    assert windowed is None or windowed.rpm is None or windowed.rpm <= 1e12


def test_resets_are_no_longer_than_a_day():
    told = {
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "49",
        "anthropic-ratelimit-requests-reset": "9999-01-01T00:00:00Z",
    }
    assert quota_of(told).requests_reset_s == 86_400


def test_only_so_many_headers_of_a_length_are_read():
    limit = {"x-ratelimit-limit-requests": "600"}
    assert quota_of({**{f"x-{number}": "1" for number in range(1000)}, **limit}) is None
    assert quota_of({"x-ratelimit-limit-requests": "600" + " " * 1000}) is None
    assert quota_of({"x" * 1000: "1", 5: "1", **limit}).rpm == 600
