"""Refusals that no repetition cures, whatever status a server sends them with."""

import pytest

from mirror_ray.providers.classify import advice_of, kind_of_status

PICTURES = (
    "image input is not supported - hint: you may need to provide the mmproj",
    "This model does not support image inputs",
    "image_url is only supported by certain models; image_url not supported by this model",
    "No endpoints found that support image input, model has no vision support",
    "Model is not multimodal: unsupported content type 'image_url'",
    "unknown content type: image_url",
    "llama: the model is not a vision model",
    "this model is missing data required for image input",
    "No endpoints found that support image input",
    "the model has no vision projector",
    "image_url is only supported by certain models",
    "this model does not accept images",
    "The model 'x' cannot process image inputs",
    "content type 'image_url' is not supported",
    "vision is not enabled for this deployment",
    "multimodal not enabled",
    "model has no vision tower",
    "does not have vision capability",
    "only text input is supported",
    "This model can only process text",
    "'messages[0].content' must be a string",
    "Unexpected item type in content.",
    "At most 0 image(s) may be provided in one request.",
)
OTHERS = {
    "target": (
        "The model `gpt-9` does not exist or you do not have access to it.",
        "model 'qwen3' not found, try pulling it first",
        "model_not_found",
    ),
    "sends_temperature": (
        "Unsupported parameter: 'temperature'",
        "Unrecognized request argument supplied: seed",
        "parameter response_format is not supported by this model",
    ),
    "sends_schema": ("failed to parse grammar", 'Unrecognized schema: {"x": 1}'),
    "smaller model": ("model requires more system memory (8.4 GiB) than is available (3.1 GiB)",),
    "template": ("Jinja Exception: roles must alternate", "chat_template is not set"),
}
PASSING = (
    "Internal server error",
    "upstream connect error or disconnect/reset before headers",
    "CUDA out of memory",
    "The server had an error while processing your request. Sorry about that!",
    "Bad gateway",
    "overloaded_error: Overloaded",
    "slot unavailable",
    "The image service is not available right now",
    "Cannot read the image",
    "",
)


@pytest.mark.parametrize("status", [400, 422, 500, 501, 503])
@pytest.mark.parametrize("text", PICTURES)
def test_pictures(text: str, status: int) -> None:
    assert kind_of_status(status, text) == "bad_request"
    assert "vision: false" in (advice_of(text) or "")


@pytest.mark.parametrize(
    ("word", "text"), [(word, text) for word, texts in OTHERS.items() for text in texts]
)
def test_others(word: str, text: str) -> None:
    assert kind_of_status(500, text) == "bad_request"
    assert word in (advice_of(text) or "")


@pytest.mark.parametrize("text", PASSING)
def test_an_ordinary_500_is_tried_again(text: str) -> None:
    assert kind_of_status(500, text) == "server"
    assert kind_of_status(503, text) == "server"
    assert advice_of(text) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("the request exceeds the available context size", "context_window"),
        ("Prompt has 9000 tokens which exceeds n_ctx 4096", "context_window"),
        ("Invalid API key", "auth"),
        ("insufficient credits", "auth"),
        *(
            (words, "auth")
            for words in (
                "Your team has either used all available credits or reached its monthly spending"
                " limit. To continue, please purchase more credits or raise your spending limit.",
                "You have run out of credits",
                "Monthly spend limit reached",
                "You have reached your specified API usage limits",
                "Account balance is not enough, please top up your account",
                "账户余额不足",
                "No active subscription for this organization",
                "Insufficient account balance",
                "account balance is zero",
                "free tier exhausted, please upgrade your plan",
                "Your trial has expired",
                "wallet is empty",
                "You have used all of your prepaid credits",
                "payment method declined",
                "Zahlung erforderlich",
                "Crédits insuffisants",
                "Saldo insuficiente",
                "Monthly budget exhausted",
                "Budget has been exceeded! Current cost: 1.1, Max budget: 1.0",
                "Authentication Fails, your api key is revoked",
            )
        ),
    ],
)
def test_words_that_hold_with_any_status(text: str, kind: str) -> None:
    assert kind_of_status(500, text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "You exceeded your current quota, please check your plan and billing details.",
        "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 requests per day",
        "Rate limit reached for requests per minute. Limit: 10, used: 10",
        "Your request reached organization max RPM: 3, please try again after 2 seconds",
    ],
)
def test_a_rate_limit_is_not_an_account_without_money(text: str) -> None:
    assert kind_of_status(429, text) == "rate_limit"
