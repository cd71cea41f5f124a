"""The table from what providers were seen to say to our error kinds."""

from datetime import UTC, datetime
from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.providers.classify import (
    Failure,
    kind_of_failure,
    kind_of_finish,
    kind_of_status,
    retry_after_s,
)
from mirror_ray.types import ERROR_KINDS


def failed(names, status=None, text="", **headers):
    lower = {name.replace("_", "-"): value for name, value in headers.items()}
    return Failure(tuple(names.split()), status, text, lower)


# Chains of class names, innermost status and wording as litellm 1.106 hands them on.
CASES = [
    ("openai 429", "RateLimitError OpenAIError", 429, "Rate limit reached", "rate_limit"),
    (
        "gemini words a rate limit like a spent quota",
        "RateLimitError VertexAIError",
        429,
        "You exceeded your current quota, please check your plan. RESOURCE_EXHAUSTED",
        "rate_limit",
    ),
    ("openai quota", "RateLimitError OpenAIError", 429, "{'code': 'insufficient_quota'}", "auth"),
    ("openrouter without credit", "APIError", 402, "Insufficient credits. Add more", "auth"),
    ("anthropic without credit", "BadRequestError", 400, "Your credit balance is too low", "auth"),
    ("gemini wrong key", "BadRequestError", 400, "API key not valid. Please pass", "auth"),
    ("openai wrong key", "AuthenticationError", 401, "Incorrect API key provided", "auth"),
    ("country", "APIError OpenAIError", 403, "Country not supported", "auth"),
    ("openrouter moderation", "APIError", 403, "your input was flagged", "content_filter"),
    ("openai policy", "BadRequestError", 400, "content_policy_violation", "content_filter"),
    ("azure policy", "BadRequestError", 400, "ResponsibleAIPolicyViolation", "content_filter"),
    (
        "openai overflow",
        "ContextWindowExceededError OpenAIError",
        400,
        "This model's maximum context length is 8192 tokens",
        "context_window",
    ),
    (
        "openrouter overflow has no class of its own",
        "BadRequestError OpenRouterException",
        400,
        "This endpoint's maximum context length is 32768 tokens",
        "context_window",
    ),
    ("anthropic overflow", "BadRequestError", 400, "prompt is too long: 210000", "context_window"),
    (
        "gemini overflow",
        "BadRequestError",
        400,
        "The input token count (1100000) exceeds the maximum number of tokens allowed",
        "context_window",
    ),
    ("no such model", "NotFoundError OpenAIError", 404, "does not exist", "bad_request"),
    ("litellm calls 413 a 429", "RateLimitError OpenAIError", 413, "too large", "bad_request"),
    (
        "larger than the whole allowance",
        "RateLimitError OpenAIError",
        429,
        "Request too large for gpt-x on tokens per min",
        "bad_request",
    ),
    ("a parameter nobody takes", "UnsupportedParamsError", 400, "temperature", "bad_request"),
    ("500", "InternalServerError OpenAIError", 500, "The server had an error", "server"),
    ("cloudflare 520", "APIError OpenAIError HTTPStatusError", 520, "<html>", "server"),
    ("litellm calls anthropic's 529 a 500", "InternalServerError", 529, "Overloaded", "server"),
    ("gemini 502", "APIConnectionError VertexAIError HTTPStatusError", 502, "<html>", "server"),
    ("504", "APIError OpenAIError", 504, "gateway", "timeout"),
    ("cloudflare 524", "APIError OpenAIError", 524, "a timeout occurred", "timeout"),
    ("408", "Timeout OpenAIError", 408, "Request timed out", "timeout"),
    ("read timeout", "Timeout APITimeoutError ReadTimeout", None, "", "timeout"),
    ("our own bound", "TimeoutError CancelledError", None, "", "timeout"),
    ("html with 200", "APIError OpenAIError JSONDecodeError", 200, "Unable to get", "server"),
    (
        "html with 200 by openai",
        "InternalServerError OpenAIError OpenAIError",
        500,
        "Empty or invalid response from LLM endpoint",
        "server",
    ),
    (
        "gemini blames the request for its own garbage",
        "BadRequestError VertexAIError JSONDecodeError",
        422,
        "Error converting to valid response block",
        "server",
    ),
    (
        "gemini without usage",
        "BadRequestError VertexAIError ValueError",
        422,
        "Error converting to valid response block=usageMetadata not found",
        "server",
    ),
    (
        "openai dropped socket",
        "InternalServerError OpenAIError APIConnectionError ReadError ServerDisconnectedError",
        500,
        "Connection error.",
        "connection",
    ),
    (
        "openrouter dropped socket",
        "APIConnectionError OpenRouterException ReadError ServerDisconnectedError",
        500,
        "Server disconnected",
        "connection",
    ),
    (
        "body cut short",
        "InternalServerError OpenAIError ReadError ClientPayloadError ContentLengthError",
        500,
        "Response payload is not completed",
        "connection",
    ),
    (
        "closed client",
        "InternalServerError OpenAIError APIConnectionError RuntimeError",
        500,
        "Connection error.",
        "connection",
    ),
    ("unreadable by litellm", "APIConnectionError KeyError", 500, "'content'", "server"),
    ("our own mistake", "TypeError", None, "unexpected keyword", "internal"),
]


@pytest.mark.parametrize(
    ("names", "status", "text", "kind"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_failures(names, status, text, kind):
    assert kind_of_failure(failed(names, status, text)) == kind


@pytest.mark.parametrize(
    ("finish", "native", "refusal", "kind"),
    [
        ("stop", None, None, "none"),
        ("stop", "completed", None, "none"),
        ("length", "MAX_TOKENS", None, "none"),
        (None, None, None, "none"),
        ("content_filter", None, None, "content_filter"),
        ("stop", "PROHIBITED_CONTENT", None, "content_filter"),
        ("stop", "content-filter", None, "content_filter"),
        ("content_filter", "refusal", None, "refusal"),
        ("stop", None, "I cannot help with that", "refusal"),
        ("stop", "error", None, "server"),
        ("stop", "engine_overloaded", None, "server"),
        ("stop", "model_context_window_exceeded", None, "context_window"),
    ],
)
def test_finish_reasons(finish, native, refusal, kind):
    assert kind_of_finish(finish, native, refusal) == kind


NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("failure", "wait_s"),
    [
        (failed("E", 429, "", retry_after="7"), 7.0),
        (failed("E", 429, "", retry_after="1.5"), 1.5),
        (failed("E", 429, "", retry_after="7", retry_after_ms="350"), 0.35),
        (failed("E", 503, "", retry_after="Thu, 01 Jan 2026 12:01:30 GMT"), 90.0),
        (failed("E", 503, "", retry_after="Thu, 01 Jan 2026 11:00:00 GMT"), 0.0),
        (failed("E", 429, "", retry_after="-5"), 0.0),
        (failed("E", 429, "", retry_after="nan"), None),
        (failed("E", 429, "", retry_after="soon"), None),
        (failed("E", 429, "Please try again in 350ms."), 0.35),
        (failed("E", 429, "Please try again in 20s. Visit"), 20.0),
        (failed("E", 429, "Please try again in 1m2.5s."), 62.5),
        (failed("E", 429, "try again in 6 minutes"), 360.0),
        (failed("E", 429, "Please retry in 12.5s."), 12.5),
        (failed("E", 429, '{"retryDelay": "17s"}'), 17.0),
        (failed("E", 429, "{'retryDelay': '250ms'}"), 0.25),
        (failed("E", 429, "try again tomorrow"), None),
        (failed("E", 429, "try again in 3s", retry_after="2"), 2.0),
    ],
)
def test_retry_after(failure, wait_s):
    assert retry_after_s(failure, NOW) == (None if wait_s is None else pytest.approx(wait_s))


_TEXT = st.one_of(
    st.text(max_size=40),
    st.from_regex(r"(try again in |retryDelay\": \")[0-9.]{0,8}(ms|s|m|h)?", fullmatch=True),
    st.floats().map(str),
)


@given(_TEXT, _TEXT, _TEXT)
def test_any_wait_is_none_or_a_time(after, milliseconds, text):
    headers = {"retry-after": after, "retry-after-ms": milliseconds}
    wait_s = retry_after_s(Failure(("E",), 429, text, headers), NOW)
    assert wait_s is None or (isfinite(wait_s) and wait_s >= 0)


@given(st.integers(100, 599), st.text(max_size=60))
def test_every_status_has_a_kind_and_no_failure_passes_for_none(status, text):
    kind = kind_of_status(status, text)
    assert kind in ERROR_KINDS
    assert kind not in {"none", "internal"}
