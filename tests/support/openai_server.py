"""A loopback server that speaks OpenAI's chat protocol; its replies come from the offline agents.

    python tests/support/openai_server.py --port 0 [--rpm 600] [--latency-s 0.5]

prints its port on the first line and serves until it is ended. `POST /v1/chat/completions` takes a
model name ``agent``, ``agent~fault`` (every request fails so) or ``agent~fault~n`` (only the first
n sendings of each distinct request do). `GET /stats` counts calls and distinct requests. An agent
gets what a hosted model would get: the text and the decoded pictures, never the truth.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic
from typing import Any

from aiohttp import web
from loopback import digest_of
from openai_faults import FAULTS
from openai_wire import Call, completion, decode, failure, rate_limited, words_of
from serving import runner_of, serve

from mirror_ray.agents import UnfamiliarPromptError


@dataclass(slots=True)
class Server:
    """The server's memory, and the allowance it enforces."""

    rpm: float | None = None
    latency_s: float = 0.0
    calls: int = 0
    sendings: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    last_body: Mapping[str, Any] = field(default_factory=dict)
    last_key: str = ""
    next_slot_s: float = 0.0
    heard: dict[str, list[tuple[list[str], str]]] = field(default_factory=dict)
    answering: asyncio.Event = field(default_factory=asyncio.Event)
    hold_at: int = 0

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self.complete)
        app.router.add_get("/stats", self.stats)
        app.router.add_get("/heard/{words}", self.list_heard)
        app.router.add_post("/hold", self.hold)
        app.router.add_post("/release", self.release)
        self.answering.set()
        return app

    async def hold(self, request: web.Request) -> web.Response:
        """From now on, or from call number ``at`` on, calls are counted, but not answered."""
        self.hold_at = int(request.query.get("at", 0))
        if self.calls >= self.hold_at:
            self.answering.clear()
        return web.Response()

    async def release(self, _: web.Request) -> web.Response:
        self.hold_at = 0
        self.answering.set()
        return web.Response()

    async def stats(self, _: web.Request) -> web.Response:
        return web.json_response(
            {
                "calls": self.calls,
                "distinct": len(self.sendings),
                "statuses": dict(self.statuses),
                "last_body": self.last_body,
                "last_key": self.last_key,
            }
        )

    async def list_heard(self, request: web.Request) -> web.Response:
        """The replies to the text of this digest: the pictures' digests, and the reply."""
        return web.json_response(self.heard.get(request.match_info["words"], []))

    async def complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.count()
        self.last_body = {key: value for key, value in body.items() if key != "messages"}
        self.last_key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        try:
            answer = await self._answer(request, decode(body, request.headers))
        except (KeyError, ValueError, UnfamiliarPromptError) as error:
            answer = failure(400, f"cannot serve this request: {error!r}", "invalid_request")
        self.statuses[str(answer.status)] += 1
        return answer

    def count(self) -> None:
        """A call arrives."""
        self.calls += 1
        if self.calls == self.hold_at:
            self.answering.clear()

    def hear(self, call: Call, text: str) -> None:
        """A reply goes to a call."""
        pictures = [sha256(image).hexdigest() for image in call.images]
        self.heard.setdefault(digest_of(call.system, call.user), []).append((pictures, text))

    async def _answer(self, request: web.Request, call: Call) -> web.StreamResponse:
        self.sendings[call.digest] += 1
        wait_s = self._wait_s()
        if wait_s > 0:
            return rate_limited(wait_s)
        await asyncio.sleep(self.latency_s)
        await self.answering.wait()
        times = call.fault_times
        if call.fault is not None and (times is None or self.sendings[call.digest] <= times):
            return await FAULTS[call.fault](request, call)
        text = words_of(call)
        self.hear(call, text)
        return web.json_response(completion(call, text))

    def _wait_s(self) -> float:
        """Seconds until the next request fits into the allowance; 0 takes the slot."""
        if self.rpm is None:
            return 0.0
        now_s, interval_s = monotonic(), 60 / self.rpm
        burst_s = max(1.0, interval_s)
        slot_s = max(self.next_slot_s, now_s - burst_s)
        if slot_s > now_s:
            return slot_s - now_s
        self.next_slot_s = slot_s + interval_s
        return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--rpm", type=float, help="requests per minute; more get a 429")
    parser.add_argument("--latency-s", type=float, default=0.0)
    arguments = parser.parse_args()
    server = Server(rpm=arguments.rpm, latency_s=arguments.latency_s)
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.port, runner_of(server.app())))


if __name__ == "__main__":
    main()
