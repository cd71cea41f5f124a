"""Replies of Azure, of routers, of providers of open models and of own servers."""

import json

from support.providers.reply_forms import (
    ALIBABA,
    AZURE,
    BOTH,
    DEEPSEEK,
    FILTERED,
    FIREWORKS,
    GEMINI,
    GPT,
    GROK,
    GROQ,
    INFRA,
    KIMI,
    MISTRAL,
    ROUTER,
    TOGETHER,
    VLLM,
    Form,
    red,
    said,
    trouble,
    usage,
    whole,
)

CASES = {
    "azure": Form(
        AZURE,
        whole(
            {**said("red"), "content_filter_results": FILTERED},
            prompt_filter_results=[{"prompt_index": 0, "content_filter_results": FILTERED}],
        ),
        "none",
        "red",
        BOTH,
        headers={"x-ratelimit-remaining-tokens": "900", "x-ms-region": "Sweden Central"},
    ),
    "azure-filter": Form(
        AZURE,
        whole({**said("", "content_filter"), "content_filter_results": FILTERED}),
        "content_filter",
        "",
        BOTH,
    ),
    "openrouter": Form(
        ROUTER,
        whole(
            {**said("red", reasoning="or blue?"), "native_finish_reason": "STOP", "logprobs": None},
            usage(12, 3, cost=0.00012, is_byok=False, cost_details={"upstream_inference_cost": 0}),
            provider="Novita",
        ),
        "none",
        "red",
        BOTH,
    ),
    "openrouter-byok": Form(
        ROUTER,
        whole(
            said("red"),
            usage(
                12, 3, cost=0.00001, is_byok=True, cost_details={"upstream_inference_cost": 0.002}
            ),
        ),
        "none",
        "red",
        BOTH,
    ),
    "openrouter-images": Form(
        ROUTER,
        whole(
            said("red"),
            usage(
                900, 3, cost=0.001, prompt_tokens_details={"cached_tokens": 0, "image_tokens": 880}
            ),
        ),
        "none",
        "red",
        (900, 3),
    ),
    "openrouter-reasoning-details": Form(
        ROUTER,
        whole(
            said(
                "red", reasoning="hm", reasoning_details=[{"type": "reasoning.text", "text": "hm"}]
            )
        ),
        "none",
        "red",
        BOTH,
    ),
    "openrouter-length": Form(
        ROUTER,
        whole({**said("re", "length"), "native_finish_reason": "MAX_TOKENS"}),
        "none",
        "re",
        BOTH,
    ),
    "openrouter-cut-called-stop": Form(
        ROUTER,
        whole({**said("re"), "native_finish_reason": "max_output_tokens"}),
        "none",
        "re",
        BOTH,
    ),
    "openrouter-broken": Form(
        ROUTER,
        whole(
            {**said("re", "error"), "error": {"code": 502, "message": "Provider returned error"}}
        ),
        "server",
        "re",
        BOTH,
    ),
    "openrouter-native-refusal": Form(
        ROUTER,
        whole({**said("", "content_filter"), "native_finish_reason": "refusal"}),
        "refusal",
        "",
        BOTH,
    ),
    "openrouter-error-as-200": Form(
        ROUTER, trouble("Rate limit exceeded: free-models-per-min", code=429), "rate_limit"
    ),
    "openrouter-credits-as-200": Form(ROUTER, trouble("Insufficient credits", code=402), "auth"),
    "openrouter-blank-lines": Form(
        ROUTER, "\n\n   \n" + json.dumps(whole(said("red"))), "none", "red", BOTH
    ),
    "mistral": red(MISTRAL),
    "mistral-thinking": Form(
        MISTRAL,
        whole(
            said(
                [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "or blue?"}]},
                    {"type": "text", "text": "red"},
                ]
            )
        ),
        "none",
        "red",
        BOTH,
    ),
    "mistral-length": Form(MISTRAL, whole(said("re", "model_length")), "none", "re", BOTH),
    "mistral-error-finish": Form(MISTRAL, whole(said("re", "error")), "server", "re", BOTH),
    "xai-thinking-apart": Form(
        GROK,
        whole(
            said("red", reasoning_content="or blue?"),
            {
                **usage(12, 3, num_sources_used=0),
                "total_tokens": 115,
                "completion_tokens_details": {"reasoning_tokens": 100},
            },
        ),
        "none",
        "red",
        (12, 103),
    ),
    "groq": red(GROQ, x_groq={"id": "req_1"}, usage_breakdown=None),
    "groq-times": Form(
        GROQ,
        whole(
            said("red", reasoning="or blue?"),
            usage(12, 3, queue_time=0.01, prompt_time=0.002, total_time=0.02),
            service_tier="on_demand",
        ),
        "none",
        "red",
        BOTH,
        headers={"x-ratelimit-limit-requests": "1000", "x-ratelimit-remaining-requests": "999"},
    ),
    "together-eos": Form(
        TOGETHER,
        {**whole(said("red", "eos", tool_calls=[])), "prompt": [], "object": "chat.completion"},
        "none",
        "red",
        BOTH,
    ),
    "together-think": Form(
        TOGETHER, whole(said("<think>or blue?</think>red")), "none", "red", BOTH
    ),
    "together-open-think": Form(
        TOGETHER, whole(said("<think>or blue", "length")), "none", "<think>or blue", BOTH
    ),
    "fireworks": red(FIREWORKS),
    "deepinfra": Form(
        INFRA, whole(said("red"), usage(12, 3, estimated_cost=1.5e-06)), "none", "red", BOTH
    ),
    "moonshot": Form(KIMI, whole(said("red"), usage(12, 3, cached_tokens=8)), "none", "red", BOTH),
    "moonshot-thinking": Form(
        KIMI, whole(said("red", reasoning_content="or blue?")), "none", "red", BOTH
    ),
    "dashscope": red(ALIBABA, system_fingerprint=None),
    "dashscope-images": Form(
        ALIBABA,
        whole(
            said("red"),
            usage(900, 3, prompt_tokens_details={"image_tokens": 880, "text_tokens": 20}),
        ),
        "none",
        "red",
        (900, 3),
    ),
    "deepseek-cache": Form(
        DEEPSEEK,
        whole(
            said("red", reasoning_content="or blue?"),
            usage(
                12,
                3,
                prompt_cache_hit_tokens=8,
                prompt_cache_miss_tokens=4,
                prompt_tokens_details={"cached_tokens": 8},
            ),
        ),
        "none",
        "red",
        BOTH,
    ),
    "deepseek-busy": Form(
        DEEPSEEK, whole(said("re", "insufficient_system_resource")), "server", "re", BOTH
    ),
    "gemini-no-words": Form(
        GEMINI,
        whole(
            {"index": 0, "finish_reason": "length", "message": {"role": "assistant"}},
            {"prompt_tokens": 12, "completion_tokens": 0, "total_tokens": 52},
        ),
        "none",
        "",
        (12, 40),
    ),
    "gemini-filter": Form(
        GEMINI,
        whole(
            {
                "index": 0,
                "finish_reason": "content_filter: PROHIBITED_CONTENT",
                "message": {"role": "assistant"},
            },
            (12, 0),
        ),
        "content_filter",
        "",
        (12, 0),
    ),
    "vllm": Form(
        VLLM,
        whole(
            {**said("red", reasoning=None, tool_calls=[]), "stop_reason": None},
            usage(12, 3, prompt_tokens_details=None),
            prompt_logprobs=None,
            kv_transfer_params=None,
        ),
        "none",
        "red",
        BOTH,
    ),
    "llama-server": Form(
        VLLM,
        whole(
            said("red"),
            timings={"prompt_n": 12, "prompt_ms": 30.5, "predicted_n": 3, "predicted_ms": 90.1},
        ),
        "none",
        "red",
        BOTH,
    ),
    "abort": Form(VLLM, whole(said("re", "abort")), "server", "re", BOTH),
    "unknown-end": Form(VLLM, whole(said("re", "wibble")), "none", "re", BOTH),
    "no-end": Form(VLLM, whole(said("red", None)), "none", "red", BOTH),
    "minimax-as-200": Form(
        GPT,
        {"choices": None, "base_resp": {"status_code": 1002, "status_msg": "rate limit"}},
        "rate_limit",
    ),
}
