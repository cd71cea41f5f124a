"""A mock provider's batches in OpenAI's protocol: files, batches, delays, expiry, partial failures.

A batch is done some time after it was begun; an ask of it is billed then, if it was reached.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import time
from typing import Any, TypeAlias

import numpy as np
from aiohttp import web

from mirror_ray.providers.mock.wire import failure

LARGEST_FILE_BYTES = 220 * 10**6

Answer: TypeAlias = Callable[[Mapping[str, Any]], tuple[int, dict[str, Any]]]
"""From an ask's body to the status and the body of its reply; a reply of status 200 is billed."""


@dataclass(frozen=True, slots=True)
class BatchManner:
    """How batches fare.

    Args:
        lasts_s: from a batch's beginning to its end.
        slow_s: how long each of its replies to uploads and beginnings is held back, after what
            they ask for is done: who dies meanwhile does not know that it is.
        expired, failed: shares of a batch's asks that it does not reach, and that fail.
    """

    lasts_s: float = 2.0
    slow_s: float = 0.0
    expired: float = 0.0
    failed: float = 0.0


PROMPT = BatchManner()


@dataclass(slots=True)
class _Batch:
    number: int
    input_file: str
    metadata: Mapping[str, Any]
    created_at: float
    cancelled_at: float | None = None
    files: dict[str, str] | None = None
    status: str = "in_progress"


@dataclass(slots=True)
class MockBatches:
    """The files and batches of a server.

    Args:
        answer: replies to one ask, and bills it.
    """

    answer: Answer
    manner: BatchManner
    rng: np.random.Generator
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, _Batch] = field(default_factory=dict)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Serves them."""
        router.add_post("/v1/files", self._upload)
        router.add_get("/v1/files/{name}/content", self._content)
        router.add_post("/v1/batches", self._begin)
        router.add_get("/v1/batches", self._list)
        router.add_get("/v1/batches/{name}", self._show)
        router.add_post("/v1/batches/{name}/cancel", self._cancel)

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        part = form.get("file")
        if form.get("purpose") != "batch" or not isinstance(part, web.FileField):
            return failure(400, "a file with purpose=batch is expected", "invalid_request")
        name = self._keep(part.file.read())
        await asyncio.sleep(self.manner.slow_s)
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def _content(self, request: web.Request) -> web.Response:
        body = self.files.get(request.match_info["name"])
        if body is None:
            return failure(404, "No such File object", "not_found")
        return web.Response(body=body, content_type="application/octet-stream")

    async def _begin(self, request: web.Request) -> web.Response:
        wanted = await request.json()
        if wanted.get("input_file_id") not in self.files:
            return failure(400, "no such input file", "invalid_request")
        number = len(self.batches) + 1
        name = f"batch_{number}"
        metadata = wanted.get("metadata") or {}
        self.batches[name] = _Batch(number, wanted["input_file_id"], metadata, time())
        await asyncio.sleep(self.manner.slow_s)
        return web.json_response(self._told(name))

    async def _list(self, request: web.Request) -> web.Response:
        names = list(reversed(self.batches))
        after = request.query.get("after")
        names = names[names.index(after) + 1 :] if after in names else names
        page = names[: int(request.query.get("limit", 20))]
        told = [self._told(name) for name in page]
        return web.json_response(
            {"object": "list", "data": told, "has_more": len(page) < len(names)}
        )

    async def _show(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self.batches:
            return failure(404, "No batch found", "not_found")
        return web.json_response(self._told(name))

    async def _cancel(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self.batches:
            return failure(404, "No batch found", "not_found")
        batch = self.batches[name]
        if batch.files is None and batch.cancelled_at is None:
            batch.cancelled_at = time()
        return web.json_response(self._told(name))

    def _told(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        ends_at = batch.created_at + self.manner.lasts_s
        if batch.files is None and (batch.cancelled_at or time() >= ends_at):
            self._end(batch)
        files = batch.files or {}
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": batch.input_file,
            "completion_window": "24h",
            "status": batch.status,
            "created_at": int(batch.created_at),
            "output_file_id": files.get("output"),
            "error_file_id": files.get("errors"),
            "metadata": dict(batch.metadata),
        }

    def _end(self, batch: _Batch) -> None:
        """Of a batch that is cancelled, half is done."""
        replies: list[dict[str, Any]] = []
        errors: list[dict[str, Any]] = []
        unreached = 0.5 if batch.cancelled_at else self.manner.expired
        code = "batch_cancelled" if batch.cancelled_at else "batch_expired"
        for line in self.files[batch.input_file].splitlines():
            ask = json.loads(line)
            told = {"id": f"batch_req_{ask['custom_id']}", "custom_id": ask["custom_id"]}
            if self.rng.random() < unreached:
                error = {"code": code, "message": "not executed in time"}
                errors.append({**told, "response": None, "error": error})
                continue
            if self.rng.random() < self.manner.failed:
                body = {"error": {"message": "The server had an error", "code": "server_error"}}
                response = {"status_code": 500, "request_id": "r", "body": body}
                errors.append({**told, "response": response, "error": None})
                continue
            status, body = self.answer(ask["body"])
            response = {"status_code": status, "request_id": "r", "body": body}
            (replies if status == 200 else errors).append(
                {**told, "response": response, "error": None}
            )
        # Unordered, as OpenAI has it.
        self.rng.shuffle(replies)
        batch.status = "completed"
        if any(one["error"] for one in errors):
            batch.status = "cancelled" if batch.cancelled_at else "expired"
        batch.files = {
            kind: self._keep("".join(json.dumps(one) + "\n" for one in lines).encode())
            for kind, lines in (("output", replies), ("errors", errors))
            if lines
        }

    def _keep(self, body: bytes) -> str:
        name = f"file-{len(self.files) + 1}"
        self.files[name] = body
        return name
