"""Anthropic's Message Batches: started with all requests at once, results read line by line.

A batch does not carry a name of ours: only its requests do, in its results. If the start of a batch
was not confirmed, the batch is found by these names."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from datetime import datetime
from tempfile import TemporaryFile
from typing import Any, BinaryIO, cast

from mirror_ray.core.types import Reply, Request
from mirror_ray.core.untrusted import bounded_int
from mirror_ray.providers.batches.refusals import BATCH_ERRORS
from mirror_ray.providers.batches.result_lines import named_result
from mirror_ray.providers.batches.service import (
    BatchProgress,
    BatchResult,
    Bounds,
    SoughtBatch,
    UndecidedBatchError,
    not_reached,
    plain_name,
)
from mirror_ray.providers.batches.single_calls import BatchesOfCalls
from mirror_ray.providers.batches.wire import (
    CLOCKS_DIFFER_S,
    FILE_S,
    MOST_PAGES,
    PAGE_SIZE,
    objects_in,
)
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.http_call import HttpCall
from mirror_ray.providers.model import Model

_BETAS = "anthropic-beta"
_NOT_BEGUN = frozenset({"canceled", "expired"})
_COUNTS = ("processing", "succeeded", "errored", "canceled", "expired")
_MOST_ERROR_CHARS = 8_000


class AnthropicBatches(BatchesOfCalls):
    """A `BatchService`."""

    MOST = Bounds(100_000, 250 * 10**6)
    """Anthropic's guide allows 256 MB for the whole request."""

    def __init__(self, model: Model, known: frozenset[str] = frozenset()) -> None:
        super().__init__(model, known)
        self._betas: set[str] = set()
        self._key_of: dict[str, str | None] = {}

    async def body(self, request: Request) -> bytes:
        """Return a request's body for a batch, without the request's name."""
        call = await self._single_call(request)
        self._betas.update(_betas(call))
        return call.body

    def line(self, body: bytes, custom_id: str) -> bytes:
        """Return a request's line in a batch."""
        return f'{{"custom_id": {json.dumps(custom_id)}, "params": '.encode() + body + b"}\n"

    async def upload(self, lines: BinaryIO, batch_key: str) -> str:
        """Do nothing: requests are sent as their batch is begun."""
        return ""

    async def begin(self, upload: str, lines: BinaryIO, batch_key: str) -> str:
        """Begin a batch; return the provider's name of it."""
        address, headers = await self._address()
        if self._betas:
            headers = {**headers, _BETAS: ",".join(sorted(self._betas))}
        with TemporaryFile() as body:
            await asyncio.to_thread(_write_requests, lines, cast("BinaryIO", body))
            told = await self._object("POST", address, headers, within_s=FILE_S, data=body)
        return plain_name(told.get("id"), "batch")

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the provider's name of a batch that may have been begun.

        Ended batches of its time and size are searched, because their results have the names of the
        requests.

        Raises:
            UndecidedBatchError: one of them has not ended.
            ConnectionError: there are too many to search.
        """
        address, headers = await self._address()
        after: dict[str, str] = {}
        undecided = False
        for _ in range(MOST_PAGES):
            page = {"limit": str(PAGE_SIZE), **after}
            told = await self._object("GET", address, headers, params=page)
            batches = objects_in(told, "data")
            for one in batches:
                name = plain_name(one.get("id"), "batch")
                if name in sought.known or not _may_be(one, sought):
                    continue
                if one.get("processing_status") != "ended":
                    undecided = True
                elif await self._begins_with(name) == sought.batch_key:
                    return name
            # Newest first.
            if told.get("has_more") is not True or not batches or _is_before(batches[-1], sought):
                if undecided:
                    raise UndecidedBatchError
                return None
            after = {"after_id": plain_name(batches[-1].get("id"), "batch")}
        raise ConnectionError(
            f"more than {PAGE_SIZE * MOST_PAGES:,} batches since this one was sent"
        )

    async def progress(self, maker_id: str) -> BatchProgress:
        """Return the batch's state. Raise LostBatchError if it is unknown."""
        address, headers = await self._address()
        told = await self._object("GET", f"{address}/{maker_id}", headers)
        if told.get("processing_status") != "ended":
            return BatchProgress(ended=False)
        return BatchProgress(ended=True, results=(maker_id,))

    async def results(self, place: str, asks: int) -> AsyncIterator[BatchResult]:
        """Yield the results of a batch, in any order. Raise LostBatchError if they are gone."""
        address, headers = await self._address()
        async for line in self._lines(f"{address}/{place}/results", headers, asks):
            found = named_result(line, "custom_id")
            if found is not None:
                custom_id, data = found
                yield BatchResult(custom_id, await self._reply(data.get("result")))

    async def cancel(self, maker_id: str) -> None:
        """Cancel the batch; finished requests are billed, and can be read."""
        address, headers = await self._address()
        await self._object("POST", f"{address}/{maker_id}/cancel", headers)

    async def _address(self) -> tuple[str, Mapping[str, str]]:
        call = await self._single_call()
        own = {name: value for name, value in call.headers.items() if name != _BETAS}
        return f"{call.address}/batches", own

    async def _begins_with(self, maker_id: str) -> str | None:
        """Return our name of an ended batch, taken from one of its requests; None for others'
        batches."""
        if maker_id not in self._key_of:
            address, headers = await self._address()
            key = None
            lines = self._lines(f"{address}/{maker_id}/results", headers, 1)
            async with aclosing(lines):
                async for line in lines:
                    if (found := named_result(line, "custom_id")) is not None:
                        key = found[0].rpartition("-")[0]
                        break
            self._key_of[maker_id] = key
        return self._key_of[maker_id]

    async def _reply(self, result: object) -> Reply:
        told = result if isinstance(result, dict) else {}
        kind, message = told.get("type"), told.get("message")
        if kind == "succeeded" and isinstance(message, dict):
            return await self._reply_of(json.dumps(message).encode())
        if kind in _NOT_BEGUN:
            return not_reached(kind)
        error = told.get("error")
        # An error is in an envelope of the same form as a single call's.
        inner = error.get("error") if isinstance(error, dict) else None
        inner = inner if isinstance(inner, dict) else error
        name = inner.get("type") if isinstance(inner, dict) else None
        status = BATCH_ERRORS["anthropic"].get(name, 500) if isinstance(name, str) else 500
        said = json.dumps(error or "no result")[:_MOST_ERROR_CHARS]
        return self.failed(HttpError(status, {}, said))


def _betas(call: HttpCall) -> set[str]:
    return set(filter(None, call.headers.get(_BETAS, "").split(",")))


def _write_requests(lines: BinaryIO, body: BinaryIO) -> None:
    """Write the HTTP request that begins a batch, given one line per request."""
    lines.seek(0)
    body.write(b'{"requests": [')
    for number, line in enumerate(lines):
        body.write(b"," if number else b"")
        body.write(line)
    body.write(b"]}")
    body.seek(0)


def _may_be(told: Mapping[str, Any], sought: SoughtBatch) -> bool:
    counts = told.get("request_counts")
    if _is_before(told, sought):
        return False
    if not isinstance(counts, dict):
        return True
    return sum(bounded_int(counts.get(name), 0) or 0 for name in _COUNTS) >= sought.asks


def _is_before(told: Mapping[str, Any], sought: SoughtBatch) -> bool:
    created_at = told.get("created_at")
    try:
        began_at = datetime.fromisoformat(created_at).timestamp()  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False
    return began_at < sought.began_at - CLOCKS_DIFFER_S
