"""Converts a call's exception into a `Reply`: its kind, the provider's message, when to retry."""

import re
from collections.abc import Iterator, Mapping

from yarl import URL

from mirror_ray.core.types import Reply
from mirror_ray.core.untrusted import bounded_int
from mirror_ray.providers.body_words import body_words
from mirror_ray.providers.classify import Failure, advice_of, is_shed, kind_of_failure
from mirror_ray.providers.credentials import fault_of_base_url
from mirror_ray.providers.exchange import Exchange
from mirror_ray.providers.quota import plain_headers, quota_of
from mirror_ray.providers.redaction import Secrets
from mirror_ray.providers.waits import retry_after_s

MOST_OF_A_FAILURE_CHARS = 16_000
"""Most characters of a failure's text; what follows echoes the request."""

_NOT_THERE = (404, 405)
_LONGEST_CHAIN = 16
_CODE_DIGITS = 3
_MOST_OF_A_CAUSE_CHARS, _ENOUGH_CHARS = 300, 60
_ERRNO = re.compile(r"^\[Errno -?\d{1,5}\] ")
_QUOTED_HEADER = re.compile(
    r"""(x-ratelimit-[a-z-]{1,40}|retry-after(?:-ms)?)[\\'"]++\s*+:\s*+[\\'"]*+([^\\'",}]{1,256})""",
    re.IGNORECASE,
)


def reply_of_exception(
    error: BaseException, secrets: Secrets, exchange: Exchange, base_url: str | None = None
) -> Reply:
    """Return the reply for a failed call, to `base_url` if the catalogue names one. Its `error` is
    one line without secrets."""
    failure = failure_of(error, exchange)
    kind, said = exchange.refused or (
        "shed" if exchange.may_be_shed and is_shed(failure) else kind_of_failure(failure),
        _said(error, failure),
    )
    # The innermost cause tells why a connection failed.
    words = {"bad_request": failure.text, "connection": said}.get(kind)
    advice = None if words is None else advice_of(words)
    if advice is not None:
        said = f"{said.rstrip('. ')}. Fix: {advice}"
    elif base_url is not None and failure.status in _NOT_THERE:
        hint = fault_of_base_url(base_url)
        said = f"{said} (at {base_url}{'' if hint is None else f': {hint}'})"
    return Reply(
        text="",
        error_kind=kind,
        # litellm quotes its own traceback if it could not parse the response.
        error=secrets.one_line(said.partition("Traceback (most recent call last)")[0]),
        retry_after_s=retry_after_s(failure.headers, failure.text),
        quota=quota_of(failure.headers),
    )


def failure_of(error: BaseException, exchange: Exchange) -> Failure:
    """Return the facts of an exception and of its whole chain of causes."""
    chain = list(_chain(error))
    statuses = [status for link in chain if (status := _status(link)) is not None]
    bodies = [_str(body) for link in chain if (body := getattr(link, "body", None))]
    # litellm quotes the same body repeatedly.
    text = "\n".join(dict.fromkeys([_str(error), *bodies]))[:MOST_OF_A_FAILURE_CHARS]
    # OpenRouter puts the headers of a refusal into its body.
    quoted = {name.lower(): value for name, value in _QUOTED_HEADER.findall(text)}
    return Failure(
        names=tuple(type(link).__name__ for link in chain),
        status=statuses[-1] if statuses else exchange.status,
        text=text,
        headers={
            **plain_headers(quoted),
            **headers_of(getattr(error, "litellm_response_headers", None)),
            **headers_of(getattr(error, "response_headers", None)),
        },
    )


def http_code(code: object) -> int | None:
    """Return an HTTP status, which a body may have as a string; None for anything else."""
    if isinstance(code, str) and len(code) == _CODE_DIGITS and code.isascii() and code.isdigit():
        code = int(code)
    return bounded_int(code, 100, 999)


def headers_of(told: object) -> dict[str, str]:
    """Return headers with lower-case names and bounded values; {} for anything but a mapping."""
    return plain_headers(told) if isinstance(told, Mapping) else {}


def _said(error: BaseException, failure: Failure) -> str:
    """Return the provider's message or, without one, the innermost cause."""
    chain = list(_chain(error))
    for link in reversed(chain):
        body = getattr(link, "body", None) or (_str(link) if _status(link) is not None else None)
        is_structured = not isinstance(body, str) or body.lstrip().startswith(("{", "["))
        words = body_words(body) if is_structured else None
        if words is not None:
            return error_words(failure.names[0], words, failure.status)
    said = error_words(failure.names[0], _str(error), failure.status)
    for cause in reversed(chain[1:]):
        words = _ERRNO.sub("", _str(cause).strip())
        if words:
            if words[:_ENOUGH_CHARS] not in said:
                said = f"{said} [{type(cause).__name__}: {words[:_MOST_OF_A_CAUSE_CHARS]}]"
            break
    # litellm's own exceptions contain a request that was never made.
    address = next(filter(None, map(_address, reversed(chain))), None)
    return said if address is None or address in said else f"{said} (at {address})"


def _address(link: BaseException) -> str | None:
    try:
        url = URL(str(link.request.url))  # type: ignore[attr-defined]
        return f"{url.scheme}://{url.host}:{url.port}" if url.host else None
    # httpx raises if there was no request; other libraries may have anything there.
    except Exception:
        return None


def _status(link: BaseException) -> int | None:
    return http_code(getattr(link, "status_code", None))


def _chain(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if link is None:
            return
        yield link
        link = link.__cause__ or link.__context__


def _str(value: object) -> str:
    try:
        return str(value)
    except Exception:
        return type(value).__name__


_MOST_LAYERS = 8
_INNER = re.compile(r" at 0x[0-9a-fA-F]{1,16}| ssl:(?:default|True|False|<[^<>]{1,80}>)(?= \[)")
"""Addresses in memory, and a client's settings for certificates, which are its defaults."""
_MARKS = (": ", " - ")


def error_words(name: str, said: str, status: int | None = None) -> str:
    """Return ``RateLimitError: slow down`` for litellm's ``litellm.RateLimitError: RateLimitError:
    OpenAIException - slow down``.

    Args:
        status: of the server's response, which identifies a failure without any message.
    """
    for _ in range(_MOST_LAYERS):
        ends = [(said.find(mark), mark) for mark in _MARKS if mark in said[:200]]
        if not ends:
            break
        end, mark = min(ends)
        if not _is_layer(said[:end]):
            break
        said = said[end + len(mark) :]
    title = f"HTTP {status}" if status and name == "HttpError" else name
    return f"{title}: {_INNER.sub('', said)}"


def _is_layer(words: str) -> bool:
    name = words.strip().removeprefix("litellm.")
    return name.isidentifier() and name.endswith(("Error", "Exception"))
