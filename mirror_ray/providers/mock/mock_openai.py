"""A mock provider's batches in OpenAI's protocol: files, batches, expiry, partial failures."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from mirror_ray.core.plain_json import parse_json
from mirror_ray.providers.mock.batch_jobs import BatchJob, Fate, MockJobs
from mirror_ray.providers.mock.chat_wire import failure

LARGEST_FILE_BYTES = 260 * 10**6


@dataclass(slots=True)
class MockBatches(MockJobs):
    """The files and batches of a server. `outputs` has the name of each ended batch's file, by
    kind."""

    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Add the routes of the batches to a server."""
        router.add_post("/v1/files", self._upload)
        router.add_get("/v1/files/{name}/content", self.content)
        router.add_post("/v1/batches", self._begin)
        router.add_get("/v1/batches", self._list)
        router.add_get("/v1/batches/{name}", self.show)
        router.add_post("/v1/batches/{name}/cancel", self.cancel)

    async def _upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        part = form.get("file")
        if form.get("purpose") != "batch" or not isinstance(part, web.FileField):
            return failure(400, "a file with purpose=batch is expected", "invalid_request")
        name = self.keep(part.file.read())
        await asyncio.sleep(self.manner.slow_s)
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def _begin(self, request: web.Request) -> web.Response:
        wanted = await request.json(loads=parse_json)
        file = wanted.get("input_file_id")
        if file not in self.files:
            return failure(400, "no such input file", "invalid_request")
        lines = [parse_json(line) for line in self.files[file].splitlines()]
        asks = [(line["custom_id"], line["body"]) for line in lines]
        label = {"input_file_id": file, "metadata": wanted.get("metadata") or {}}
        return await self.begun(f"batch_{len(self.jobs) + 1}", BatchJob(asks, label), request)

    async def _list(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", **self.newest(request, "after")})

    def missing(self, what: str) -> web.Response:
        """Return the response for an unknown file or batch."""
        return failure(404, f"No such {what}", "not_found")

    def told(self, name: str, request: web.Request) -> dict[str, Any]:
        """Describe a batch."""
        job = self.settled(name)
        if job.fates is not None and name not in self.outputs:
            self.outputs[name] = self._written(job.fates)
        files = self.outputs.get(name, {})
        status = "in_progress" if job.fates is None else "completed"
        if job.has(("expired", "cancelled")):
            status = "cancelled" if job.cancelled_at else "expired"
        return {
            **job.label,
            "id": name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "status": status,
            "created_at": int(job.created_at),
            "output_file_id": files.get("output"),
            "error_file_id": files.get("errors"),
        }

    def _written(self, fates: Sequence[Fate]) -> dict[str, str]:
        files = {
            "output": [one for one in fates if one.ended == "answered"],
            "errors": [one for one in fates if one.ended != "answered"],
        }
        return {
            kind: self.keep("".join(json.dumps(_line(one)) + "\n" for one in lines).encode())
            for kind, lines in files.items()
            if lines
        }


def _line(fate: Fate) -> dict[str, Any]:
    told = {"id": f"batch_req_{fate.custom_id}", "custom_id": fate.custom_id}
    if fate.status:
        response = {"status_code": fate.status, "request_id": "r", "body": fate.body}
        return {**told, "response": response, "error": None}
    error = {"code": f"batch_{fate.ended}", "message": "not executed in time"}
    return {**told, "response": None, "error": error}
