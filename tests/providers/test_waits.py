"""Every notation of a wait, computed by hand."""

from datetime import UTC, datetime
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.providers.waits import LONGEST_WAIT_S, retry_after_s, seconds_until

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)
NOW_S = 1_767_268_800


@pytest.mark.parametrize(
    ("text", "wait_s"),
    [
        ("1s", 1.0),
        ("6m0s", 360.0),
        ("120ms", 0.12),
        ("1h2m3.5s", 3723.5),
        ("2d", 172_800.0),
        ("7.66s", 7.66),
        ("30", 30.0),
        ("-3", 0.0),
        ("2026-01-01T12:00:30Z", 30.0),
        ("2026-01-01T13:01:00+01:00", 60.0),
        ("2026-01-01T11:59:00Z", 0.0),
        ("Thu, 01 Jan 2026 12:01:30 GMT", 90.0),
        (str(NOW_S + 20), 20.0),
        (str((NOW_S + 20) * 1000), 20.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        (None, None),
        ("9999-12-31T23:59:59-23:59", pytest.approx(2.5e11, rel=0.1)),
    ],
)
def test_seconds_until(text, wait_s):
    assert seconds_until(text, NOW) == (None if wait_s is None else pytest.approx(wait_s))


@pytest.mark.parametrize(
    ("text", "headers", "wait_s"),
    [
        ("", {"retry-after": "7"}, 7.0),
        ("", {"retry-after": "1.5"}, 1.5),
        ("", {"retry-after": "7", "retry-after-ms": "350"}, 0.35),
        ("", {"retry-after": "Thu, 01 Jan 2026 12:01:30 GMT"}, 90.0),
        ("", {"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ("", {"retry-after": "-5"}, 0.0),
        ("", {"retry-after": "nan"}, None),
        ("", {"retry-after": "soon"}, None),
        ("", {"retry-after": "86400"}, 86_400.0),
        ("", {"retry-after": "86401"}, None),
        ("", {"retry-after": "999999999"}, None),
        ("", {"retry-after": "9999-12-31T23:59:59Z"}, None),
        ("", {"retry-after-ms": "1e308"}, None),
        ("", {"retry-after": "1" + "0" * 5000}, None),
        ("try again in " + "9" * 5000 + "s", {}, None),
        ("try again in " + "1s" * 5000 + "!", {}, 5000.0),
        ("Please try again in 350ms.", {}, 0.35),
        ("Please try again in 20s. Visit", {}, 20.0),
        ("Please try again in 1m2.5s.", {}, 62.5),
        ("try again in 6 minutes", {}, 360.0),
        ("Please retry in 12.5s.", {}, 12.5),
        ("Please retry after 32 seconds.", {}, 32.0),
        ('{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}', {}, 34.0),
        (r'b\'{\\"retryDelay\\": \\"34.074824224s\\"}\'', {}, 34.074824224),
        ("{'retryDelay': '250ms'}", {}, 0.25),
        ("try again tomorrow", {}, None),
        ("try again in 3s", {"retry-after": "2"}, 2.0),
        ("", {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(NOW_S * 1000 + 1500)}, 1.5),
        ("", {"x-ratelimit-remaining": "3", "x-ratelimit-reset": str(NOW_S * 1000 + 1500)}, None),
        ("", {"ratelimit-remaining": "0", "ratelimit-reset": "12"}, 12.0),
        # When a bucket is full again is no answer to when a call fits.
        ("", {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "60s"}, None),
    ],
)
def test_retry_after(text, headers, wait_s):
    assert retry_after_s(headers, text, NOW) == (None if wait_s is None else pytest.approx(wait_s))


_TEXT = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"(try again in |retryDelay\": \")[0-9.]{0,8}(ms|s|m|h)?", fullmatch=True),
    st.from_regex(r"[0-9]{1,400}(\.[0-9]+)?(ms|s|m|h|d)?", fullmatch=True),
    st.floats().map(str),
    st.datetimes().map(str),
)


@given(_TEXT, _TEXT, _TEXT, _TEXT)
def test_any_wait_is_none_or_a_time(after, milliseconds, reset, text):
    headers = {
        "retry-after": after,
        "retry-after-ms": milliseconds,
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": reset,
    }
    wait_s = retry_after_s(headers, text, NOW)
    assert wait_s is None or (isfinite(wait_s) and 0 <= wait_s <= LONGEST_WAIT_S)
