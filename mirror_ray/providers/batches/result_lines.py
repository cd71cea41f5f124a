"""A batch's results as they arrive: bounded lines, each of which is a reply or ignored."""

import json
import re
import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

from mirror_ray.core.types import Reply
from mirror_ray.providers.batches.service import BatchResult, not_reached
from mirror_ray.providers.chat_completion import HttpError, completion_of
from mirror_ray.providers.completion_body import parse_reply, plain_body
from mirror_ray.providers.exchange import MOST_REPLY_BYTES, Exchange
from mirror_ray.providers.failed_call import http_code, reply_of_exception
from mirror_ray.providers.hosted_reply import reply_of_completion, without_secrets
from mirror_ray.providers.model import Model
from mirror_ray.providers.redaction import Secrets

_MOST_LINE_BYTES = MOST_REPLY_BYTES
LONGEST_ID = 64
_NOT_BEGUN = re.compile(r"(?:batch|request)?_?(?:expired|cancell?ed)", re.IGNORECASE)
"""Codes of requests that the provider has not processed, and does not bill."""
_GZIP_BEGINS, _GZIP = b"\x1f\x8b", 31
_MOST_INFLATED_BYTES = 2**20
_MOST_ERROR_BYTES = 8_000


async def bounded_lines(
    chunks: AsyncIterator[bytes], most_lines: int, most_bytes: int = _MOST_LINE_BYTES
) -> AsyncIterator[bytes]:
    """Yield at most `most_lines` lines of a text, in linear time; skip those beyond the bound."""
    line = bytearray()
    skips, count = False, 0
    async for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for part in ends:
            if not skips and len(line) + len(part) <= most_bytes:
                yield bytes(line + part)
            line.clear()
            skips = False
            count += 1
            if count >= most_lines:
                return
        skips = skips or len(line) + len(rest) > most_bytes
        if skips:
            line.clear()
        else:
            line += rest
    if line and not skips:
        yield bytes(line)


async def inflated(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield a file in pieces of bounded size, decompressed if it is compressed by gzip, whether the
    server says so or not. Raise zlib.error if its compression is broken."""
    inflate = None
    async for chunk in chunks:
        rest = chunk
        while rest:
            if inflate is None and rest.startswith(_GZIP_BEGINS):
                inflate = zlib.decompressobj(_GZIP)
            if inflate is None:
                yield rest
                break
            yield inflate.decompress(rest, _MOST_INFLATED_BYTES)
            rest = inflate.unconsumed_tail
            if inflate.eof:
                # A file may have several parts.
                rest, inflate = inflate.unused_data, None


def named_result(line: bytes, name: str) -> tuple[str, Mapping[str, Any]] | None:
    """Return a result line's request, named by the field `name`, and its content; otherwise
    None."""
    try:
        data = parse_reply(line)
    except (ValueError, RecursionError):
        return None
    custom_id = data.get(name) if isinstance(data, dict) else None
    if not isinstance(custom_id, str) or len(custom_id) > LONGEST_ID:
        return None
    return custom_id, data


def openai_result(line: bytes, model: Model, secrets: Secrets) -> BatchResult | None:
    """Return the result on a line of OpenAI's files; None for any other line. Its tier is ignored,
    because it is billed as a batch; the caller knows its time."""
    found = named_result(line, "custom_id")
    if found is None:
        return None
    custom_id, data = found
    exchange = Exchange()
    try:
        reply = _reply(data, model, secrets, exchange)
    except Exception as error:
        reply = reply_of_exception(error, secrets, exchange)
    return BatchResult(custom_id, without_secrets(reply, secrets))


def _reply(data: Mapping[str, Any], model: Model, secrets: Secrets, exchange: Exchange) -> Reply:
    error = data.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and _NOT_BEGUN.fullmatch(code):
        return not_reached(code)
    response = data.get("response")
    body = response.get("body") if isinstance(response, dict) else None
    if isinstance(body, str):
        # In the form in which it was sent.
        body = parse_reply(body.encode("utf-8", "replace"))
    if not isinstance(response, dict) or not isinstance(body, dict):
        raise HttpError(500, {}, json.dumps(error or "no response")[:_MOST_ERROR_BYTES])
    status = http_code(response.get("status_code")) or 200
    exchange.status = status
    if status // 100 != 2:
        raise HttpError(status, {}, json.dumps(body)[:_MOST_ERROR_BYTES])
    plain, ignored = plain_body(json.dumps(body).encode(), _MOST_ERROR_BYTES)
    completion = completion_of(plain, {}, exchange)
    exchange.ignored = (*ignored, *exchange.ignored)
    at_batch = {**completion, "service_tier": "batch"}
    return replace(reply_of_completion(at_batch, model, secrets, exchange), quota=None)
