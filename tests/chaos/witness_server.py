"""The loopback server as a witness: it remembers every single call, whom it was for, and its price.

    python tests/chaos/witness_server.py --port 0 [--latency-s 0.2] [--sampled]

As `tests/support/openai_server.py`, whose program this is. Every call is numbered, and says its
number as the model's version: a row tells which call it goes back to. With ``--sampled`` replies
differ from call to call, as at a temperature. ``GET /calls`` lists the calls, ``GET /peers`` the
ports of those who are connected.
"""

import argparse
import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from aiohttp import web
from openai_server import Server
from openai_wire import Call, completion, decode
from serving import runner_of, serve

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.identity import seeded

USD_PER_MTOK_IN, USD_PER_MTOK_OUT = 1.0, 2.0
TOKENS_PER_IMAGE = 425
"""As the replies count them."""


@dataclass(slots=True)
class Taken:
    """One call.

    Args:
        seed: the sampling seed, which no other ask has.
        taken_s, answered_s: on this machine's steady clock; None while it is under way.
        usd: to be paid from the moment it was taken.
    """

    number: int
    seed: int
    taken_s: float
    answered_s: float | None = None
    text: str = ""
    usd: float = 0.0


@dataclass(slots=True)
class Witness(Server):
    """A server that remembers calls one by one."""

    sampled: bool = False
    taken: list[Taken] = field(default_factory=list)
    runner: web.AppRunner | None = None

    def app(self) -> web.Application:
        app = Server.app(self)
        app.router.add_get("/calls", self.list_calls)
        app.router.add_get("/peers", self.list_peers)
        return app

    async def list_calls(self, _: web.Request) -> web.Response:
        return web.json_response(
            [
                {name: getattr(one, name) for name in Taken.__dataclass_fields__}
                for one in self.taken
            ]
        )

    async def list_peers(self, _: web.Request) -> web.Response:
        transports = [one.transport for one in self.runner.server.connections]
        peers = [one.get_extra_info("peername") for one in transports if one is not None]
        return web.json_response([peer[1] for peer in peers if peer])

    async def complete(self, request: web.Request) -> web.StreamResponse:
        body: dict[str, Any] = await request.json()
        call = decode(body, request.headers)
        taken = Taken(len(self.taken) + 1, int(body["seed"]), monotonic())
        self.taken.append(taken)
        self.count()
        self.sendings[call.digest] += 1
        answer = completion(call, self._words(call, taken.number))
        answer["model"] = f"call-{taken.number}"
        usage = answer["usage"]
        taken.text = answer["choices"][0]["message"]["content"]
        self.hear(call, taken.text)
        taken.usd = (
            usage["prompt_tokens"] * USD_PER_MTOK_IN + usage["completion_tokens"] * USD_PER_MTOK_OUT
        ) / 1e6
        await asyncio.sleep(self.latency_s)
        await self.answering.wait()
        taken.answered_s = monotonic()
        self.statuses["200"] += 1
        return web.json_response(answer)

    def _words(self, call: Call, number: int) -> str:
        prompt = prompt_for(call.agent, call.system, call.user, call.images)
        if self.sampled:
            prompt = replace(prompt, rng=seeded("call", number))
        return AGENTS[call.agent](prompt)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--latency-s", type=float, default=0.2)
    parser.add_argument("--sampled", action="store_true")
    arguments = parser.parse_args()
    witness = Witness(latency_s=arguments.latency_s, sampled=arguments.sampled)
    witness.runner = runner_of(witness.app())
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.port, witness.runner))


if __name__ == "__main__":
    main()
