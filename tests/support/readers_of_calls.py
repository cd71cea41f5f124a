"""The readers of providers' headers and error bodies."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from mirror_ray.core import untrusted
from mirror_ray.core.types import Reply
from mirror_ray.providers import (
    body_words,
    classify,
    completion_body,
    failed_call,
    fault,
    quota,
    redaction,
    waits,
)
from mirror_ray.providers.batches import refusals, result_lines, service
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.model import Limits, Model
from support.text_reader import TextReader

_SECRETS = redaction.Secrets(["k" * 20])
_BATCHED = Model("m", "hosted", "openai/m", Limits("m"), tier="batch")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


class _CallError(Exception):
    """The error as a client raises it: with a status, headers and a body."""

    def __init__(self, text: str, status: object, headers: Mapping[str, str]) -> None:
        super().__init__(text)
        self.body = text
        self.status_code = status
        self.litellm_response_headers = headers


def of_calls() -> Iterator[TextReader]:
    """Every one."""
    base = "mirror_ray.providers"
    yield TextReader(f"{base}.waits", "number", waits.finite_number)
    yield TextReader(f"{base}.waits", "span_s", waits.span_s)
    yield TextReader(f"{base}.waits", "seconds_until", lambda text: waits.seconds_until(text, NOW))
    yield TextReader(f"{base}.waits", "a body", lambda text: waits.retry_after_s({}, text, NOW))
    for name in ("retry-after", "retry-after-ms"):
        yield TextReader(
            f"{base}.waits",
            name,
            lambda text, name=name: waits.retry_after_s({name: text}, "", NOW),
        )
    yield TextReader(
        f"{base}.waits",
        "a window's reset",
        lambda text: waits.retry_after_s(
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": text}, "", NOW
        ),
    )
    yield TextReader(
        f"{base}.quota",
        "every header",
        lambda text: quota.quota_of(dict.fromkeys(_HEADERS, text), NOW),
    )
    for name in _HEADERS:
        yield TextReader(
            f"{base}.quota",
            name,
            lambda text, name=name: quota.quota_of({**_ORDINARY, name: text}, NOW),
        )
    yield TextReader(
        f"{base}.quota",
        "grants_nothing",
        lambda text: quota.grants_nothing({"x-ratelimit-limit-requests": text}),
    )
    for status in (400, 429, 500):
        yield TextReader(
            f"{base}.classify",
            f"status {status}",
            lambda text, status=status: classify.kind_of_status(status, text),
        )
    yield TextReader(
        f"{base}.classify", "finish reason", lambda text: classify.kind_of_finish(text, text, text)
    )
    yield TextReader(
        f"{base}.fault",
        "named parameter",
        lambda text: fault._named_in(
            Reply("", error_kind="bad_request", error=text), [*fault._WORDS, "extra.top_k"], []
        ),
    )
    yield TextReader(f"{base}.redaction", "redact", _SECRETS.redact)
    yield TextReader(f"{base}.redaction", "one_line", _SECRETS.one_line)
    for what, status in (("a body", 429), ("a body without status", None), ("a status", "text")):
        yield TextReader(
            f"{base}.failed_call",
            what,
            lambda text, status=status: failed_call.reply_of_exception(
                _CallError(text, text if status == "text" else status, {"retry-after": text}),
                _SECRETS,
                Exchange(),
            ),
        )
    yield TextReader(
        f"{base}.batches.service",
        "a maker's name",
        lambda text: service.plain_name(text, "batch"),
        (ConnectionError,),
    )
    for what, frame in (
        ("a line", "%s"),
        ("a body", '{"custom_id":"k-0","response":{"status_code":200,"body":%s}}'),
        ("an error", '{"custom_id":"k-0","error":{"code":"x","message":%s}}'),
    ):
        yield TextReader(
            f"{base}.batches.result_lines",
            what,
            lambda text, frame=frame: result_lines.openai_result(
                (frame % text).encode("utf-8", "replace"), _BATCHED, _SECRETS
            ),
            every=4,
        )
    for what, frame in (
        ("a body", "%s"),
        ("a message", '{"choices":[{"message":{"content":%s}}]}'),
        ("usage", '{"choices":[],"usage":%s}'),
    ):
        yield TextReader(
            f"{base}.completion_body",
            what,
            lambda text, frame=frame: completion_body.plain_body(
                (frame % text).encode("utf-8", "replace"), 4096
            )[1],
        )
    yield TextReader(f"{base}.body_words", "body_words", body_words.body_words)
    for what, frame in (
        ("raw", '{"error":{"message":"m","metadata":{"raw":%s}}}'),
        ("list", "[%s]"),
    ):
        yield TextReader(
            f"{base}.body_words",
            what,
            lambda text, frame=frame: body_words.body_words(frame % json.dumps(text)),
        )
    yield TextReader(
        f"{base}.batches.refusals", "refused_as", lambda text: refusals.refused_as([(None, text)])
    )
    yield TextReader("mirror_ray.core.untrusted", "printable", untrusted.printable)
    yield TextReader(
        "mirror_ray.core.untrusted", "one_printable_line", untrusted.one_printable_line
    )


_ORDINARY = {"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59"}
_HEADERS = (
    "x-ratelimit-limit-requests",
    "x-ratelimit-remaining-requests",
    "x-ratelimit-reset-requests",
    "x-ratelimit-limit",
    "ratelimit",
    "ratelimit-policy",
    "ratelimit-limit",
    "x-ratelimit-renewalperiod-requests",
    "anthropic-ratelimit-tokens-reset",
)
