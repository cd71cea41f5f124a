"""A mock provider's batches in Anthropic's protocol: begun in one request, results by address."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from aiohttp import web

from mirror_ray.core.plain_json import parse_json
from mirror_ray.providers.mock.batch_jobs import BatchJob, Fate, MockJobs

_AT = "/v1/messages/batches"
_TYPES = {
    "answered": "succeeded",
    "failed": "errored",
    "expired": "expired",
    "cancelled": "canceled",
}
_ERRORS = {400: "invalid_request_error"}


@dataclass(slots=True)
class MockAnthropicBatches(MockJobs):
    """The batches of a server."""

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Add the routes of the batches to a server."""
        router.add_post(_AT, self._begin)
        router.add_get(_AT, self._list)
        router.add_get(_AT + "/{name}", self.show)
        router.add_get(_AT + "/{name}/results", self._results)
        router.add_post(_AT + "/{name}/cancel", self.cancel)

    async def _begin(self, request: web.Request) -> web.Response:
        try:
            wanted = (await request.json(loads=parse_json))["requests"]
            asks = [(one["custom_id"], as_chat(one["params"])) for one in wanted]
        except (KeyError, TypeError, ValueError) as error:
            return _refused(400, "invalid_request_error", f"not a batch: {error!r}")
        if len({name for name, _ in asks}) < len(asks):
            return _refused(400, "invalid_request_error", "custom_id is not unique")
        return await self.begun(f"msgbatch_{len(self.jobs) + 1}", BatchJob(asks), request)

    async def _list(self, request: web.Request) -> web.Response:
        return web.json_response(self.newest(request, "after_id"))

    async def _results(self, request: web.Request) -> web.Response:
        job = self.jobs.get(request.match_info["name"])
        if job is None or job.fates is None:
            return self.missing("batch that has ended")
        lines = "".join(json.dumps(_line(fate)) + "\n" for fate in job.fates)
        return web.Response(text=lines, content_type="application/x-jsonl")

    def missing(self, what: str) -> web.Response:
        """Return the response for an unknown batch."""
        return _refused(404, "not_found_error", f"no such {what}")

    def told(self, name: str, request: web.Request) -> dict[str, Any]:
        """Describe a batch."""
        job = self.settled(name)
        counts = dict.fromkeys(("processing", *_TYPES.values()), 0)
        for fate in job.fates or ():
            counts[_TYPES[fate.ended]] += 1
        counts["processing"] = len(job.asks) if job.fates is None else 0
        ended = job.fates is not None
        created_at = datetime.fromtimestamp(job.created_at, UTC)
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": created_at.isoformat().replace("+00:00", "Z"),
            "results_url": f"{request.url.origin()}{_AT}/{name}/results" if ended else None,
        }


def as_chat(params: Mapping[str, Any]) -> dict[str, Any]:
    """Translate an Anthropic request body into OpenAI's. Raise KeyError for another shape."""
    system = params.get("system") or []
    before = [{"type": "text", "text": system}] if isinstance(system, str) else system
    messages = [{"role": "system", "content": before}] if before else []
    for message in params["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        messages.append({"role": message["role"], "content": [_part(part) for part in parts]})
    return {"model": params["model"], "messages": messages, "max_tokens": params["max_tokens"]}


def _part(part: Mapping[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return {"type": "text", "text": part["text"]}
    source = part["source"]
    url = f"data:{source['media_type']};base64,{source['data']}"
    return {"type": "image_url", "image_url": {"url": url}}


def _line(fate: Fate) -> dict[str, Any]:
    result: dict[str, Any] = {"type": _TYPES[fate.ended]}
    if fate.ended == "answered":
        result["message"] = message(fate.body)
    elif fate.ended == "failed":
        said = fate.body["error"]["message"]
        error = {"type": _ERRORS.get(fate.status, "api_error"), "message": said}
        result["error"] = {"type": "error", "error": error}
    return {"custom_id": fate.custom_id, "result": result}


def message(completion: Mapping[str, Any]) -> dict[str, Any]:
    """Return an OpenAI completion in Anthropic's form."""
    usage = completion["usage"]
    cached = usage["prompt_tokens_details"]["cached_tokens"]
    return {
        "id": completion["id"],
        "type": "message",
        "role": "assistant",
        "model": completion["model"],
        "content": [{"type": "text", "text": completion["choices"][0]["message"]["content"]}],
        "stop_reason": "end_turn",
        "usage": {
            "input_tokens": usage["prompt_tokens"] - cached,
            "cache_read_input_tokens": cached,
            "output_tokens": usage["completion_tokens"],
            "service_tier": "batch",
        },
    }


def _refused(status: int, kind: str, message: str) -> web.Response:
    error = {"type": "error", "error": {"type": kind, "message": message}}
    return web.json_response(error, status=status)
