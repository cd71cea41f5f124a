"""A batch lane against a pretended maker over real HTTP, with a real journal; deaths by hand."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from aiohttp import web

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.provider.batch_lane import BatchLane
from mirror_ray.engine.rollout import Asked
from mirror_ray.providers.batches.service import service_for
from mirror_ray.providers.mock.batch_jobs import BatchManner
from mirror_ray.providers.mock.chat_wire import completion, decode_call
from mirror_ray.providers.mock.mock_anthropic import MockAnthropicBatches
from mirror_ray.providers.mock.mock_gemini import MockGeminiBatches
from mirror_ray.providers.mock.mock_openai import MockBatches
from mirror_ray.providers.model import BatchTerms, Limits, Model
from mirror_ray.providers.price_tiers import at_tier
from mirror_ray.records.journal.batch_notes import Batch
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.write import Write

TERMS = BatchTerms(Limits("m (batch)"), 1.0, 4.0, 0.5, timeout_s=60.0, linger_s=0.05, poll_s=0.05)
LISTED = Model(
    "house/m",
    "hosted",
    "hosted_vllm/m",
    Limits("m"),
    usd_per_mtok_in=2.0,
    usd_per_mtok_out=8.0,
    usd_per_mtok_cached=1.0,
    batch=TERMS,
)
UNSEEN_FOR_S = 0.3


@dataclass(frozen=True)
class Protocol:
    """A maker's protocol of batches.

    Args:
        uploads: POST requests before a batch is begun.
        begins: the path of the one that begins it.
    """

    mock: Any
    target: str
    address: str
    uploads: int
    begins: str


PROTOCOLS = {
    "openai": Protocol(MockBatches, "hosted_vllm/m", "/v1", 1, "/v1/batches"),
    "anthropic": Protocol(
        MockAnthropicBatches, "anthropic/claude-sonnet-4-5", "", 0, "/v1/messages/batches"
    ),
    "gemini": Protocol(
        MockGeminiBatches,
        "gemini/gemini-2.5-flash",
        "/v1beta",
        2,
        "/v1beta/models/gemini-2.5-flash:batchGenerateContent",
    ),
}
ASKED = Asked("prompt", None, {})


def request_of(number: int, user: str | None = None) -> Request:
    words = user or f"question {number} " + "x" * 60
    return Request(f"e{number}", 1, "cell", "house/m", "system", words, (), None, None, 100)


@dataclass
class JournalLog:
    """A `BatchLog` in a journal's file; before the note `dies_at` its process dies.

    Args:
        hangs: set once it has died.
    """

    journal: Journal
    dies_at: str | None = None
    notes: list[str] = field(default_factory=list)

    async def note(self, batch: Batch) -> None:
        if batch.state == self.dies_at:
            # A dead process does nothing further.
            await asyncio.Event().wait()
        self.notes.append(batch.state)
        self._do(lambda journal: journal.batches.note(batch))

    async def unanswered(self) -> Sequence[Batch]:
        return self._do(lambda journal: journal.batches.unanswered())

    def record(self, request: Request, reply: Reply) -> None:
        entry = ASKED.answered(request, reply)
        self._do(partial(Write.of(entry, has_ended=False).into, asker="asker"))

    def _do(self, work: Any) -> Any:
        (done,) = self.journal.commit([work])
        assert not isinstance(done, Exception), done
        return done


@dataclass
class Maker:
    """A pretended maker, and what it has been asked for.

    Args:
        billed: words of an ask → how often they were billed.
    """

    address: str
    protocol: Protocol
    batches: Any
    billed: Counter[str]
    posted: list[str]
    bill_usd: list[float]
    failing_looks: int = 0

    def looks_fail(self, times: int) -> None:
        """So many GET requests get a 503 from now on."""
        self.failing_looks = times

    @property
    def model(self) -> Model:
        base_url = self.address + self.protocol.address
        return at_tier(replace(LISTED, target=self.protocol.target, base_url=base_url), "batch")

    @property
    def begun(self) -> int:
        """Batches that were begun, as often as they were."""
        return self.posted.count(self.protocol.begins)


@asynccontextmanager
async def maker(protocol: str = "openai", **manner: float) -> AsyncIterator[Maker]:
    billed: Counter[str] = Counter()
    posted: list[str] = []
    bill_usd: list[float] = []

    def answer(body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        call = decode_call(body, {})
        billed[call.user] += 1
        told = completion(call, f"answer to {call.user}", model="m")
        use = told["usage"]
        cached = use["prompt_tokens_details"]["cached_tokens"]
        fresh = use["prompt_tokens"] - cached
        bill_usd.append((fresh * 1.0 + cached * 0.5 + use["completion_tokens"] * 4.0) / 1e6)
        return 200, {**told, "service_tier": "default"}

    @web.middleware
    async def note_posts(request: web.Request, handler: Any) -> web.StreamResponse:
        if request.method == "POST":
            posted.append(request.path)
        elif made.failing_looks:
            made.failing_looks -= 1
            return web.json_response({"error": {"message": "busy"}}, status=503)
        response: web.StreamResponse = await handler(request)
        return response

    fares = BatchManner(**{"lasts_s": 0.1, **manner})
    spoken = PROTOCOLS[protocol]
    batches = spoken.mock(answer, fares, np.random.default_rng(1))
    made = Maker("", spoken, batches, billed, posted, bill_usd)
    app = web.Application(middlewares=[note_posts])
    batches.add_routes(app.router)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        made.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield made
    finally:
        await runner.cleanup()


class Life:
    """One process's lane over the journal at `path`; `die` leaves everything as it lies."""

    def __init__(self, maker: Maker, path: Path, dies_at: str | None = None, **terms: Any) -> None:
        model = maker.model
        if terms:
            model = replace(model, batch=replace(TERMS, **terms))
        self.troubles: list[Reply] = []
        self.log = JournalLog(Journal(str(path)), dies_at)
        self.lane = BatchLane(
            model,
            service_for(model),
            self.log,
            on_trouble=self.troubles.append,
            unseen_for_s=UNSEEN_FOR_S,
            cancels=bool(terms.pop("cancels", False)),
        )
        self._asking: list[asyncio.Task[Reply]] = []

    def ask(self, *requests: Request) -> None:
        self._asking = [asyncio.create_task(self._one(one)) for one in requests]

    async def replies(self) -> list[Reply]:
        return await asyncio.wait_for(asyncio.gather(*self._asking), 100)

    async def _one(self, request: Request) -> Reply:
        """As a Provider asks: until a reply is of use, which is then recorded."""
        while (reply := await self.lane.reply(request)).error_kind in ("shed", "server"):
            pass
        self.log.record(request, reply)
        return reply

    async def until(self, seen: Any) -> None:
        async with asyncio.timeout(100):
            while not seen():
                await asyncio.sleep(0.01)

    async def die(self) -> None:
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        for task in (*self.lane._following, *self.lane._closing):
            task.cancel()
        await self.lane.aclose()
        self.log.journal.close()

    async def close(self) -> None:
        await self.lane.aclose()
        self.log.journal.close()
