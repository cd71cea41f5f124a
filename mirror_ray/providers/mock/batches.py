"""A mock provider's batches in OpenAI's protocol: files, batches, expiry, partial failures."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from aiohttp import web

from mirror_ray.providers.mock.batch_jobs import Answer, BatchJob, BatchManner, Fate
from mirror_ray.providers.mock.wire import failure

LARGEST_FILE_BYTES = 260 * 10**6


@dataclass(slots=True)
class _Batch:
    job: BatchJob
    input_file: str
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
        file = wanted.get("input_file_id")
        if file not in self.files:
            return failure(400, "no such input file", "invalid_request")
        lines = [json.loads(line) for line in self.files[file].splitlines()]
        name = f"batch_{len(self.batches) + 1}"
        asks = [(line["custom_id"], line["body"]) for line in lines]
        self.batches[name] = _Batch(BatchJob(asks, wanted.get("metadata") or {}), file)
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
        self.batches[name].job.cancel()
        return web.json_response(self._told(name))

    def _told(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        if batch.job.is_due(self.manner):
            self._end(batch)
        files = batch.files or {}
        return {
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "input_file_id": batch.input_file,
            "completion_window": "24h",
            "status": batch.status,
            "created_at": int(batch.job.created_at),
            "output_file_id": files.get("output"),
            "error_file_id": files.get("errors"),
            "metadata": dict(batch.job.label),
        }

    def _end(self, batch: _Batch) -> None:
        batch.job.end(self.answer, self.manner, self.rng)
        fates = batch.job.fates or []
        batch.status = "completed"
        if batch.job.has(("expired", "cancelled")):
            batch.status = "cancelled" if batch.job.cancelled_at else "expired"
        files = {
            "output": [one for one in fates if one.ended == "answered"],
            "errors": [one for one in fates if one.ended != "answered"],
        }
        batch.files = {
            kind: self._keep("".join(json.dumps(_line(one)) + "\n" for one in lines).encode())
            for kind, lines in files.items()
            if lines
        }

    def _keep(self, body: bytes) -> str:
        name = f"file-{len(self.files) + 1}"
        self.files[name] = body
        return name


def _line(fate: Fate) -> dict[str, Any]:
    told = {"id": f"batch_req_{fate.custom_id}", "custom_id": fate.custom_id}
    if fate.status:
        response = {"status_code": fate.status, "request_id": "r", "body": fate.body}
        return {**told, "response": response, "error": None}
    error = {"code": f"batch_{fate.ended}", "message": "not executed in time"}
    return {**told, "response": None, "error": error}
