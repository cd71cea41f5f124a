"""A ModelServer: one replica of a model that the run serves, from its start to its end.

Ray runs it as an actor with GPUs; the class itself is plain. An engine that ends, stops answering
or answers nothing usable is restarted, but only a few times unless a call succeeds in between."""

import asyncio
import os
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from uuid import uuid4

from mirror_ray.engine.server.engine_facts import HttpProbe, facts_of
from mirror_ray.engine.server.engine_process import EngineProcess, LogTail, engine_env
from mirror_ray.engine.server.messages import (
    ServerFacts,
    ServerPlacement,
    ServerState,
    ServerStatus,
)
from mirror_ray.engine.server.preflight import free_port
from mirror_ray.providers.redaction import secrets_in
from mirror_ray.providers.served import Served

MOST_FAILURES = 3
"""Starts in a row after which the model has answered no call."""

POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class HealthPolicy:
    """How patiently a server is watched; all in seconds but `silences`.

    Args:
        pauses_s: before each restart; the last one repeats.
        health_every_s: between health checks of a ready server.
        healthy_within_s: the time limit of a check.
        silences: failed checks in a row that lead to a restart.
    """

    pauses_s: tuple[float, ...] = (2.0, 15.0)
    health_every_s: float = 5.0
    healthy_within_s: float = 10.0
    silences: int = 3


class ModelServer:
    """One replica."""

    def __init__(
        self, served: Served, placement: ServerPlacement, pace: HealthPolicy | None = None
    ) -> None:
        self._served = served
        self._placement = placement
        self._pace = pace or HealthPolicy()
        environment = {**os.environ, **served.env}
        self._log = LogTail(secrets_in(environment, placement.secret_names))
        self._state: ServerState = "loading"
        self._since_s = monotonic()
        self._start = ""
        self._failures = 0
        self._url: str | None = None
        self._trouble = ""
        self._suspected = asyncio.Event()
        self._facts: ServerFacts | None = None
        self._living: asyncio.Task[None] | None = None

    async def status(self) -> ServerStatus:
        """Return the current state; the first call starts the engine."""
        if self._living is None:
            self._living = asyncio.create_task(self._live())
        if self._living.done():
            self._living.result()
        return ServerStatus(
            state=self._state,
            start=self._start,
            url=self._url,
            since_s=monotonic() - self._since_s,
            trouble=self._trouble,
            log=() if self._state == "ready" else self._log.lines,
            facts=self._facts,
        )

    async def answered(self, start: str) -> None:
        """Note that a call was answered since this start: earlier failures no longer count."""
        if start == self._start:
            self._failures = 0

    async def suspect(self, start: str, why: str) -> None:
        """Restart the engine because calls fail in a row, unless it was restarted since."""
        if start == self._start and self._state == "ready":
            self._trouble = why
            self._suspected.set()

    async def stop(self) -> None:
        """End the engine for good; return once all its processes have gone."""
        if self._living is not None:
            self._living.cancel()
            with suppress(asyncio.CancelledError):
                await self._living

    async def _live(self) -> None:
        while True:
            self._enter("loading")
            self._start = uuid4().hex[:8]
            self._trouble = await self._one_start()
            self._failures += 1
            if self._failures >= MOST_FAILURES:
                self._enter("failed")
                return
            self._enter("waiting")
            pauses_s = self._pace.pauses_s
            await asyncio.sleep(pauses_s[min(self._failures, len(pauses_s)) - 1])

    async def _one_start(self) -> str:
        """Run the engine from its start to its end; return why it ended."""
        served, address = self._served, self._placement.address
        port = served.port or free_port(address)
        argv = served.argv(host=address, port=port)
        env = engine_env(served, self._placement.secret_names)
        self._suspected.clear()
        probe = HttpProbe(f"http://{_in_url(address)}:{port}")
        engine = await EngineProcess.start(argv, env, self._log)
        ending = asyncio.create_task(engine.ended())
        try:
            trouble = await self._load(ending, probe)
            if trouble is None:
                here = self._placement.name
                # Without the parts that differ from start to start.
                general = served.argv(host="{host}", port="{port}")
                self._facts = await facts_of(served, general, probe, here)
                self._url = f"http://{_in_url(address)}:{port}/v1"
                self._enter("ready")
                trouble = await self._watch(ending, probe)
            return trouble
        finally:
            self._url = None
            # Also on cancellation: it returns once the GPUs are free.
            await asyncio.shield(self._end(engine, ending, probe))

    async def _end(
        self, engine: EngineProcess, ending: "asyncio.Task[int]", probe: HttpProbe
    ) -> None:
        await probe.aclose()
        await engine.end()
        ending.cancel()

    async def _load(self, ending: "asyncio.Task[int]", probe: HttpProbe) -> str | None:
        """Wait until the engine answers; return why it never will."""
        until_s = monotonic() + self._served.ready_within_s
        while monotonic() < until_s:
            if await _is_over(ending, POLL_S):
                return f"it ended while it was loading (exit code {ending.result()})"
            healthy = await probe.is_healthy(self._served.health, self._pace.healthy_within_s)
            if healthy and not await _is_over(ending, 0.0):
                return None
        return f"it was not ready within {self._served.ready_within_s:g} s (ready_within_s)"

    async def _watch(self, ending: "asyncio.Task[int]", probe: HttpProbe) -> str:
        """Wait until a ready engine has to be restarted; return why."""
        suspected = asyncio.create_task(self._suspected.wait())
        recent: deque[bool] = deque(maxlen=self._pace.silences)
        try:
            while True:
                done, _ = await asyncio.wait(
                    {ending, suspected},
                    timeout=self._pace.health_every_s,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if ending in done:
                    return f"it ended (exit code {ending.result()})"
                if suspected in done:
                    return self._trouble
                within_s = self._pace.healthy_within_s
                recent.append(await probe.is_healthy(self._served.health, within_s))
                if len(recent) == recent.maxlen and not any(recent):
                    return f"{self._served.health} was not answered {len(recent)} times in a row"
        finally:
            suspected.cancel()

    def _enter(self, state: ServerState) -> None:
        self._state = state
        self._since_s = monotonic()


async def _is_over(ending: "asyncio.Task[int]", within_s: float) -> bool:
    return bool((await asyncio.wait({ending}, timeout=within_s))[0])


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address
