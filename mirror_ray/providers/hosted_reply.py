"""A completion or an exception of litellm's as a `Reply`.

Knows where litellm keeps each figure; imports no litellm, makes no call.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mirror_ray.providers.classify import (
    Failure,
    kind_of_failure,
    kind_of_finish,
    kind_of_status,
)
from mirror_ray.providers.model import Model
from mirror_ray.providers.pricing import cost_usd
from mirror_ray.providers.quota import plain_headers, quota_of
from mirror_ray.providers.redaction import one_line
from mirror_ray.providers.waits import retry_after_s
from mirror_ray.types import ErrorKind, Reply

_LONGEST_CHAIN = 16


def reply_of_completion(
    completion: Any, model: Model, key: str | None, started_at: str, latency_s: float
) -> Reply:
    """The reply in a completion, which may still tell of a failure.

    An empty reply is the model's own only where the provider counted tokens for it, or handed its
    thoughts on. Else nothing was generated (a cold start, a stream cut short): a failure of the
    provider's, to be asked for again.
    """
    quota = quota_of(_headers(completion._hidden_params.get("additional_headers")))
    if not completion.choices:
        return Reply(
            text="",
            error_kind="server",
            error="the provider sent no choices",
            model_version=completion.model,
            started_at=started_at,
            latency_s=latency_s,
            quota=quota,
        )
    choice = completion.choices[0]
    message = choice.message
    of_choice = getattr(choice, "provider_specific_fields", None) or {}
    of_message = getattr(message, "provider_specific_fields", None) or {}
    native = of_choice.get("native_finish_reason")
    refusal = of_message.get("refusal")
    kind, trouble = _trouble(of_choice.get("error"), choice.finish_reason, native, refusal)
    usage = getattr(completion, "usage", None)
    # A server that reports no usage is filled in with zeros; no request has an empty prompt.
    tokens_in = _count(usage, "prompt_tokens") or None
    tokens_out = _count(usage, "completion_tokens") if tokens_in else None
    text, reasoning = message.content or "", getattr(message, "reasoning_content", None)
    if kind == "none" and not (text or reasoning or tokens_out):
        kind, trouble = "server", "the reply is empty and no tokens were generated"
    details = getattr(usage, "prompt_tokens_details", None)
    tokens_cached = _count(details, "cached_tokens")
    return Reply(
        text=text,
        reasoning=reasoning,
        finish_reason=choice.finish_reason,
        native_finish_reason=native,
        error_kind=kind,
        error=None if kind == "none" else one_line(trouble, key),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=tokens_cached,
        tokens_image=_count(details, "image_tokens"),
        cost_usd=cost_usd(
            model,
            reported_usd=_reported_usd(completion, usage, model),
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            tokens_cached=tokens_cached,
        ),
        latency_s=latency_s,
        model_version=completion.model,
        started_at=started_at,
        quota=quota,
    )


def reply_of_exception(
    error: BaseException, key: str | None, started_at: str, latency_s: float
) -> Reply:
    """The reply that tells of a failed call: kind, one line without secrets, time to wait."""
    failure = failure_of(error)
    kind = kind_of_failure(failure)
    return Reply(
        text="",
        error_kind=kind,
        # litellm quotes its own traceback where it could not read what came back.
        error=one_line(f"{failure.names[0]}: {error}".partition("\nTraceback")[0], key),
        retry_after_s=retry_after_s(failure.headers, failure.text),
        latency_s=latency_s,
        started_at=started_at,
        quota=quota_of(failure.headers),
    )


def failure_of(error: BaseException) -> Failure:
    """The facts of an exception and of all that led to it."""
    chain = list(_chain(error))
    statuses = [status for link in chain if (status := _status(link)) is not None]
    words = [str(error), *(str(body) for link in chain if (body := getattr(link, "body", None)))]
    text = "\n".join(words)
    # OpenRouter puts the headers of a refusal into its body.
    quoted = {name.lower(): value for name, value in _QUOTED_HEADER.findall(text)}
    return Failure(
        names=tuple(type(link).__name__ for link in chain),
        status=statuses[-1] if statuses else None,
        text=text,
        headers={**quoted, **_headers(getattr(error, "litellm_response_headers", None))},
    )


_QUOTED_HEADER = re.compile(
    r"""(x-ratelimit-[a-z-]+|retry-after(?:-ms)?)[\\'"]+\s*:\s*[\\'"]*([^\\'",}]+)""",
    re.IGNORECASE,
)


def _headers(told: object) -> dict[str, str]:
    return plain_headers(told) if isinstance(told, Mapping) else {}


def _status(link: BaseException) -> int | None:
    """A code inside a body may be a string, as litellm hands it on."""
    status = getattr(link, "status_code", None)
    if isinstance(status, str) and status.isdecimal():
        status = int(status)
    return status if isinstance(status, int) else None


def _chain(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if link is None:
            return
        yield link
        link = link.__cause__ or link.__context__


def _trouble(
    error: object, finish_reason: str | None, native: str | None, refusal: str | None
) -> tuple[ErrorKind, str]:
    if error:
        code = str(error.get("code")) if isinstance(error, Mapping) else ""
        said = str(error.get("message", error)) if isinstance(error, Mapping) else str(error)
        status = int(code) if code.isdigit() else 500
        return kind_of_status(status, f"{said} {code}"), f"in mid-generation: {said}"
    kind = kind_of_finish(finish_reason, native, refusal)
    return kind, refusal or f"the provider ended the reply: {native or finish_reason}"


def _count(holder: object, name: str) -> int | None:
    value: object = getattr(holder, name, None)
    return value if isinstance(value, int) else None


def _reported_usd(completion: Any, usage: object, model: Model) -> float | None:
    """The provider's figure; else litellm's own estimate, for models without a price of ours.

    litellm looks a price up by the name in the reply and says 0.0 where it finds none; and what
    a public service charges says nothing about a server of one's own.
    """
    stated = getattr(usage, "cost", None)
    if isinstance(stated, int | float):
        return float(stated)
    if model.base_url is not None or model.usd_per_mtok_in is not None:
        return None
    estimate = completion._hidden_params.get("response_cost")
    return float(estimate) if estimate else None
