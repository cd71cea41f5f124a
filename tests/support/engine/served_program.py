"""The loopback server as a program that a run serves itself, with the ways in which it may fail.

    python served_program.py --port PORT [--host ADDRESS] [--die-at N] [--mute-at N]
        [--babble-at N] [--once FILE] [--calls FILE]

`GET /health` says that it is there. At its Nth call it ends itself, answers no call any more, or
answers nonsense; with `--once` only where FILE does not exist yet, which it then makes. Each
answered call adds a line to `--calls`: process, and when it came and went, by this host's clock. It
has a child of its own, as engines have, which runs as long as nobody ends it.
"""

import argparse
import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parents[1]))

from aiohttp import web
from openai_server import Server
from serving import runner_of, serve

EXIT_AT_A_CALL = 3
CHILD = "import time; time.sleep(3600)"


@dataclass(slots=True)
class FailingServer(Server):
    die_at: int = 0
    mute_at: int = 0
    babble_at: int = 0
    deaf: bool = False
    once: Path | None = None
    noted: Path | None = None

    def app(self) -> web.Application:
        app = Server.app(self)
        app.router.add_get("/health", self.health)
        app.router.add_get("/v1/models", self.models)
        return app

    async def health(self, _: web.Request) -> web.Response:
        if self.deaf:
            await asyncio.Event().wait()
        return web.Response()

    async def models(self, _: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": "observer"}, {"id": 7}]})

    async def complete(self, request: web.Request) -> web.StreamResponse:
        came_s = monotonic()
        answer = await Server.complete(self, request)
        if self.noted is not None:
            with self.noted.open("a") as notes:
                notes.write(f"{os.getpid()} {came_s} {monotonic()}\n")
        if self.die_at and self.calls >= self.die_at and self._first_time():
            print("out of memory: key sk-verysecret0123456789", flush=True)
            os._exit(EXIT_AT_A_CALL)
        if self.mute_at and self.calls >= self.mute_at and self._first_time():
            self.deaf = True
        if self.deaf:
            await asyncio.Event().wait()
        if self.babble_at and self.calls >= self.babble_at:
            return web.Response(text="<html>gateway</html>")
        return answer

    def _first_time(self) -> bool:
        if self.once is None:
            return True
        try:
            self.once.touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--host", default="127.0.0.1")
    for fault in ("--die-at", "--mute-at", "--babble-at"):
        parser.add_argument(fault, type=int, default=0)
    parser.add_argument("--latency-s", type=float, default=0.0)
    parser.add_argument("--once", type=Path)
    parser.add_argument("--calls", type=Path)
    parser.add_argument("--mark", help="for whoever looks for its processes")
    options = parser.parse_args()
    subprocess.Popen([sys.executable, "-c", CHILD, str(options.mark)])
    server = FailingServer(
        latency_s=options.latency_s,
        die_at=options.die_at,
        mute_at=options.mute_at,
        babble_at=options.babble_at,
        once=options.once,
        noted=options.calls,
    )
    asyncio.run(serve(options.port, runner_of(server.app()), options.host))
