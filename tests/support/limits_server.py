"""A loopback provider that enforces rate limits, and counts: light enough for 1,000 calls a second.

    python tests/support/limits_server.py --port 0

prints its port on the first line and serves until it is ended. Any POST is a chat completion of
OpenAI's protocol; its text is always the same. `PUT /limits` takes fields of `Enforced`: all
counting restarts, or continues under other limits with ``"keep": true``. `GET /stats` returns the
counts. Requests are charged with their prompt and `max_tokens` when they arrive, and with their
actual usage when they are answered.
"""

import argparse
import asyncio
import json
from contextlib import suppress
from math import ceil
from time import monotonic
from typing import Any
from zlib import crc32

import numpy as np
from aiohttp import web

from mirror_ray.providers.mock.limits import Allowances, Enforced

CHARS_PER_TOKEN = 4
WORDS = "The mirror shows me."


class Server:
    """One key; the limits of the moment."""

    def __init__(self) -> None:
        self._allowances = Allowances(Enforced(), monotonic())
        self._rng = np.random.default_rng(0)

    async def serve(self, request: web.BaseRequest) -> web.StreamResponse:
        """Any request at all."""
        if request.method == "POST":
            return await self._complete(json.loads(await request.read()))
        if request.method == "PUT" and request.path == "/limits":
            return self._enforce(json.loads(await request.read()))
        if request.method == "GET" and request.path == "/stats":
            return web.json_response(self._allowances.counts.told())
        return web.Response(status=404)

    def _enforce(self, told: dict[str, Any]) -> web.Response:
        keep = told.pop("keep", False)
        enforced = Enforced(**told)
        if keep:
            self._allowances.enforce(enforced, monotonic())
        else:
            self._allowances = Allowances(enforced, monotonic())
        return web.Response(status=204)

    async def _complete(self, body: dict[str, Any]) -> web.Response:
        allowances = self._allowances
        words = "".join(map(words_of, body["messages"]))
        tokens_in = len(words) // CHARS_PER_TOKEN
        at_most = tokens_in + body["max_tokens"]
        wait_s = allowances.arrive(monotonic(), at_most)
        if wait_s > 0:
            return self._turned_away(wait_s)
        enforced = allowances.enforced
        spread = enforced.jitter * float(self._rng.uniform(-1, 1))
        await asyncio.sleep(enforced.latency_s * (1 + spread))
        # Between a quarter and all of what was allowed, always the same for the same words.
        share = 0.25 + 0.75 * crc32(words.encode()) / 2**32
        tokens_out = int(body["max_tokens"] * share)
        allowances.leave(monotonic(), at_most, tokens_in + tokens_out)
        return web.Response(
            body=completion(body["model"], tokens_in, tokens_out),
            content_type="application/json",
            headers=self._told() if enforced.headers else None,
        )

    def _turned_away(self, wait_s: float) -> web.Response:
        headers = self._told() if self._allowances.enforced.headers else {}
        if self._allowances.enforced.retry_after:
            # Whole seconds, as providers send them.
            headers["Retry-After"] = str(ceil(wait_s))
        error = {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}
        return web.json_response({"error": error}, status=429, headers=headers)

    def _told(self) -> dict[str, str]:
        now_s = monotonic()
        headers = {}
        for unit, allowance in (
            ("requests", self._allowances.requests),
            ("tokens", self._allowances.tokens),
        ):
            if allowance is not None:
                left, reset_s = allowance.told(now_s)
                headers[f"x-ratelimit-limit-{unit}"] = f"{allowance.per_minute:.0f}"
                headers[f"x-ratelimit-remaining-{unit}"] = f"{left:.0f}"
                headers[f"x-ratelimit-reset-{unit}"] = f"{reset_s * 1000:.0f}ms"
        return headers


def words_of(message: dict[str, Any]) -> str:
    """A message's text; pictures are accepted and ignored."""
    content = message["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return "".join(part["text"] for part in parts if part["type"] == "text")


def completion(model: str, tokens_in: int, tokens_out: int) -> bytes:
    """OpenAI's schema."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": WORDS},
        "finish_reason": "stop",
    }
    usage = {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }
    return json.dumps(
        {
            "id": "chatcmpl-0",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "choices": [choice],
            "usage": usage,
        }
    ).encode()


async def serve(port: int) -> None:
    runner = web.ServerRunner(web.Server(Server().serve), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, backlog=4096).start()
    print(runner.addresses[0][1], flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
