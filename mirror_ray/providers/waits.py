"""Parses how long a provider asks to wait, in every notation that providers were seen to use."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

from mirror_ray.core.untrusted import bounded_float

_EARLIEST_EPOCH_S = 1e9
_EARLIEST_EPOCH_MS = 1e11
"""A bare number from here on is a time since 1970, in s or ms; a smaller one is a span."""

# Possessive quantifiers and atomic groups throughout: no text causes backtracking.
_RETRY_DELAY = re.compile(r"""retryDelay[\\'"]*+\s*+:\s*+[\\'"]++([\d.]++\s*+m?s)""")
_TRY_AGAIN_IN = re.compile(
    r"(?:try again in|retry (?:after|in))\s++"
    r"((?>(?:\d++(?>(?:\.\d++)?)\s*+(?:ms|s|m|h)[a-z]*+\s*+)+))",
    re.IGNORECASE,
)
_SPAN = re.compile(
    r"(?>(?:\s*+\d++(?>(?:\.\d++)?)\s*+(?:ms|s|m|h|d)[a-z]*+,?+)+)\s*+", re.IGNORECASE
)
_PART = re.compile(r"(?<![\d.])(\d++(?>(?:\.\d++)?))\s*+(ms|s|m|h|d)[a-z]*+", re.IGNORECASE)
_UNIT_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}

LONGEST_WAIT_S = 86_400.0
"""A day, the longest window of any provider: a longer wait is not accepted."""
_MOST_CHARS = 200
"""Most characters of a time in any notation."""

_WINDOWS = (
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
)
"""Windows that restart as a whole: when one is used up, its reset states when. (The per-unit resets
of OpenAI and similar providers state when a bucket will be full again, which is far too late.)"""


def retry_after_s(
    headers: Mapping[str, str], text: str, now: datetime | None = None
) -> float | None:
    """Return how long a failed call's provider asks to wait, in seconds up to `LONGEST_WAIT_S`;
    None if it does not say, or asks for longer.

    Read in this order: ``retry-after-ms``; ``retry-after`` in seconds or as an HTTP date; a
    ``retryDelay`` (google.rpc.RetryInfo) or "try again in 1m2.5s" in the body; the reset of a
    window that is used up.

    Args:
        headers: of the failed reply, names in lower case.
        text: its body, or the part that was kept.
        now: the time with which moments are compared, by default the present.
    """
    now = now or datetime.now(UTC)
    wait_s = next((wait_s for wait_s in _waits(headers, text, now) if wait_s is not None), None)
    return bounded_float(wait_s, 0.0, LONGEST_WAIT_S)


def seconds_until(text: str | None, now: datetime) -> float | None:
    """Return the seconds ≥ 0 until the time that `text` names, if any; a past time is 0.

    A bare number is a span in seconds or, if it is too large for a span, a time since 1970 in
    seconds or milliseconds. Otherwise the text is a span such as ``6m0s`` or ``120ms``, an RFC 3339
    moment or an HTTP date."""
    if text is None or len(text) > _MOST_CHARS:
        return None
    text = text.strip()
    wait_s = finite_number(text)
    if wait_s is not None:
        if wait_s >= _EARLIEST_EPOCH_MS:
            wait_s = wait_s / 1000 - now.timestamp()
        elif wait_s >= _EARLIEST_EPOCH_S:
            wait_s -= now.timestamp()
    elif _SPAN.fullmatch(text):
        wait_s = span_s(text)
    else:
        moment = _moment(text)
        wait_s = None if moment is None else (moment - now).total_seconds()
    return None if wait_s is None or not isfinite(wait_s) else max(0.0, wait_s)


def finite_number(text: str | None) -> float | None:
    """Return the finite number in `text`; None for any other text."""
    if text is None or len(text) > _MOST_CHARS:
        return None
    try:
        value = float(text.strip())
    except ValueError:
        return None
    return value if isfinite(value) else None


def span_s(text: str) -> float | None:
    """Return the sum of the spans in `text`, e.g. 62.5 for ``1m2.5s``; None without any."""
    parts = [(float(amount), unit.lower()) for amount, unit in _PART.findall(text)]
    return sum(amount * _UNIT_S[unit] for amount, unit in parts) if parts else None


def _waits(headers: Mapping[str, str], text: str, now: datetime) -> Iterator[float | None]:
    milliseconds = finite_number(headers.get("retry-after-ms"))
    yield None if milliseconds is None else max(0.0, milliseconds / 1000)
    yield seconds_until(headers.get("retry-after"), now)
    for pattern in (_RETRY_DELAY, _TRY_AGAIN_IN):
        found = pattern.search(text)
        wait_s = span_s(found.group(1)) if found else None
        yield wait_s if wait_s is not None and isfinite(wait_s) else None
    for left, reset in _WINDOWS:
        if finite_number(headers.get(left)) == 0:
            yield seconds_until(headers.get(reset), now)


def _moment(text: str) -> datetime | None:
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text)
        except (ValueError, OverflowError, IndexError, TypeError):
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
