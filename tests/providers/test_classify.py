"""The table from what providers were seen to say to our error kinds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.error_kinds import ERROR_KINDS
from mirror_ray.providers.classify import Failure, kind_of_failure, kind_of_finish, kind_of_status


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
    ("openai unpaid", "RateLimitError", 429, "{'code': 'billing_not_active'}", "auth"),
    ("moonshot unpaid", "RateLimitError", 429, "exceeded_current_quota_error", "auth"),
    ("gemini country", "BadRequestError", 400, "User location is not supported", "auth"),
    (
        "openai's day is used up",
        "RateLimitError OpenAIError",
        429,
        "Rate limit reached on requests per day (RPD): Limit 200, Used 200",
        "rate_limit",
    ),
    (
        "anthropic's minute of tokens",
        "RateLimitError AnthropicError",
        429,
        "This request would exceed your rate limit of 40,000 input tokens per minute",
        "rate_limit",
    ),
    (
        "bedrock throttles",
        "RateLimitError BedrockError",
        429,
        "Too many tokens, please wait before trying again.",
        "rate_limit",
    ),
    ("xai overflow", "BadRequestError", 400, "maximum prompt length is 131072", "context_window"),
    ("cohere overflow", "BadRequestError", 400, "too many tokens: size limit", "context_window"),
    ("groq overflow", "E", 400, "Please reduce the length of the messages", "context_window"),
    ("anthropic output", "E", 400, "Output blocked by content filtering", "content_filter"),
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


def test_a_plan_without_the_model_is_no_rate_limit():
    said = ("RateLimitError", 429, "Rate limit exceeded")
    assert kind_of_failure(failed(*said, x_ratelimit_limit_req_minute="0")) == "auth"
    assert kind_of_failure(failed(*said, x_ratelimit_limit_req_minute="4")) == "rate_limit"


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


@given(st.integers(100, 599), st.text(max_size=60))
def test_every_status_has_a_kind_and_no_failure_passes_for_none(status, text):
    kind = kind_of_status(status, text)
    assert kind in ERROR_KINDS
    assert kind not in {"none", "internal"}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("You passed 5000 input tokens, the model's context length is only 4096 tokens", 1),
        ("The decoder prompt (length 5000) is longer than the maximum model length of 4096.", 1),
        ("The input (5000 tokens) is longer than the model's context length (4096 tokens).", 1),
        ("prompt too long; exceeded max context length by 12 tokens", 1),
        ("`inputs` must have less than 1024 tokens. Given: 1100", 1),
        ("Your request exceeded model token limit: 8192", 1),
        ("Range of input length should be [1, 30720]", 1),
        ("Trying to keep the first 5000 tokens when context the overflows.", 1),
        ("the request exceeds the available context size, try increasing it", 1),
        ("Input data may contain inappropriate content. (data_inspection_failed)", 2),
        ("Content Exists Risk", 2),
        ("The request was rejected because it was considered high risk", 2),
        ("input new_sensitive", 2),
        ("Content violates usage guidelines.", 2),
        ("系统检测到输入或生成内容可能包含不安全或敏感内容", 2),
        ("Input length 9210 exceeds the maximum allowed token length 4096", 1),
        ("prompt tokens (9210) exceeds limit 4096", 1),
        ("the number of input tokens is greater than the limit", 1),
        ("Request exceeds max seq len", 1),
        ("the input token count is 40000 but model only supports up to 32768", 1),
        ("Please reduce the length of your prompt", 1),
        ("moderation_blocked", 2),
        ("The content contains sensitive information", 2),
        ("the seed must be positive", 0),
        ("max_tokens must be at most 8192", 0),
    ],
)
def test_todays_words_for_too_long_and_for_filtered(text, kind):
    kinds = ("bad_request", "context_window", "content_filter")
    assert kind_of_status(400, text) == kinds[kind]
