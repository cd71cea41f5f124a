"""Batches in OpenAI's protocol, also for servers at a `base_url`: a file is uploaded, a batch of it
is started, and its results are read as files."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any, BinaryIO

import aiohttp

from mirror_ray.core.types import Request
from mirror_ray.core.untrusted import bounded_float
from mirror_ray.providers.batches.refusals import refused_as
from mirror_ray.providers.batches.result_lines import openai_result
from mirror_ray.providers.batches.service import (
    BatchProgress,
    BatchResult,
    Bounds,
    SoughtBatch,
    plain_name,
)
from mirror_ray.providers.batches.wire import (
    CLOCKS_DIFFER_S,
    FILE_S,
    MOST_PAGES,
    PAGE_SIZE,
    WiredBatches,
    objects_in,
)
from mirror_ray.providers.hosted_call import call_parameters, request_body
from mirror_ray.providers.http_call import headers_with_key
from mirror_ray.providers.model import Model

OPENAI = "https://api.openai.com/v1"

_KEY = "mirror_ray_batch"
"""The key of a batch's metadata under which the provider keeps our own name of it."""

_FAILED = frozenset({"failed", "error"})
_ENDS = _FAILED | {
    *("completed", "succeeded", "success", "ended", "expired", "cancelled", "canceled")
}
"""The final states, including the names that other servers with this protocol use."""


class OpenAiBatches(WiredBatches):
    """A `BatchService`."""

    MOST = Bounds(50_000, 200 * 10**6)
    """OpenAI's batch guide."""

    def __init__(self, model: Model, known: frozenset[str] = frozenset()) -> None:
        super().__init__(model, known)
        self._address = (model.base_url or OPENAI).rstrip("/")

    async def body(self, request: Request) -> bytes:
        """Return a request's body for a batch, without the request's name."""
        parameters = call_parameters(request, self._model)
        body = request_body(parameters, self._model.target.partition("/")[2])
        if self._model.base_url is None and "max_tokens" in body:
            # OpenAI's name for it, which its thinking models require.
            body["max_completion_tokens"] = body.pop("max_tokens")
        return json.dumps(body).encode()

    def line(self, body: bytes, custom_id: str) -> bytes:
        """Return a request's line in a batch's file."""
        named = f'{{"custom_id": {json.dumps(custom_id)}, "method": "POST"'
        return f'{named}, "url": "/v1/chat/completions", "body": '.encode() + body + b"}\n"

    async def upload(self, lines: BinaryIO, batch_key: str) -> str:
        """Upload a file; return the provider's name of it."""
        form = aiohttp.FormData()
        form.add_field("purpose", "batch")
        name = f"mirror-ray-{batch_key}.jsonl"
        form.add_field("file", lines, filename=name, content_type="application/jsonl")
        told = await self._call("POST", "files", within_s=FILE_S, data=form)
        return plain_name(told.get("id"), "file")

    async def begin(self, upload: str, lines: BinaryIO, batch_key: str) -> str:
        """Begin a batch of an uploaded file; return the provider's name of it."""
        wanted = {
            "input_file_id": upload,
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {_KEY: batch_key},
        }
        told = await self._call("POST", "batches", json=wanted)
        return plain_name(told.get("id"), "batch")

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the provider's name of a batch that may have been begun. Raise ConnectionError if
        there are too many to search."""
        after: dict[str, str] = {}
        for _ in range(MOST_PAGES):
            told = await self._call("GET", "batches", params={"limit": str(PAGE_SIZE), **after})
            batches = objects_in(told, "data")
            for one in batches:
                metadata = one.get("metadata")
                if isinstance(metadata, dict) and metadata.get(_KEY) == sought.batch_key:
                    return plain_name(one.get("id"), "batch")
            if not batches or told.get("has_more") is not True:
                return None
            # Newest first.
            created_at = bounded_float(batches[-1].get("created_at"))
            if created_at is not None and created_at < sought.began_at - CLOCKS_DIFFER_S:
                return None
            after = {"after": plain_name(batches[-1].get("id"), "batch")}
        raise ConnectionError(
            f"more than {PAGE_SIZE * MOST_PAGES:,} batches since this one was sent"
        )

    async def progress(self, maker_id: str) -> BatchProgress:
        """Return the batch's state. Raise LostBatchError if it is unknown."""
        told = await self._call("GET", f"batches/{maker_id}")
        status = str(told.get("status")).lower()
        if status not in _ENDS:
            return BatchProgress(ended=False)
        named = [told.get("output_file_id"), told.get("error_file_id")]
        places = [one for some in named for one in (some if isinstance(some, list) else [some])]
        files = tuple(plain_name(place, "file") for place in places if place)
        if status not in _FAILED or files:
            return BatchProgress(ended=True, results=files)
        errors = told.get("errors")
        listed = objects_in(errors, "data") if isinstance(errors, dict) else []
        kind = refused_as((one.get("code"), one.get("message")) for one in listed)
        return BatchProgress(ended=True, refused=json.dumps(errors)[:2_000], refused_as=kind)

    async def results(self, place: str, asks: int) -> AsyncIterator[BatchResult]:
        """Yield the results in one of a batch's files, in any order. Raise LostBatchError if it is
        gone."""
        secrets = self._secrets
        address = f"{self._address}/files/{place}/content"
        async for line in self._lines(address, headers_with_key(self._keys()), asks):
            result = openai_result(line, self._model, secrets)
            if result is not None:
                yield result

    async def cancel(self, maker_id: str) -> None:
        """Cancel the batch; finished requests are billed, and can be read."""
        await self._call("POST", f"batches/{maker_id}/cancel")

    async def _call(self, method: str, path: str, **sent: Any) -> Mapping[str, Any]:
        headers = headers_with_key(self._keys())
        return await self._object(method, f"{self._address}/{path}", headers, **sent)
