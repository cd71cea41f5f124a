"""Error responses of providers that serve others' models, and their meaning.

Bodies are as sent over the wire.
"""

from mirror_ray.core.types import Quota
from support.providers.wire_errors import Case, openai

LLAMA, ROUTER = "groq/llama-3.3-70b-versatile", "openrouter/qwen/qwen3-vl-8b"

CASES = {
    "groq-rate": Case(
        LLAMA,
        429,
        openai(
            "Rate limit reached for model `llama` on tokens per minute (TPM): Limit 6000, Used"
            " 5900, Requested 400. Please try again in 3s.",
            "tokens",
            "rate_limit_exceeded",
        ),
        "rate_limit",
        3.0,
        Quota(tpm=6000, tokens_left=100, tokens_reset_s=59.0),
        {
            "retry-after": "3",
            "x-groq-region": "us-west-1",
            "x-ratelimit-limit-requests": "1000",
            "x-ratelimit-remaining-requests": "900",
            "x-ratelimit-reset-requests": "40s",
            "x-ratelimit-limit-tokens": "6000",
            "x-ratelimit-remaining-tokens": "100",
            "x-ratelimit-reset-tokens": "59s",
        },
    ),
    "groq-capacity": Case(
        LLAMA, 498, openai("Flex tier capacity exceeded", "capacity_exceeded"), "server"
    ),
    "mistral-no-plan": Case(
        "mistral/mistral-small-latest",
        429,
        {"object": "error", "message": "Rate limit exceeded", "code": "1300"},
        "auth",
        headers={"x-ratelimit-limit-req-minute": "0"},
    ),
    "mistral-capacity": Case(
        "mistral/mistral-small-latest",
        429,
        {"object": "error", "message": "Service tier capacity exceeded for this model."},
        "rate_limit",
    ),
    "deepseek-balance": Case(
        "deepseek/deepseek-chat",
        402,
        openai("Insufficient Balance", "unknown_error", "invalid_request_error"),
        "auth",
    ),
    "xai-overflow": Case(
        "xai/grok-4",
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "This model's maximum prompt length is 131072 but the request contains 200000"
            " tokens.",
        },
        "context_window",
    ),
    "together-rate": Case(
        "together_ai/Qwen/Qwen3-VL-8B-Instruct",
        429,
        openai("You have reached the rate limit specific to this model.", "model_rate_limit"),
        "rate_limit",
        1.0,
        Quota(rpm=600, requests_left=0, requests_reset_s=1.0, tpm=180_000, tokens_left=50),
        {
            "x-ratelimit-limit": "10",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": "1",
            "x-tokenlimit-limit": "3000",
            "x-tokenlimit-remaining": "50",
        },
    ),
    "openrouter-overflow": Case(
        ROUTER,
        400,
        {
            "error": {
                "message": "This endpoint's maximum context length is 32768 tokens. However, you"
                " requested about 40000 tokens.",
                "code": 400,
                "metadata": {"provider_name": None},
            }
        },
        "context_window",
    ),
    "openrouter-upstream": Case(
        ROUTER,
        429,
        {
            "error": {
                "message": "Provider returned error",
                "code": 429,
                "metadata": {
                    "raw": "qwen/qwen3-vl-8b is temporarily rate-limited upstream.",
                    "provider_name": "Chutes",
                },
            }
        },
        "rate_limit",
    ),
    "openrouter-credits": Case(
        ROUTER,
        402,
        {
            "error": {
                "message": "This request requires more credits, or fewer max_tokens.",
                "code": 402,
            }
        },
        "auth",
    ),
    "openrouter-moderation": Case(
        ROUTER,
        403,
        {
            "error": {
                "message": "qwen3-vl requires moderation on Alibaba. Your input was flagged",
                "code": 403,
                "metadata": {"reasons": ["violence"], "flagged_input": "..."},
            }
        },
        "content_filter",
    ),
    "openrouter-down": Case(
        ROUTER, 502, {"error": {"message": "Provider returned error", "code": 502}}, "server"
    ),
    "openrouter-none": Case(
        ROUTER,
        404,
        {"error": {"message": "No endpoints found that support image input", "code": 404}},
        "bad_request",
    ),
    "cloudflare": Case(
        ROUTER, 524, "<html><title>524: A timeout occurred</title></html>", "timeout"
    ),
}
