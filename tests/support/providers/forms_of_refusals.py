"""Refusals in OpenAI's protocol, beside those of `wire_errors`."""

from support.providers.reply_forms import (
    ALIBABA,
    AZURE,
    DEEPSEEK,
    FIREWORKS,
    GEMINI,
    GROK,
    GROQ,
    INFRA,
    KIMI,
    TOGETHER,
    VLLM,
    Form,
    trouble,
)

CASES = {
    "gemini-list-of-errors": Form(
        GEMINI,
        [{"error": {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED"}}],
        "rate_limit",
        status=429,
    ),
    "gemini-key": Form(
        GEMINI,
        [{"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}],
        "auth",
        status=400,
    ),
    "azure-filter-400": Form(
        AZURE,
        trouble(
            "The response was filtered due to the prompt triggering Azure OpenAI's content"
            " management policy.",
            code="content_filter",
            innererror={"code": "ResponsibleAIPolicyViolation"},
        ),
        "content_filter",
        status=400,
    ),
    "azure-no-deployment": Form(
        AZURE,
        trouble("The API deployment for this resource does not exist.", code="DeploymentNotFound"),
        "bad_request",
        status=404,
    ),
    "vllm-detail": Form(
        VLLM,
        {"detail": [{"loc": ["body", "messages"], "msg": "field required"}]},
        "bad_request",
        status=422,
    ),
    "llama-server-picture": Form(
        VLLM,
        trouble("image input is not supported - hint: provide the mmproj", code=500),
        "bad_request",
        status=500,
    ),
    "llama-server-loading": Form(VLLM, trouble("Loading model", code=503), "server", status=503),
    "llama-server-context": Form(
        VLLM,
        trouble(
            "the request exceeds the available context size. try increasing the context size",
            code=400,
            type="exceed_context_size_error",
            n_prompt_tokens=5000,
            n_ctx=4096,
        ),
        "context_window",
        status=400,
    ),
    "together-model": Form(
        TOGETHER,
        trouble("Unable to access model qwen.", type="invalid_request_error"),
        "bad_request",
        status=404,
    ),
    "deepseek-balance": Form(DEEPSEEK, trouble("Insufficient Balance"), "auth", status=402),
    "moonshot-busy": Form(
        KIMI,
        trouble("The engine is currently overloaded", type="engine_overloaded_error"),
        "rate_limit",
        status=429,
    ),
    "xai-text": Form(
        GROK,
        {"code": "Some resource has been exhausted", "error": "Too many requests"},
        "rate_limit",
        status=429,
        headers={"retry-after": "3"},
    ),
    "fireworks-gateway": Form(
        FIREWORKS, "<html>504 Gateway Time-out</html>", "timeout", status=504
    ),
    "cloudflare-520": Form(INFRA, "error code: 520", "server", status=520),
    "groq-generation": Form(
        GROQ,
        trouble("Failed to generate JSON", code="json_validate_failed", failed_generation="red!"),
        "bad_request",
        status=400,
    ),
    "dashscope-inspection": Form(
        ALIBABA,
        trouble("Input data may contain inappropriate content.", code="data_inspection_failed"),
        "content_filter",
        status=400,
    ),
}
