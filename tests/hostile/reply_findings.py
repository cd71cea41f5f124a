"""What is wrong with a reply that a hostile server had a hand in.

Knows types, bounds and keys; does not know which way was played.
"""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from math import isfinite
from urllib.parse import quote, quote_plus

from mirror_ray.core.error_kinds import ERROR_KINDS
from mirror_ray.core.types import Quota, Reply

LONGEST_NAME = 1000
"""Characters of a model's name or a finish reason that may be kept."""

SHORTEST_PART = 8
"""Characters from a key's beginning on that count as the key: more would be enough to guess it."""

LONGEST_ERROR = 300
LARGEST_COUNT = 2**63 - 1
_TEXTS = ("reasoning", "finish_reason", "native_finish_reason", "error", "model_version")
_COUNTS = ("tokens_in", "tokens_out", "tokens_cached", "tokens_image")


def key_forms(key: str) -> tuple[bytes, ...]:
    """A key's bytes as it may stand in a record: plain, base64 at any offset, URL-encoded."""
    forms = {key[:SHORTEST_PART], quote(key, safe=""), quote(key), quote_plus(key)}
    forms |= {re.sub("%..", lambda escape: escape[0].lower(), form) for form in forms}
    for offset in range(3):
        padded = b"\0" * offset + key.encode()
        # What neighbouring bytes share a character with is left out.
        first = (0, 2, 3)[offset]
        last = len(padded) // 3 * 4
        forms |= {write(padded).decode()[first:last] for write in (b64encode, urlsafe_b64encode)}
    return tuple(form.encode() for form in sorted(forms))


def keys_in(data: bytes, keys: Iterable[str]) -> list[str]:
    """Which forms of which keys stand in `data`."""
    return [form.decode() for key in keys for form in key_forms(key) if form in data]


def findings(reply: Reply, keys: Iterable[str]) -> Iterator[str]:
    """One line for each thing that should not be so."""
    if reply.error_kind not in ERROR_KINDS or reply.error_kind == "internal":
        yield f"error_kind is {reply.error_kind}: {reply.error}"
    yield from _of_texts(reply)
    yield from _of_figures(reply)
    try:
        written = json.dumps(asdict(reply), ensure_ascii=False).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError) as error:
        yield f"cannot be written: {error}"
    else:
        yield from (f"holds the key as {form}" for form in keys_in(written, keys))


def _of_texts(reply: Reply) -> Iterator[str]:
    for name in ("text", *_TEXTS):
        value = getattr(reply, name)
        if not (isinstance(value, str) or (value is None and name != "text")):
            yield f"{name} is a {type(value).__name__}"
    for name in ("finish_reason", "native_finish_reason", "model_version"):
        value = getattr(reply, name)
        if isinstance(value, str) and (len(value) > LONGEST_NAME or not _is_plain(value)):
            yield f"{name} is long or not printable: {value[:60]!r}"
    if isinstance(reply.error, str) and (
        len(reply.error) > LONGEST_ERROR or not reply.error.isprintable()
    ):
        yield f"error is long or not printable: {reply.error[:60]!r}"
    if isinstance(reply.error, str) and "Traceback (most recent" in reply.error:
        yield "error quotes a traceback"


def _of_figures(reply: Reply) -> Iterator[str]:
    for name in _COUNTS:
        value = getattr(reply, name)
        if value is not None and not (type(value) is int and 0 <= value <= LARGEST_COUNT):
            yield f"{name} is {value!r:.60}"
    for name in ("cost_usd", "retry_after_s"):
        value = getattr(reply, name)
        if value is not None and not _is_amount(value):
            yield f"{name} is {value!r:.60}"
    if reply.quota is not None:
        yield from _of_quota(reply.quota)


def _of_quota(quota: Quota) -> Iterator[str]:
    for name, value in asdict(quota).items():
        if value is not None and not _is_amount(value):
            yield f"quota.{name} is {value!r:.60}"
    for name in ("rpm", "tpm"):
        value = getattr(quota, name)
        if value is not None and value < 1e-3:
            yield f"quota.{name} is {value!r}, which nobody offers"


def _is_amount(value: object) -> bool:
    return type(value) in (int, float) and isfinite(value) and 0 <= value <= 1e12


def _is_plain(text: str) -> bool:
    return all(c.isprintable() or c.isspace() for c in text)
