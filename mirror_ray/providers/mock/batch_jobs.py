"""A mock provider's batches in any protocol. A batch ends some time after it was begun. Its
requests are billed then, if they were processed."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import time
from typing import Any, Literal, TypeAlias

import numpy as np
from aiohttp import web

_Answer: TypeAlias = Callable[[Mapping[str, Any]], tuple[int, dict[str, Any]]]
"""Returns the status and body of the reply to a request's body in OpenAI's protocol; 200 is
billed."""

Ended: TypeAlias = Literal["answered", "failed", "expired", "cancelled"]


@dataclass(frozen=True, slots=True)
class BatchManner:
    """How batches behave.

    Args:
        lasts_s: from a batch's beginning to its end.
        slow_s: how long its replies to uploads and beginnings are delayed after they took effect,
            which a client killed meanwhile cannot know.
        expired, failed: shares of a batch's requests that are not processed, and that fail.
    """

    lasts_s: float = 2.0
    slow_s: float = 0.0
    expired: float = 0.0
    failed: float = 0.0


PROMPT = BatchManner()


@dataclass(frozen=True, slots=True)
class Fate:
    """How a request ended, with its reply's status and body if it was processed."""

    custom_id: str
    ended: Ended
    status: int = 0
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class BatchJob:
    """One batch.

    Args:
        asks: names and bodies, in OpenAI's protocol.
        label: what the provider reports of it.
        created_at, cancelled_at: Unix times.
        fates: set once it has ended.
    """

    asks: Sequence[tuple[str, Mapping[str, Any]]]
    label: Any = None
    created_at: float = field(default_factory=time)
    cancelled_at: float | None = None
    fates: list[Fate] | None = None

    def cancel(self) -> None:
        """Cancel the batch: no further request is processed."""
        if self.fates is None and self.cancelled_at is None:
            self.cancelled_at = time()

    def is_due(self, manner: BatchManner) -> bool:
        """Return whether the batch should end now."""
        ends_at = self.created_at + manner.lasts_s
        return self.fates is None and (self.cancelled_at is not None or time() >= ends_at)

    def end(self, answer: _Answer, manner: BatchManner, rng: np.random.Generator) -> None:
        """Settle its requests, in any order; if it was cancelled, half are processed."""
        unreached = manner.expired if self.cancelled_at is None else 0.5
        why: Ended = "expired" if self.cancelled_at is None else "cancelled"
        fates = []
        for custom_id, body in self.asks:
            if rng.random() < unreached:
                fates.append(Fate(custom_id, why))
            elif rng.random() < manner.failed:
                failed = {"error": {"message": "The server had an error", "code": "server_error"}}
                fates.append(Fate(custom_id, "failed", 500, failed))
            else:
                status, reply = answer(body)
                fates.append(
                    Fate(custom_id, "answered" if status == 200 else "failed", status, reply)
                )
        self.fates = [fates[i] for i in rng.permutation(len(fates))]

    def has(self, ended: Iterable[Ended]) -> bool:
        """Return whether any of its requests ended in this way."""
        return any(fate.ended in ended for fate in self.fates or ())


@dataclass(slots=True)
class MockJobs(ABC):
    """The batches of a server, in the order in which they began, and its files, in any protocol.
    `answer` replies to one request and bills it."""

    answer: _Answer
    manner: BatchManner
    rng: np.random.Generator
    files: dict[str, bytes] = field(default_factory=dict)
    jobs: dict[str, BatchJob] = field(default_factory=dict)

    @abstractmethod
    def told(self, name: str, request: web.Request) -> dict[str, Any]:
        """Return the provider's description of a batch."""

    @abstractmethod
    def missing(self, what: str) -> web.Response:
        """Return the response for an unknown file or batch."""

    def settled(self, name: str) -> BatchJob:
        """Return a batch, after ending it if it is due."""
        job = self.jobs[name]
        if job.is_due(self.manner):
            job.end(self.answer, self.manner, self.rng)
        return job

    def keep(self, body: bytes) -> str:
        """Keep a file; return its name."""
        name = f"file-{len(self.files) + 1}"
        self.files[name] = body
        return name

    async def begun(self, name: str, job: BatchJob, request: web.Request) -> web.Response:
        """Begin a batch."""
        self.jobs[name] = job
        await asyncio.sleep(self.manner.slow_s)
        return web.json_response(self.told(name, request))

    def newest(self, request: web.Request, after_key: str) -> dict[str, Any]:
        """Return a page of the batches, newest first, starting after the named batch."""
        names = list(reversed(self.jobs))
        after = request.query.get(after_key)
        names = names[names.index(after) + 1 :] if after in names else names
        page = names[: int(request.query.get("limit", 20))]
        told = [self.told(name, request) for name in page]
        return {"data": told, "has_more": len(page) < len(names)}

    async def content(self, request: web.Request) -> web.Response:
        """Return a file."""
        body = self.files.get(request.match_info["name"])
        if body is None:
            return self.missing("file")
        return web.Response(body=body, content_type="application/octet-stream")

    async def show(self, request: web.Request) -> web.Response:
        """Describe a batch."""
        name = request.match_info["name"]
        if name not in self.jobs:
            return self.missing("batch")
        return web.json_response(self.told(name, request))

    async def cancel(self, request: web.Request) -> web.Response:
        """Cancel the rest of a batch."""
        if (job := self.jobs.get(request.match_info["name"])) is not None:
            job.cancel()
        return await self.show(request)
