"""Classifies why a provider refused a batch: by error code, or by its message if it has no code.

Waiting helps if a queue is full, but not against a billing limit or an invalid batch."""

import re
from collections.abc import Iterable, Mapping

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.providers.classify import Failure, kind_of_failure

BATCH_ERRORS = shipped_yaml("mirror_ray.providers.batches", "refusals.yaml")
_BY_CODE: Mapping[str, ErrorKind] = {
    code: kind for kind, codes in BATCH_ERRORS["kinds"].items() for code in codes
}
_FULL = re.compile(
    r"enqueued .{0,40}limit|limit .{0,40}enqueued|queue .{0,20}full|rate limit|capacity|overloaded"
    r"|too many (?:batches|requests)|try again later"
)
_NO_MONEY = re.compile(r"billing|payment|prepay|exceeded your current quota|out of credits?")
_READ_CHARS = 2_000


def refused_as(errors: Iterable[tuple[object, object]]) -> ErrorKind:
    """Return the error kind of a refused batch: "auth" if any error is about the account; "shed" if
    all errors say that there is no capacity now; otherwise "bad_request"."""
    kinds = {_kind(code, message) for code, message in errors}
    if "auth" in kinds:
        return "auth"
    return "shed" if kinds == {"shed"} else "bad_request"


def _kind(code: object, message: object) -> ErrorKind:
    if isinstance(code, str) and code in _BY_CODE:
        return _BY_CODE[code]
    if isinstance(code, str) and code:
        return "bad_request"
    words = message[:_READ_CHARS].lower() if isinstance(message, str) else ""
    if _NO_MONEY.search(words) or kind_of_failure(Failure((), 400, words, {})) == "auth":
        return "auth"
    return "shed" if _FULL.search(words) else "bad_request"
