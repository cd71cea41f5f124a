"""The mock provider's server: many models at one address, with each key's limits enforced. An agent
gets what a hosted model would get, never the truth."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from time import monotonic
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from aiohttp import web

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.plain_json import parse_json
from mirror_ray.providers.mock import mock_anthropic, mock_gemini
from mirror_ray.providers.mock.batch_jobs import PROMPT, BatchManner
from mirror_ray.providers.mock.chat_wire import (
    DecodedCall,
    completion,
    decode_call,
    failure,
    rate_limited,
    shed,
)
from mirror_ray.providers.mock.limits import Allowances, Enforced
from mirror_ray.providers.mock.mock_anthropic import MockAnthropicBatches
from mirror_ray.providers.mock.mock_gemini import MockGeminiBatches
from mirror_ray.providers.mock.mock_openai import LARGEST_FILE_BYTES, MockBatches

_Translation: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]

REPLY_TOKENS = 1024
"""Tokens charged for a request that does not bound its reply, until it is answered."""

_FAULTS = ("429", "500", "503", "drop", "stall", "garbage")
_SPURIOUS_WAIT_S = 0.2


class MockServer:
    """Serves models on loopback.

    Args:
        key_of: model, as requests name it → the key whose limits it uses.
        enforced: key → its limits.
        agents: offline agents; the first that supports a prompt replies.
        faults: the share of admitted calls that fail; all kinds of failure are equally frequent.
        flex_key_of: model → the key whose limits its flex calls use; others are refused.
        shed: the share of flex calls refused for lack of capacity.
        batch_key_of: model → the key that pays for its requests in batches.
        batches: how batches behave.
    """

    def __init__(
        self,
        key_of: Mapping[str, str],
        enforced: Mapping[str, Enforced],
        agents: Sequence[str],
        *,
        faults: float = 0.0,
        flex_key_of: Mapping[str, str] = MappingProxyType({}),
        shed: float = 0.0,
        batch_key_of: Mapping[str, str] = MappingProxyType({}),
        batches: BatchManner = PROMPT,
    ) -> None:
        now_s = monotonic()
        self._key_of, self._flex_key_of = _also_bare(key_of), _also_bare(flex_key_of)
        self._shed = shed
        self._allowances = {key: Allowances(limits, now_s) for key, limits in enforced.items()}
        self._agents = agents
        self._faults = faults
        self._faulted: dict[str, Counter[str]] = {key: Counter() for key in enforced}
        self._shed_calls: Counter[str] = Counter()
        self._billed: dict[str, dict[str, Counter[str]]] = {key: {} for key in enforced}
        self._rng = np.random.default_rng(0)
        self._batch_key_of = _also_bare(batch_key_of)
        self._batches = tuple(
            protocol(self._in_batch, batches, self._rng)
            for protocol in (MockBatches, MockAnthropicBatches, MockGeminiBatches)
        )

    async def serve(self, host: str, port: int, on_ready: Callable[[int], Awaitable[None]]) -> None:
        """Serve until cancelled.

        Args:
            host: the address at which it listens.
            port: 0 takes a free one.
            on_ready: called with the port once requests are accepted.

        Raises:
            OSError: the port is taken, or the address is not this machine's.
        """
        app = web.Application(client_max_size=LARGEST_FILE_BYTES)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_post("/v1/messages", self._message)
        app.router.add_post("/v1beta/models/{model:.+}:generateContent", self._generate)
        app.router.add_get("/stats", self._stats)
        for protocol in self._batches:
            protocol.add_routes(app.router)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port, backlog=4096).start()
            await on_ready(int(runner.addresses[0][1]))
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def _stats(self, _: web.Request) -> web.Response:
        """Return, by key, counts of admitted, rejected and shed calls and faults, and each model's
        bill."""
        return web.json_response(
            {
                key: {
                    **allowances.counts.told(),
                    "faults": dict(self._faulted[key]),
                    "shed": self._shed_calls[key],
                    "billed": {model: dict(bill) for model, bill in self._billed[key].items()},
                }
                for key, allowances in self._allowances.items()
            }
        )

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        return await self._call(request, lambda body: body, lambda reply: reply)

    async def _message(self, request: web.Request) -> web.StreamResponse:
        return await self._call(request, mock_anthropic.as_chat, mock_anthropic.message)

    async def _generate(self, request: web.Request) -> web.StreamResponse:
        model = request.match_info["model"]
        return await self._call(
            request, lambda body: mock_gemini.as_chat(body, model), mock_gemini.response
        )

    async def _call(
        self, request: web.Request, as_chat: _Translation, told: _Translation
    ) -> web.StreamResponse:
        """Answer a call in a provider's protocol: `as_chat` translates it into OpenAI's, and `told`
        translates the reply back."""
        try:
            call = decode_call(as_chat(await request.json(loads=parse_json)), request.headers)
        except (KeyError, TypeError, ValueError) as error:
            return failure(400, f"not a chat request: {error!r}", "invalid_request")
        key = self._key(call)
        if key is None:
            return _not_served(call)
        allowances = self._allowances[key]
        at_most = call.tokens_in + (call.max_tokens or REPLY_TOKENS)
        turned_away = self._turned_away(key, call, at_most)
        if turned_away is not None:
            return turned_away
        used = 0
        try:
            text = self._reply(call)
            if text is None:
                return failure(400, "no agent here knows such a prompt", "invalid_request")
            answer = completion(call, text, model=f"{call.model} (mock)")
            limits = allowances.enforced
            spread = limits.jitter * float(self._rng.uniform(-1.0, 1.0))
            await asyncio.sleep(limits.latency_s * (1.0 + spread))
            fault = self._fault()
            if fault is not None:
                self._faulted[key][fault] += 1
                return await _faulty(fault, request, answer)
            used = answer["usage"]["total_tokens"]
            self._bill(key, call.model, answer["usage"])
            return web.json_response(told(answer))
        finally:
            allowances.leave(monotonic(), at_most, used)

    def _in_batch(self, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        try:
            call = decode_call(body, {})
        except (KeyError, TypeError, ValueError) as error:
            return 400, {"error": {"message": f"not a chat request: {error!r}", "code": "invalid"}}
        key, text = self._batch_key_of.get(call.model), self._reply(call)
        if key is None or text is None:
            return 400, {"error": {"message": f"no batches of {call.model!r}", "code": "invalid"}}
        answer = completion(call, text, model=f"{call.model} (mock)")
        self._bill(key, call.model, answer["usage"])
        # Here OpenAI names no tier for a batch.
        return 200, {**answer, "service_tier": "default"}

    def _key(self, call: DecodedCall) -> str | None:
        return (self._flex_key_of if call.service_tier == "flex" else self._key_of).get(call.model)

    def _turned_away(self, key: str, call: DecodedCall, at_most: int) -> web.Response | None:
        if call.service_tier == "flex" and self._rng.random() < self._shed:
            self._shed_calls[key] += 1
            return shed(int(self._rng.choice((429, 503))))
        wait_s = self._allowances[key].arrive(monotonic(), at_most)
        return rate_limited(wait_s) if wait_s > 0 else None

    def _bill(self, key: str, model: str, usage: Mapping[str, Any]) -> None:
        bill = self._billed[key].setdefault(model, Counter())
        bill["calls"] += 1
        bill["tokens_in"] += usage["prompt_tokens"]
        bill["tokens_out"] += usage["completion_tokens"]
        bill["tokens_cached"] += usage["prompt_tokens_details"]["cached_tokens"]

    def _fault(self) -> str | None:
        if self._rng.random() >= self._faults:
            return None
        return str(self._rng.choice(_FAULTS))

    def _reply(self, call: DecodedCall) -> str | None:
        for agent in self._agents:
            prompt = prompt_for(agent, call.system, call.user, call.images)
            try:
                return AGENTS[agent](prompt)
            except UnfamiliarPromptError:
                continue
        return None


async def _faulty(
    fault: str, request: web.Request, answer: Mapping[str, Any]
) -> web.StreamResponse:
    """Respond with a fault instead of the reply that would have been sent."""
    match fault:
        case "429":
            return rate_limited(_SPURIOUS_WAIT_S)
        case "500":
            return failure(500, "The server had an error", "server_error")
        case "503":
            return failure(503, "The engine is overloaded", "overloaded")
        case "drop":
            if request.transport is not None:
                request.transport.close()
        case "stall":
            await asyncio.Event().wait()
        case "garbage":
            whole = json.dumps(answer)
            return web.Response(text=whole[: len(whole) // 2], content_type="application/json")
    return web.Response()


def _not_served(call: DecodedCall) -> web.Response:
    if call.service_tier == "flex":
        return failure(400, "Invalid service_tier argument", "invalid_request")
    return failure(404, f"no model {call.model!r} here", "model_not_found")


def _also_bare(key_of: Mapping[str, str]) -> dict[str, str]:
    bare = {name.partition("/")[2]: key for name, key in key_of.items() if "/" in name}
    return {**bare, **key_of}
