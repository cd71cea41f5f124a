"""Error responses of Anthropic, Google and OpenAI, and their meaning.

Bodies are as sent over the wire.
"""

from dataclasses import dataclass, field

from mirror_ray.core.types import Quota


@dataclass(frozen=True)
class Case:
    target: str
    status: int
    body: object
    kind: str
    wait_s: float | None = None
    quota: Quota | None = None
    headers: dict = field(default_factory=dict)


def anthropic(kind, message):
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


def openai(message, kind=None, code=None):
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def google(code, status, message, *details):
    error = {"code": code, "message": message, "status": status, "details": list(details)}
    return {"error": error}


CLAUDE, GEMINI, GPT = (
    "anthropic/claude-sonnet-4-5",
    "gemini/gemini-2.5-flash",
    "openai/gpt-4.1-mini",
)
RETRY_INFO = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}
QUOTA_FAILURE = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}],
}

CASES = {
    "anthropic-rate": Case(
        CLAUDE,
        429,
        anthropic(
            "rate_limit_error",
            "This request would exceed your organization's rate limit of 40,000 input tokens per"
            " minute. For details, refer to: https://docs.claude.com/en/api/rate-limits",
        ),
        "rate_limit",
        12.0,
        Quota(rpm=50, requests_left=0),
        {
            "retry-after": "12",
            "anthropic-ratelimit-requests-limit": "50",
            "anthropic-ratelimit-requests-remaining": "0",
        },
    ),
    "anthropic-overloaded": Case(
        CLAUDE, 529, anthropic("overloaded_error", "Overloaded"), "server"
    ),
    "anthropic-overflow": Case(
        CLAUDE,
        400,
        anthropic("invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum"),
        "context_window",
    ),
    "anthropic-credit": Case(
        CLAUDE,
        400,
        anthropic(
            "invalid_request_error",
            "Your credit balance is too low to access the Anthropic API. Please go to Plans &"
            " Billing to upgrade or purchase credits.",
        ),
        "auth",
    ),
    "anthropic-filter": Case(
        CLAUDE,
        400,
        anthropic("invalid_request_error", "Output blocked by content filtering policy"),
        "content_filter",
    ),
    "anthropic-model": Case(
        CLAUDE, 404, anthropic("not_found_error", "model: claude-x"), "bad_request"
    ),
    "anthropic-large": Case(
        CLAUDE,
        413,
        anthropic("request_too_large", "Request exceeds the maximum size"),
        "bad_request",
    ),
    "gemini-day": Case(
        GEMINI,
        429,
        google(
            429,
            "RESOURCE_EXHAUSTED",
            "You exceeded your current quota, please check your plan and billing details.",
            QUOTA_FAILURE,
            RETRY_INFO,
        ),
        "rate_limit",
        34.0,
    ),
    "gemini-overloaded": Case(
        GEMINI,
        503,
        google(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
        "server",
    ),
    "gemini-key": Case(
        GEMINI,
        400,
        google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
        "auth",
    ),
    "gemini-region": Case(
        GEMINI,
        400,
        google(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
        "auth",
    ),
    "gemini-overflow": Case(
        GEMINI,
        400,
        google(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1100000) exceeds the maximum number of tokens allowed"
            " (1048576).",
        ),
        "context_window",
    ),
    "gemini-deadline": Case(
        GEMINI, 504, google(504, "DEADLINE_EXCEEDED", "The request timed out."), "timeout"
    ),
    "openai-quota": Case(
        GPT,
        429,
        openai(
            "You exceeded your current quota, please check your plan and billing details.",
            "insufficient_quota",
            "insufficient_quota",
        ),
        "auth",
    ),
    "openai-rate": Case(
        GPT,
        429,
        openai(
            "Rate limit reached for gpt-4.1-mini in organization org-1 on requests per min (RPM):"
            " Limit 500, Used 500, Requested 1. Please try again in 120ms.",
            "requests",
            "rate_limit_exceeded",
        ),
        "rate_limit",
        0.12,
        Quota(rpm=500, requests_left=0, requests_reset_s=60.0),
        {
            "x-ratelimit-limit-requests": "500",
            "x-ratelimit-remaining-requests": "0",
            "x-ratelimit-reset-requests": "1m0s",
        },
    ),
    "openai-large": Case(
        GPT,
        429,
        openai(
            "Request too large for gpt-4.1-mini on tokens per min (TPM): Limit 200000, Requested"
            " 300000.",
            "tokens",
            "rate_limit_exceeded",
        ),
        "bad_request",
    ),
    "openai-region": Case(
        GPT,
        403,
        openai(
            "Country, region, or territory not supported",
            "request_forbidden",
            "unsupported_country_region_territory",
        ),
        "auth",
    ),
    "openai-overflow": Case(
        GPT,
        400,
        openai(
            "This model's maximum context length is 1047576 tokens. However, your messages"
            " resulted in 1100000 tokens.",
            "invalid_request_error",
            "context_length_exceeded",
        ),
        "context_window",
    ),
    "openai-policy": Case(
        GPT,
        400,
        openai(
            "Your request was rejected as a result of our safety system.",
            "image_generation_user_error",
            "moderation_blocked",
        ),
        "content_filter",
    ),
}
