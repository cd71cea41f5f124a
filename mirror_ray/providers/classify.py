"""Classifies failed calls: one table from providers' many forms to our error kinds.

Reads status codes, wordings and exception names as litellm passes them on, without importing it.
The status on the wire counts: litellm rewrites statuses (413 becomes 429, 529 becomes 500), so the
innermost status of an exception's chain is read, and class names only without one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.providers.finish_reasons import failure_of
from mirror_ray.providers.quota import grants_nothing


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call, free of any library's types.

    Args:
        names: class names along the exception's chain, outermost first.
        status: the innermost HTTP status; None if there was no reply.
        text: the provider's message, uncut.
        headers: of the failed reply, names in lower case.
    """

    names: tuple[str, ...]
    status: int | None
    text: str
    headers: Mapping[str, str]


_TIMED_OUT = frozenset(
    {
        *("Timeout", "TimeoutError", "APITimeoutError", "ReadTimeout", "WriteTimeout"),
        *("ConnectTimeout", "PoolTimeout", "ServerTimeoutError", "SocketTimeoutError"),
        "ConnectionTimeoutError",
    }
)
_NOT_CONNECTED = frozenset(
    {
        *("ReadError", "WriteError", "ConnectError", "CloseError", "RemoteProtocolError"),
        *("ServerDisconnectedError", "ClientConnectorError", "ClientPayloadError"),
        *("ClientOSError", "ContentLengthError", "ConnectionResetError", "SSLError"),
        *("ConnectionRefusedError", "ConnectionError", "BrokenPipeError", "ProxyError"),
    }
)
_UNREADABLE = frozenset({"JSONDecodeError", "APIResponseValidationError"})

_WORDINGS: tuple[tuple[ErrorKind, str], ...] = (
    # Waiting does not help an account that cannot pay. Gemini words a rate limit alike ("exceeded
    # your current quota"), hence the codes only.
    (
        "auth",
        r"insufficient[_ ](account[_ ])?(quota|credits?|balance|funds)|exceeded_current_quota",
    ),
    ("auth", r"billing_hard_limit_reached|billing_not_active|account is not active"),
    ("auth", r"credit balance is too low|payment required|(account|organization) .{0,20}suspended"),
    ("auth", r"(used|out of|run out of) (all )?(of )?(your |the |available )*credits"),
    ("auth", r"(spend|spending|usage) (limit|cap) (is |was |has been )?(reached|exceeded)"),
    ("auth", r"(reached|exceeded) (its|your|the) .{0,20}(spend|spending|api usage) (limit|cap)"),
    ("auth", r"(purchase|buy|add) (more |additional )?credits|top up your|recharge your"),
    ("auth", r"balance (is )?(not enough|insufficient|exhausted|negative)|no (remaining )?credits"),
    (
        "auth",
        r"balance is (zero|0\b|empty|below)|out of funds|wallet (is|has)|free (tier|trial|quota)"
        r" (is |was |has been )?(exhausted|used up|expired)",
    ),
    (
        "auth",
        r"(trial|subscription) (has |is )?(expired|ended)|exceededbudget"
        r"|(monthly|max|key|team|user) budget|budget (has been |is )?(exceeded|exhausted|spent)",
    ),
    ("auth", r"余额不足|欠费|in arrears|past due|no (active|valid) (subscription|payment method)"),
    ("auth", r"location is not supported|unsupported_country"),
    ("auth", r"api[_ ]key[_ ](is )?(not valid|invalid|revoked|expired|disabled)|unauthori[sz]ed"),
    (
        "auth",
        r"(incorrect|invalid)[_ ]api[_ ]key|authentication (fail|error)|invalid authentication",
    ),
    ("context_window", r"context_length_exceeded|maximum context length|context window"),
    ("context_window", r"prompt is too long|input is too long|too many (input )?tokens( in|:)"),
    (
        "context_window",
        r"maximum prompt length|reduce the length of (the|your) (messages|prompt|input)",
    ),
    ("context_window", r"exceed context limit|tokens \+ `?max_new_tokens`? must be"),
    ("context_window", r"context length is (only )?\d|longer than the (maximum )?model"),
    ("context_window", r"prompt too long|prompt exceeds max|max context length|context overflow"),
    ("context_window", r"`?inputs`? must have less than|exceeded model token limit"),
    ("context_window", r"range of input length should be|context the overflows"),
    ("context_window", r"exceeds? .{0,30}context (length|size)|max(imum)?[_ ]seq(uence)?[_ ]len"),
    (
        "context_window",
        r"(input|prompt)[_ ](length|tokens?)( count)? .{0,40}(exceed|greater than|only"
        r" supports)",
    ),
    ("content_filter", r"content_policy|content[_ ]filter|content management policy"),
    ("content_filter", r"safety system|flagged|requires moderation|responsibleaipolicy"),
    ("content_filter", r"prohibited_content|blocked by .{0,30}(safety|filter|guardrail)"),
    ("content_filter", r"inappropriate content|data_?inspection_?failed|content exists risk"),
    ("content_filter", r"considered high risk|new_sensitive|sensitive[_ ]?(content|info)|敏感内容"),
    (
        "content_filter",
        r"violates? .{0,20}usage (guidelines|polic)|guardrail intervened|moderation",
    ),
    ("server", r"error converting to valid response|unable to get json response"),
    ("server", r"empty or invalid response|response with no 'choices'|'choices' that is not"),
)
"""Wordings, in lower case, that are more specific than a 4xx status, or than no status."""

_ADVICE: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"image[_ ]?(?:s|_url|input|inputs)? .{0,60}(?:not|n't|unsupported)[ _]?.{0,20}support"
            r"|(?:not|n't|no) .{0,20}support.{0,40}(?:image|vision|multi-?modal)"
            r"|unsupported .{0,40}image|image.{0,40}unsupported|mmproj"
            r"|(?:missing|lacks) .{0,40}(?:image|vision)"
            r"|no (?:vision|image) (?:support|encoder|input)|not a (?:vision|multi-?modal) model"
            r"|(?:unknown|invalid).{0,30}(?:part|content|input).{0,10} type.{0,20}image"
        ),
        "the model takes no pictures: set `vision: false` in its catalogue entry",
    ),
    (
        re.compile(
            r"model .{0,120}(?:not found|does not exist|not exist)"
            r"|model .{0,120}is not (?:loaded|available|served)"
            r"|unknown model|no such model|model_not_found|invalid model"
        ),
        "the server has no model of this name: correct `target`, see its /v1/models",
    ),
    (
        re.compile(
            r"(?:unsupported|unknown|unrecognized|unexpected|extra)[_ ].{0,40}(?:parameter|argument"
            r"|field|key)|(?:parameter|argument|field).{0,60}(?:is not supported|not permitted"
            r"|unsupported)"
        ),
        "the server takes no such parameter: see sends_temperature, sends_seed, sends_schema,"
        " max_tokens_name and extra of its catalogue entry",
    ),
    (
        re.compile(
            r"certificate[ _]verify[ _]failed|self[- ]signed certificate|unable to get local issuer"
        ),
        "set SSL_CERT_FILE to a file with the certificate that signed the server's",
    ),
    (
        re.compile(r"(?:parse|invalid|compile) grammar|unrecognized schema|schema conversion"),
        "the server cannot follow the schema: set `sends_schema: false` in its catalogue entry",
    ),
    (
        re.compile(r"requires more (?:system )?memory"),
        "the server's machine lacks memory: serve a smaller model, or a shorter context",
    ),
    (
        re.compile(r"wrong[_ ]version[_ ]number|record layer failure|http_request\b.{0,40}_ssl"),
        "the server speaks plain HTTP: write http:// in base_url",
    ),
    (
        re.compile(r"plain http request was sent to https|http request to an https server"),
        "the server expects TLS: write https:// in base_url",
    ),
    (
        re.compile(r"chat[ _]template|jinja|template error|roles must alternate"),
        "its chat template fails: give the server another one",
    ),
)
"""Refusals in lower case that no repetition cures, and what to do. Some come as 500."""

_NO_CAPACITY = re.compile(r"resource[_ ]unavailable|capacity|overloaded|high demand")
"""Applied to a 429 in lower case: the words of OpenAI and of gateways for a flex call that
is shed.
"""

_FOR_GOOD: frozenset[ErrorKind] = frozenset({"auth", "context_window"})
"""Kinds of wordings that count with any status: a gateway may send every error as 500."""

_READ_CHARS = 8_000
"""The reason is at the beginning; echoes of the request follow it."""

_BY_STATUS: Mapping[int, ErrorKind] = {
    401: "auth",
    402: "auth",
    403: "auth",
    407: "auth",
    408: "timeout",
    425: "server",
    429: "rate_limit",
    451: "content_filter",
    498: "server",
    499: "timeout",
    501: "bad_request",
    504: "timeout",
    505: "bad_request",
    522: "connection",
    523: "connection",
    524: "timeout",
}


def kind_of_failure(failure: Failure) -> ErrorKind:
    """The error kind of a call that raised; "internal" only for what no provider can cause."""
    names = set(failure.names)
    if names & _TIMED_OUT:
        return "timeout"
    # Outermost, APIConnectionError is litellm's name for anything unforeseen; further in, it is
    # the OpenAI client's.
    if names & _NOT_CONNECTED or "APIConnectionError" in failure.names[1:]:
        return "connection"
    if names & _UNREADABLE:
        return "server"
    if failure.status is None:
        return _worded(failure.text) or "internal"
    if failure.status == 429 and grants_nothing(failure.headers):
        return "auth"
    return kind_of_status(failure.status, failure.text)


def is_shed(failure: Failure) -> bool:
    """Whether a call at a tier without promised capacity was refused for lack of it. A 429 without
    such words is the key's own rate limit."""
    if failure.status == 429:
        return _NO_CAPACITY.search(failure.text[:_READ_CHARS].lower()) is not None
    return failure.status == 503


def kind_of_status(status: int, text: str) -> ErrorKind:
    """The error kind of an HTTP status, or of the same code inside a body, and its words."""
    if status >= 400 and (worded := _worded(text)) and (status < 500 or worded in _FOR_GOOD):
        return worded
    if status >= 500 and advice_of(text) is not None:
        return "bad_request"
    if status == 429 and "request too large" in text[:_READ_CHARS].lower():
        return "bad_request"
    known = _BY_STATUS.get(status)
    if known is not None:
        return known
    return "bad_request" if 400 <= status < 500 else "server"


def advice_of(text: str) -> str | None:
    """What to do about a refusal that no repetition cures; None for other errors."""
    lowered = text[:_READ_CHARS].lower()
    return next((words for pattern, words in _ADVICE if pattern.search(lowered)), None)


def kind_of_finish(
    finish_reason: str | None, native_finish_reason: str | None, refusal: str | None
) -> ErrorKind:
    """Return the error kind of a complete reply; "none" if it is the model's own text.

    The provider's native reason takes precedence: OpenRouter passes a failure in mid-generation on
    as "stop", and a refusal as a filter.
    """
    kind = failure_of(finish_reason, native_finish_reason)
    if kind != "none":
        return kind
    return "refusal" if refusal else "none"


def _worded(text: str) -> ErrorKind | None:
    text = text[:_READ_CHARS].lower()
    return next((kind for kind, words in _WORDINGS if re.search(words, text)), None)
