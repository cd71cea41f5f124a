"""A failed call is told in the provider's words, or by its innermost cause and real address."""

import json
from types import SimpleNamespace

import pytest

from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.failed_call import reply_of_exception
from mirror_ray.providers.redaction import Secrets

CERTIFICATE = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate"


class APIConnectionError(Exception):
    """As litellm and the OpenAI client raise it: each with a request, litellm's an invented one."""

    def __init__(self, said: str, url: str) -> None:
        super().__init__(said)
        self.request = SimpleNamespace(url=url)


def failed(cause: BaseException, said: str = "Connection error.") -> BaseException:
    inner = APIConnectionError(said, "https://localhost:8936/v1/chat/completions?sig=1")
    inner.__cause__ = cause
    outer = APIConnectionError(f"InternalServerError - {said}", "https://api.openai.com/v1")
    outer.__cause__ = inner
    return outer


def said_of(error: BaseException, base_url: str | None = None) -> tuple[str, str]:
    reply = reply_of_exception(
        error, Secrets(["sk-0123456789abcdef"]), Exchange(), base_url=base_url
    )
    return reply.error_kind, str(reply.error)


def test_a_certificate_that_is_not_trusted_is_named_with_the_fix() -> None:
    kind, said = said_of(failed(OSError(1, CERTIFICATE)))
    assert kind == "connection"
    assert "certificate verify failed: self-signed certificate" in said
    assert "(at https://localhost:8936)" in said
    assert "SSL_CERT_FILE" in said
    assert "api.openai.com" not in said
    assert "sig=1" not in said


def test_a_cause_is_said_once() -> None:
    told = "Cannot connect to host x:9 [Connect call failed ('127.0.0.1', 9)]"
    _, said = said_of(failed(OSError(111, "Connect call failed ('127.0.0.1', 9)"), told))
    assert said.count("Connect call failed") == 1


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"detail": "the model is loading"}, "the model is loading"),
        ({"error": {"message": "Provider returned error", "metadata": {"raw": "too large"}}},
         "Provider returned error [behind it: too large]"),
        ({"error": {"message": "bad", "param": "seed"}}, "bad (seed)"),
        ({"error": {"message": "sk-0123456789abcdef is unknown"}}, "[key removed] is unknown"),
    ],
)  # fmt: skip
def test_a_body_is_said_in_its_own_words(body: object, words: str) -> None:
    kind, said = said_of(HttpError(400, {}, json.dumps(body)))
    assert (kind, said) == ("bad_request", f"HTTP 400: {words}")


@pytest.mark.parametrize(
    ("base_url", "hint"),
    [
        ("http://127.0.0.1:8000", "end it with /v1"),
        ("http://127.0.0.1:8000/v1/chat/completions", "end it after /v1"),
        ("http://127.0.0.1:8000/v1", "(at http://127.0.0.1:8000/v1)"),
    ],
)
def test_an_address_without_a_server_is_named_with_the_likely_slip(
    base_url: str, hint: str
) -> None:
    for status in (404, 405):
        kind, said = said_of(HttpError(status, {}, '{"detail": "Not Found"}'), base_url)
        assert kind == "bad_request"
        assert f"HTTP {status}: Not Found (at {base_url}" in said
        assert hint in said
    _, said = said_of(HttpError(404, {}, '{"detail": "model x not found"}'), base_url)
    assert "correct `target`" in said


@pytest.mark.parametrize(
    ("cause", "fix"),
    [
        (OSError(1, "[SSL: WRONG_VERSION_NUMBER] wrong version number"), "write http://"),
        (OSError(1, "[SSL: RECORD_LAYER_FAILURE] record layer failure"), "write http://"),
        (HttpError(400, {}, "The plain HTTP request was sent to HTTPS port"), "write https://"),
        (HttpError(400, {}, "Client sent an HTTP request to an HTTPS server."), "write https://"),
    ],
)
def test_a_mistaken_scheme_is_named(cause: BaseException, fix: str) -> None:
    _, said = said_of(cause if isinstance(cause, HttpError) else failed(cause))
    assert fix in said
