"""Reads a key's limits per minute from a provider's headers.

It knows the header names of OpenAI, Anthropic, Azure, Groq, Mistral, Cerebras, Together, OpenRouter
and the IETF's drafts. Some providers use the same names for limits per day, which are recognized
and left out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from mirror_ray.core.types import Quota
from mirror_ray.core.untrusted import bounded_float
from mirror_ray.providers.waits import LONGEST_WAIT_S, finite_number, seconds_until

_MINUTE_S = 60.0
_DAY_S = 86_400.0
_LONGEST_MINUTE_S = 65.0
"""A minute's allowance is restored within a minute, plus some seconds of clock difference."""
_LONGEST_WINDOW_S = 3600.0
"""A stated window up to this length is spread evenly; a longer one defines no pace."""
_ROUNDING = 0.1

_UNLIMITED = 1e12
"""Limits from here on are the largest number of some type, and mean no limit."""
_SLOWEST_PER_MINUTE = 1 / 60
"""One per hour; no provider in use states a slower pace."""

_MOST_HEADERS = 200
_MOST_HEADER_CHARS = 500

_PREFIX = "llm_provider-"


@dataclass(frozen=True, slots=True)
class _Names:
    """Headers of one limit. `window_s` is its period; None: inferred from the other headers."""

    limit: str
    left: str
    reset: str
    window_s: float | None = None


def _names(pattern: str, window_s: float | None = None) -> _Names:
    limit, left, reset = map(pattern.format, ("limit", "remaining", "reset"))
    return _Names(limit, left, reset, window_s)


_REQUESTS = (
    _names("anthropic-ratelimit-requests-{}", _MINUTE_S),
    _names("x-ratelimit-{}-req-minute", _MINUTE_S),
    _names("x-ratelimit-{}-requests-minute", _MINUTE_S),
    _names("x-ratelimit-{}-requests"),
    _names("x-ratelimit-{}"),
    _names("ratelimit-{}"),
)
_TOKENS = (
    # Anthropic's plain "tokens" belong to the strictest limit in force.
    _names("anthropic-ratelimit-tokens-{}", _MINUTE_S),
    _names("anthropic-ratelimit-input-tokens-{}", _MINUTE_S),
    _names("x-ratelimit-{}-tokens-minute", _MINUTE_S),
    _names("x-ratelimit-{}-tokens"),
    # Together states tokens per second.
    _names("x-tokenlimit-{}", 1.0),
)


@dataclass(frozen=True, slots=True)
class _Allowance:
    per_minute: float | None = None
    left: float | None = None
    reset_s: float | None = None


_NOTHING = _Allowance()


def quota_of(headers: Mapping[str, str], now: datetime | None = None) -> Quota | None:
    """Return the limits that a reply's headers state, if any; unreadable headers count as absent.

    A limit for up to an hour counts by its share of a minute. A day's limit is left out, along with
    its remaining count. A day's limit is recognized by Groq's mark, by a reset later than a minute
    from now, or by a bucket that refills at a day's pace (OpenAI's lower tiers: 200 requests, one
    used, full again in 7m12s).

    Args:
        headers: names in any case, with or without litellm's prefix.
        now: the time with which moments are compared, by default the present.
    """
    now = now or datetime.now(UTC)
    said = plain_headers(headers)
    said = {**_structured(said), **said}
    requests = _first(_REQUESTS, said, now)
    tokens = _first(_TOKENS, said, now)
    if requests == tokens == _NOTHING:
        return None
    return Quota(
        rpm=requests.per_minute,
        requests_left=requests.left,
        requests_reset_s=requests.reset_s,
        tpm=tokens.per_minute,
        tokens_left=tokens.left,
        tokens_reset_s=tokens.reset_s,
    )


def grants_nothing(headers: Mapping[str, str]) -> bool:
    """Return whether a limit of 0 is stated: the plan excludes the model, and waiting does not
    help."""
    said = plain_headers(headers)
    limits = (_amount(said.get(names.limit)) for names in (*_REQUESTS, *_TOKENS))
    return any(limit == 0 for limit in limits)


def plain_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return names in lower case without litellm's prefix. Longer or more headers than any provider
    sends are dropped, so that every reader of them is fast."""
    plain = {}
    for name, value in islice(headers.items(), _MOST_HEADERS):
        if isinstance(name, str) and len(name) + len(said := f"{value}") <= _MOST_HEADER_CHARS:
            plain[name.lower().removeprefix(_PREFIX)] = said
    return plain


def _first(dialects: tuple[_Names, ...], said: Mapping[str, str], now: datetime) -> _Allowance:
    found = (_allowance(names, said, now) for names in dialects)
    return next((one for one in found if one != _NOTHING), _NOTHING)


def _allowance(names: _Names, said: Mapping[str, str], now: datetime) -> _Allowance:
    limit, left = _amount(said.get(names.limit)), _amount(said.get(names.left))
    if limit is None and left is None:
        return _NOTHING
    reset = said.get(names.reset)
    reset_s = seconds_until(reset, now)
    window_s = names.window_s or _stated_window_s(names, limit, said)
    if window_s is None and _is_a_days(limit, left, reset, reset_s):
        window_s = _DAY_S
    window_s = window_s or _MINUTE_S
    if window_s > _LONGEST_WINDOW_S:
        return _NOTHING
    per_minute = None if limit is None else limit * _MINUTE_S / window_s
    return _Allowance(
        bounded_float(per_minute, _SLOWEST_PER_MINUTE, _UNLIMITED),
        left,
        None if reset_s is None else min(reset_s, LONGEST_WAIT_S),
    )


def _stated_window_s(names: _Names, limit: float | None, said: Mapping[str, str]) -> float | None:
    """Return the window of an allowance in seconds, as stated by headers other than its reset."""
    renewal = names.limit.replace("-limit-", "-renewalperiod-")
    period_s = finite_number(said.get(renewal)) if renewal != names.limit else None
    if period_s is not None and period_s > 0:
        return period_s
    if names.limit == "x-ratelimit-limit-requests" and any(
        name.startswith("x-groq-") for name in said
    ):
        return _DAY_S
    if names.limit == "x-ratelimit-limit" and "x-tokenlimit-limit" in said:
        return 1.0
    # 100, 100;w=60, 5000;w=3600: the first limit is in force, and the item with the equal limit has
    # its window.
    for policy in (said.get(names.limit, ""), said.get("ratelimit-policy", "")):
        for quota, window in _POLICY.findall(policy):
            if finite_number(quota) == limit and (window_s := finite_number(window)):
                return window_s
    return None


def _is_a_days(
    limit: float | None, left: float | None, reset: str | None, reset_s: float | None
) -> bool:
    if reset is None or reset_s is None:
        return False
    if reset_s > _LONGEST_MINUTE_S:
        return True
    # Only a span with a unit is exact enough to compute how fast a bucket refills.
    if limit is None or left is None or limit <= left or finite_number(reset) is not None:
        return False
    window_s = reset_s * limit / (limit - left)
    return abs(window_s - _DAY_S) < _ROUNDING * _DAY_S


_POLICY = re.compile(r"(?:^|,|q=)\s*+(\d++)\s*+;\s*+(?:w|window)=(\d++)")
_ITEM = re.compile(r'^\s*+"?+([^";,]*+)"?+\s*+((?>(?:;\s*+[a-z]++=[^;,]*+)*))')
_PARAMETER = re.compile(r";\s*+([a-z]++)=\s*+([^;,\s]++)")


def _structured(said: Mapping[str, str]) -> dict[str, str]:
    """Return the first item of ``RateLimit: "default";r=50;t=30`` under the older names."""
    item = _ITEM.match(said.get("ratelimit", ""))
    if item is None:
        return {}
    told = dict(_PARAMETER.findall(item[2]))
    older = {"ratelimit-remaining": told.get("r"), "ratelimit-reset": told.get("t")}
    policies = (_ITEM.match(one) for one in said.get("ratelimit-policy", "").split(","))
    for policy in policies:
        if policy is not None and policy[1] == item[1]:
            older["ratelimit-limit"] = dict(_PARAMETER.findall(policy[2])).get("q")
            break
    return {name: value for name, value in older.items() if value is not None}


def _amount(text: str | None) -> float | None:
    value = finite_number((text or "").partition(",")[0].partition(";")[0])
    return value if value is not None and 0 <= value < _UNLIMITED else None
