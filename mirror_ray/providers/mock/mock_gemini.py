"""A mock provider's batches in Gemini's protocol: files, and operations that report their state."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from mirror_ray.core.plain_json import parse_json
from mirror_ray.providers.mock.batch_jobs import BatchJob, Fate, MockJobs

_INVALID, _CANCELLED, _INTERNAL = 3, 1, 13
_NOT_FOUND = 404


@dataclass(slots=True)
class MockGeminiBatches(MockJobs):
    """The files and batches of a server."""

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Add the routes of the batches to a server."""
        router.add_post("/upload/v1beta/files", self._start)
        router.add_post("/upload/v1beta/files/{name}", self._finish)
        router.add_get("/download/v1beta/files/{name}:download", self.content)
        router.add_post("/v1beta/models/{model:.+}:batchGenerateContent", self._begin)
        router.add_get("/v1beta/batches", self._list)
        router.add_get("/v1beta/batches/{name}", self.show)
        router.add_post("/v1beta/batches/{name}:cancel", self._cancel)

    async def _start(self, request: web.Request) -> web.Response:
        if request.headers.get("X-Goog-Upload-Command") != "start":
            return _refused(400, "a resumable upload is expected")
        name = self.keep(b"")
        place = f"{request.url.origin()}/upload/v1beta/files/{name}"
        return web.Response(headers={"X-Goog-Upload-URL": place})

    async def _finish(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self.files:
            return self.missing("upload")
        self.files[name] = await request.read()
        await asyncio.sleep(self.manner.slow_s)
        return web.json_response({"file": {"name": f"files/{name}", "state": "ACTIVE"}})

    async def _begin(self, request: web.Request) -> web.Response:
        try:
            batch = (await request.json(loads=parse_json))["batch"]
            file = self.files[batch["input_config"]["file_name"].removeprefix("files/")]
            lines = [parse_json(line) for line in file.splitlines()]
            model = request.match_info["model"]
            asks = [(line["key"], as_chat(line["request"], model)) for line in lines]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return _refused(400, f"not a batch: {error!r}")
        job = BatchJob(asks, batch["display_name"])
        return await self.begun(f"b{len(self.jobs) + 1}", job, request)

    async def _list(self, request: web.Request) -> web.Response:
        names = list(self.jobs)
        start = int(request.query.get("pageToken", 0))
        end = start + int(request.query.get("pageSize", 50))
        told: dict[str, Any] = {
            "operations": [self.told(name, request) for name in names[start:end]]
        }
        if end < len(names):
            told["nextPageToken"] = str(end)
        return web.json_response(told)

    async def _cancel(self, request: web.Request) -> web.Response:
        found = await self.cancel(request)
        return web.json_response({}) if found.status == 200 else found

    def missing(self, what: str) -> web.Response:
        """Return the response for an unknown file or batch."""
        return _refused(_NOT_FOUND, f"no such {what}")

    def told(self, name: str, request: web.Request) -> dict[str, Any]:
        """Describe a batch."""
        job = self.settled(name)
        if job.fates is not None:
            lines = "".join(json.dumps(_line(fate)) + "\n" for fate in job.fates)
            self.files[f"batch-{name}"] = lines.encode()
        state = "RUNNING" if job.fates is None else "SUCCEEDED"
        if job.fates is not None and job.cancelled_at:
            state = "CANCELLED"
        told: dict[str, Any] = {
            "name": f"batches/{name}",
            "metadata": {
                "displayName": job.label,
                "state": f"BATCH_STATE_{state}",
                "name": f"batches/{name}",
            },
        }
        if job.fates is not None:
            told |= {"done": True, "response": {"responsesFile": f"files/batch-{name}"}}
        return told


def as_chat(body: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Translate a Gemini request body into OpenAI's. Raise KeyError for another shape."""
    messages = []
    if system := body.get("system_instruction"):
        messages.append({"role": "system", "content": [_part(part) for part in system["parts"]]})
    for content in body["contents"]:
        parts = [_part(part) for part in content["parts"]]
        messages.append({"role": content["role"], "content": parts})
    most = (body.get("generationConfig") or {}).get("max_output_tokens")
    tier = body.get("serviceTier")
    asked = {} if tier is None else {"service_tier": tier}
    return {"model": model, "messages": messages, "max_tokens": most, **asked}


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if "text" in part:
        return {"type": "text", "text": part["text"]}
    data = part["inline_data"]
    return {
        "type": "image_url",
        "image_url": {"url": f"data:{data['mime_type']};base64,{data['data']}"},
    }


def _line(fate: Fate) -> dict[str, Any]:
    if fate.ended == "answered":
        return {"key": fate.custom_id, "response": response(fate.body)}
    code = _CANCELLED if not fate.status else _INVALID if fate.status == 400 else _INTERNAL
    return {"key": fate.custom_id, "error": {"code": code, "message": fate.ended}}


def response(completion: Mapping[str, Any]) -> dict[str, Any]:
    """Return an OpenAI completion in Gemini's form."""
    usage = completion["usage"]
    text = completion["choices"][0]["message"]["content"]
    return {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}
        ],
        "usageMetadata": {
            "promptTokenCount": usage["prompt_tokens"],
            "cachedContentTokenCount": usage["prompt_tokens_details"]["cached_tokens"],
            "candidatesTokenCount": usage["completion_tokens"],
            "totalTokenCount": usage["total_tokens"],
        },
        "modelVersion": completion["model"],
        "responseId": completion["id"],
    }


def _refused(status: int, message: str) -> web.Response:
    code = 5 if status == _NOT_FOUND else _INVALID
    return web.json_response({"error": {"code": code, "message": message}}, status=status)
