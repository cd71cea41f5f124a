"""Callers of `limits.py`: processes that make calls with one key, under either policy.

A call is one POST by bare aiohttp, so that one core can make thousands per second. The benchmark
measures when calls are sent, not the cost of a client library.
"""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, process_time
from typing import Any, Protocol

import aiohttp
import numpy as np
from ray.exceptions import RayActorError

from mirror_ray.core.types import Quota
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import (
    CallResult,
    ClientReport,
    Denied,
    LimiterAnswer,
    LimiterCall,
    LimiterUnreachableError,
)
from mirror_ray.providers.quota import quota_of
from mirror_ray.providers.waits import retry_after_s

MODEL = "loopback"
CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Load:
    """The load of one worker.

    Args:
        calls: how many it makes; the run may end before.
        askers: how many of them it attempts at the same time.
        prompt_chars, max_tokens: the size of each.
    """

    calls: int
    askers: int
    prompt_chars: int
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Sent:
    """A response: whether the request was admitted, and the headers."""

    taken: bool
    tokens: int | None
    retry_after_s: float | None
    quota: Quota | None


@dataclass(frozen=True, slots=True)
class Done:
    """Totals of a worker: calls answered, requests rejected, CPU time of its process."""

    calls: int
    turned_away: int
    cpu_s: float


class Line:
    """One worker's connection to the server."""

    def __init__(self, session: aiohttp.ClientSession, url: str, load: Load) -> None:
        self._session, self._url, self._load = session, url, load
        self.answered = 0
        self.turned_away = 0

    @property
    def tokens_at_most(self) -> int:
        """The most tokens of one call."""
        return self._load.prompt_chars // CHARS_PER_TOKEN + self._load.max_tokens

    async def send(self, number: int) -> Sent:
        """Send call `number` once."""
        words = f"{number:08d}".ljust(self._load.prompt_chars, ".")
        body = {
            "model": MODEL,
            "messages": [{"role": "user", "content": words}],
            "max_tokens": self._load.max_tokens,
        }
        async with self._session.post(self._url, data=json.dumps(body)) as reply:
            text = await reply.read()
            headers = {name.lower(): value for name, value in reply.headers.items()}
            told = quota_of(headers) if "x-ratelimit-limit-requests" in headers else None
            if reply.status == 200:
                self.answered += 1
                tokens = json.loads(text)["usage"]["total_tokens"]
                return Sent(True, tokens, None, told)
            assert reply.status == 429, text
            self.turned_away += 1
            return Sent(False, None, retry_after_s(headers, ""), told)


class Policy(Protocol):
    """When a call is sent, and when it is sent again."""

    async def pursue(self, line: Line, number: int) -> None:
        """Send call `number` until it is admitted."""
        ...

    async def aclose(self) -> None:
        """Close the policy after the last call."""
        ...


FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 8.0
LONGEST_HINT_S = 60.0


class Backoff:
    """The usual policy of clients: a semaphore (the askers) and exponential backoff.

    Waits like OpenAI's own client: the provider's Retry-After up to a minute, else half a second
    doubled with each attempt up to eight, minus up to a quarter at random. That client stops after
    two attempts; this policy never gives up.
    """

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    async def pursue(self, line: Line, number: int) -> None:
        """Send, wait, and send again."""
        backoff_s = FIRST_BACKOFF_S
        while not (sent := await line.send(number)).taken:
            wait_s = sent.retry_after_s
            if wait_s is None or not 0 < wait_s <= LONGEST_HINT_S:
                wait_s = backoff_s * (1 - 0.25 * float(self._rng.random()))
            backoff_s = min(LONGEST_BACKOFF_S, 2 * backoff_s)
            await asyncio.sleep(wait_s)

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""


class Gated:
    """The engine's policy: a client in each process, one Limiter for all."""

    def __init__(self, key: str, cell_id: str, limiter: Any) -> None:
        self._key, self._cell_id = key, cell_id
        self._limiter = limiter
        self._client = LimiterClient(self._exchange)

    async def pursue(self, line: Line, number: int) -> None:
        """Wait for a slot and send; if rejected, wait for another with the same age."""
        since_s = monotonic()
        call = LimiterCall(self._key, MODEL, self._cell_id, tokens=line.tokens_at_most)
        while True:
            slot = await self._client.slot(call, waited_s=monotonic() - since_s)
            assert not isinstance(slot, Denied), slot.reason
            sent = await line.send(number)
            result = CallResult(
                error_kind="none" if sent.taken else "rate_limit",
                tokens=sent.tokens if sent.taken else 0,
                cost_usd=0.0,
                retry_after_s=sent.retry_after_s,
                quota=sent.quota,
            )
            self._client.settle(slot, result)
            if sent.taken:
                return

    async def aclose(self) -> None:
        """Report the rest to the Limiter."""
        await self._client.close()

    async def _exchange(self, report: ClientReport) -> LimiterAnswer:
        try:
            answer: LimiterAnswer = await self._limiter.exchange.remote(report)
        except RayActorError as reason:
            raise LimiterUnreachableError(str(reason)) from reason
        return answer


class Worker:
    """A process that makes calls; a Ray actor.

    Args:
        index: its number, which seeds its jitter and names its cell.
        key: the allowance it uses.
        limiter: the actor that grants slots; None selects the backoff policy.
    """

    def __init__(self, index: int, key: str, limiter: Any) -> None:
        self._index, self._key, self._limiter = index, key, limiter

    async def ready(self) -> None:
        """Return once the actor has started."""

    async def work(self, url: str, load: Load, at_most_s: float) -> Done:
        """Make the calls of the load, until all are answered or time is up."""
        if self._limiter is None:
            policy: Policy = Backoff(self._index)
        else:
            policy = Gated(self._key, f"cell-{self._index}", self._limiter)
        cpu_s, numbers = process_time(), iter(range(load.calls))
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            line = Line(session, url, load)

            async def ask(share: Iterator[int]) -> None:
                for number in share:
                    await policy.pursue(line, number)

            with suppress(TimeoutError):
                async with asyncio.timeout(at_most_s):
                    await asyncio.gather(*(ask(numbers) for _ in range(load.askers)))
            await policy.aclose()
        return Done(line.answered, line.turned_away, process_time() - cpu_s)
