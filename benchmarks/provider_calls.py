"""Calls that `benchmarks/providers.py` measures, and clients that make them without the engine."""

import asyncio
import json
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

import aiohttp
import numpy as np

from mirror_ray.core.identity import content_hash
from mirror_ray.core.types import Image, Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.hosted_call import call_parameters
from mirror_ray.providers.litellm_endpoint import LitellmEndpoint
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.openai_endpoint import OpenAiEndpoint
from mirror_ray.providers.templated_endpoint import TemplatedEndpoint

IMAGE_BYTES = 32 * 1024
PROMPT_CHARS = 3_000
SYSTEM_CHARS = 1_200
MAX_TOKENS = 512
IN_FLIGHT = 64
WARM_CALLS = 64

Call = Callable[[int], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of some calls: wall time, and CPU time in the clients' processes."""

    calls: int
    wall_s: float
    cpu_s: float


def model_at(port: int, target: str = "openai/any") -> Model:
    """Return the mock model, without limits."""
    return Model(
        "loopback/any",
        "hosted",
        target,
        Limits("loopback", rpm=6e6),
        base_url=f"http://127.0.0.1:{port}/v1",
        usd_per_mtok_in=0.1,
        usd_per_mtok_out=0.1,
    )


def request_of(model: Model, asker: int, number: int) -> Request:
    """Return call `number` of one asker, with a distinct text and a picture."""
    return Request(
        episode_id=content_hash("episode", asker, number),
        ask_index=1,
        cell_id="cell",
        model=model.name,
        system="s" * SYSTEM_CHARS,
        user=f"{asker}:{number:08d}".ljust(PROMPT_CHARS, "."),
        images=(PICTURE,),
        reply_schema={
            "type": "object",
            "properties": {"action": {"type": "string"}},
            "required": ["action"],
            "additionalProperties": False,
        },
        temperature=0.2,
        max_tokens=MAX_TOKENS,
        truth={},
    )


PICTURE = Image(np.random.default_rng(0).bytes(IMAGE_BYTES), "png", 640, 480, "0" * 64)


async def in_parallel(call: Call, numbers: Iterator[int], in_flight: int = IN_FLIGHT) -> None:
    """Make all calls, with a fixed number in flight."""

    async def ask() -> None:
        for number in numbers:
            await call(number)

    await asyncio.gather(*(ask() for _ in range(in_flight)))


class Client:
    """A client without the engine, to be run in a separate process."""

    async def bare(self, model: Model, calls: int) -> Cost:
        """Call with aiohttp, including encoding the picture and reading the reply."""
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

            async def call(number: int) -> None:
                request = request_of(model, 0, number)
                picture = b64encode(request.images[0].data).decode("ascii")
                url = {"url": f"data:image/png;base64,{picture}"}
                content = [
                    {"type": "text", "text": request.user},
                    {"type": "image_url", "image_url": url},
                ]
                body = {
                    "model": "any",
                    "messages": [
                        {"role": "system", "content": request.system},
                        {"role": "user", "content": content},
                    ],
                    "max_tokens": request.max_tokens,
                }
                address = f"{model.base_url}/chat/completions"
                async with session.post(address, data=json.dumps(body)) as reply:
                    assert reply.status == 200
                    json.loads(await reply.read())

            return await measured(call, calls)

    async def litellm(self, model: Model, calls: int) -> Cost:
        """Call with litellm, with the engine's parameters."""
        endpoint = LitellmEndpoint(model)
        acompletion = endpoint._litellm.acompletion

        async def call(number: int) -> None:
            await acompletion(**call_parameters(request_of(model, 0, number), model), api_key="k")

        cost = await measured(call, calls)
        await endpoint.aclose()
        return cost

    async def plain(self, model: Model, calls: int) -> Cost:
        """Call with the backend of hosted models or of own servers, with checks and redaction."""
        hosted = Hosted(model)
        assert isinstance(hosted.endpoint, (OpenAiEndpoint, TemplatedEndpoint))

        async def call(number: int) -> None:
            reply = await hosted.reply(request_of(model, 0, number))
            assert reply.error_kind == "none", reply.error

        cost = await measured(call, calls)
        await hosted.aclose()
        return cost


async def measured(call: Call, calls: int) -> Cost:
    """Return the cost of calls in this process, after a warm-up."""
    await in_parallel(call, iter(range(WARM_CALLS)))
    began_s, cpu_s = perf_counter(), process_time()
    await in_parallel(call, iter(range(WARM_CALLS, WARM_CALLS + calls)))
    return Cost(calls, perf_counter() - began_s, process_time() - cpu_s)
