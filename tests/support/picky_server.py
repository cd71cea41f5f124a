"""A loopback server whose models see a picture's two halves, and refuse what their names say.

    python tests/support/picky_server.py --port 0

prints its port on the first line and serves until it is ended. A model is named ``seer`` with its
peculiarities: ``seer~no-temperature~no-seed`` refuses both by name, ``~terse`` refuses without
saying why, ``~prose`` ignores a schema, ``~blind`` takes pictures without looking, ``~short`` is
cut off in mid-thought, ``~down`` fails. `GET /stats` returns the number of calls and the most at
once.
"""

import argparse
import asyncio
import json
from base64 import b64decode
from collections.abc import Mapping
from contextlib import suppress
from io import BytesIO
from typing import Any

from aiohttp import web
from openai_wire import failure
from PIL import Image, ImageColor
from serving import runner_of, serve

COLOURS = ("black", "white", "red", "orange", "yellow", "green", "blue", "purple")
REFUSED = {
    "no-temperature": ("temperature", "Unsupported value: 'temperature' does not support 0.2."),
    "no-seed": ("seed", "Unknown parameter: 'seed'."),
    "no-schema": ("response_format", "'response_format' of type json_schema is not supported."),
    "no-effort": ("reasoning_effort", "Unrecognized request argument: reasoning_effort"),
    "no-max_tokens": (
        "max_tokens",
        "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
    ),
    "no-picture": ("image_url", "Invalid content type. image_url is only supported by others."),
}
TOLD = {
    "x-ratelimit-limit-requests": "500",
    "x-ratelimit-remaining-requests": "499",
    "x-ratelimit-reset-requests": "120ms",
    "x-ratelimit-limit-tokens": "30000",
    "x-ratelimit-remaining-tokens": "29000",
    "x-ratelimit-reset-tokens": "2s",
}


class Picky:
    def __init__(self, latency_s: float) -> None:
        self._latency_s = latency_s
        self.calls = self.under_way = self.most_at_once = 0

    def app(self) -> web.Application:
        app = web.Application(client_max_size=8 * 2**20)
        app.router.add_post("/v1/chat/completions", self.complete)
        app.router.add_get("/stats", self.stats)
        return app

    async def stats(self, _: web.Request) -> web.Response:
        return web.json_response({"calls": self.calls, "most_at_once": self.most_at_once})

    async def complete(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.calls += 1
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        await asyncio.sleep(self._latency_s)
        self.under_way -= 1
        return answer(body)


def answer(body: Mapping[str, Any]) -> web.Response:
    _, *oddities = body["model"].split("~")
    if "down" in oddities:
        return failure(503, "Overloaded", "overloaded")
    pictures = pictures_in(body)
    for oddity, (parameter, words) in REFUSED.items():
        if oddity in oddities and (pictures if parameter == "image_url" else parameter in body):
            said = "The request is invalid." if "terse" in oddities else words
            return failure(400, said, "invalid_request_error")
    left, right = ("black", "yellow") if not pictures else halves(pictures[0])
    if "blind" in oddities:
        left, right = "red", "blue"
    text = f"The left half is {left} and the right half is {right}."
    if "response_format" in body and "prose" not in oddities:
        text = json.dumps({"left": left, "right": right})
    is_short = "short" in oddities
    return web.json_response(
        {
            "id": "seen",
            "object": "chat.completion",
            "created": 0,
            "model": "seer-2026-01-01",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "" if is_short else text},
                    "finish_reason": "length" if is_short else "stop",
                }
            ],
            "usage": {"prompt_tokens": 60, "completion_tokens": 10, "total_tokens": 70},
        },
        headers=TOLD,
    )


def pictures_in(body: Mapping[str, Any]) -> list[bytes]:
    parts = [
        part for m in body["messages"] if isinstance(m["content"], list) for part in m["content"]
    ]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [b64decode(url.partition(";base64,")[2], validate=True) for url in urls]


def halves(data: bytes) -> tuple[str, str]:
    picture = Image.open(BytesIO(data)).convert("RGB")
    across, down = picture.size
    return name_of(picture.getpixel((across // 4, down // 2))), name_of(
        picture.getpixel((3 * across // 4, down // 2))
    )


def name_of(pixel: Any) -> str:
    def distance(name: str) -> int:
        return sum((a - b) ** 2 for a, b in zip(ImageColor.getrgb(name), pixel, strict=True))

    return min(COLOURS, key=distance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency-s", type=float, default=0.0)
    arguments = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.port, runner_of(Picky(arguments.latency_s).app())))


if __name__ == "__main__":
    main()
