"""A loopback server whose models answer in hostile ways, beside models that answer as they should.

    python tests/hostile/hostile_server.py --port 0

prints its port on the first line and serves until it is ended. ``POST /v1/chat/completions`` takes
a way's name as the model, or ``honest-…-<digit>``. ``GET /log`` says who asked what
how often. Another address of this machine, `ELSEWHERE`, takes no call and remembers who came.
Honest models are at a port of their own, as another provider would be: what a server does to its
own connections is its own matter.
"""

import argparse
import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from aiohttp import web
from hostile_ways import WAYS, Asked
from serving import runner_of

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.providers.mock.chat_wire import DecodedCall, completion, decode_call, failure

HONEST = "honest"
ELSEWHERE = "127.0.0.2"
HONEST_LATENCIES_S = (0.0, 0.5, 2.0, 5.0)
"""By the last digit of the model's name, so that honest calls are always under way."""

ANSWERING = ("observer", "rotator", "calibrated", "first-option", "ornate")
"""Offline agents; to each prompt replies the first that knows its kind."""


@dataclass(slots=True)
class HostileServer:
    """What the server remembers.

    Args:
        asked: model → ask → how often it came.
        strange: headers of honest models' calls that no honest server gave them reason to send.
        gone_elsewhere: what came to the other address.
    """

    asked: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    strange: list[str] = field(default_factory=list)
    gone_elsewhere: list[str] = field(default_factory=list)
    elsewhere: str = ""
    honest_port: int = 0

    async def serve(self, port: int) -> None:
        other = web.Application()
        other.router.add_route("*", "/{path:.*}", self._remember)
        runners = runner_of(other), runner_of(self._app()), runner_of(self._app())
        for runner in runners:
            await runner.setup()
        try:
            await web.TCPSite(runners[0], ELSEWHERE, 0).start()
            self.elsewhere = f"http://{ELSEWHERE}:{runners[0].addresses[0][1]}"
            for runner, wanted in zip(runners[1:], (0, port), strict=True):
                await web.TCPSite(runner, "127.0.0.1", wanted, backlog=4096).start()
            self.honest_port = runners[1].addresses[0][1]
            print(runners[2].addresses[0][1], flush=True)
            await asyncio.Event().wait()
        finally:
            for runner in runners:
                await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_get("/log", self._log)
        app.router.add_route("*", "/{path:.*}", self._complete)
        return app

    async def _log(self, _: web.Request) -> web.Response:
        return web.json_response(
            {
                "asked": self.asked,
                "strange": self.strange,
                "gone_elsewhere": self.gone_elsewhere,
                "honest_port": self.honest_port,
            }
        )

    async def _remember(self, request: web.Request) -> web.Response:
        self.gone_elsewhere.append(f"{request.method} {request.path} {dict(request.headers)}")
        return web.Response()

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        try:
            call = decode_call(await request.json(), request.headers)
            words = _words(call, ANSWERING)
        except (KeyError, TypeError, ValueError) as error:
            return failure(400, f"not a chat request: {error!r}", "invalid_request")
        self.asked[call.model][call.digest] += 1
        if call.model.startswith(HONEST):
            self.strange += [name for name in request.headers if name.lower() == "cookie"]
            await asyncio.sleep(HONEST_LATENCIES_S[int(call.model[-1])])
            return web.json_response(completion(call, words, model="honest-1"))
        return await WAYS[call.model](Asked(request, call, words, self.elsewhere))


def _words(call: DecodedCall, agents: Sequence[str]) -> str:
    for agent in agents:
        with suppress(UnfamiliarPromptError):
            return AGENTS[agent](prompt_for(agent, call.system, call.user, call.images))
    return "these words are of no kind that an agent knows"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    arguments = parser.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(HostileServer().serve(arguments.port))


if __name__ == "__main__":
    main()
