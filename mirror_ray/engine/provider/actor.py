"""A Provider sends requests of episodes to models, and records every reply before returning it.

Hosted models have actors of this class; each Simulator embeds one for offline agents."""

import asyncio
import os
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import time_ns

import numpy as np
from ray import get_actor
from ray.exceptions import RayActorError

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import ClientReport, LimiterAnswer, LimiterUnreachableError
from mirror_ray.engine.provider.batch_lane import AskKey
from mirror_ray.engine.provider.batch_lanes import BatchLanes
from mirror_ray.engine.provider.calls import call_of, is_limited
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.engine.provider.retries import NotSentError, Retrier, Route
from mirror_ray.engine.provider.served_backend import ServedBackend
from mirror_ray.engine.recorder.client import RecorderClient
from mirror_ray.engine.rollout import Asked, RecordMismatchError
from mirror_ray.providers.backend import Backend, StillOutError, backend_for
from mirror_ray.providers.credentials import Credentials
from mirror_ray.providers.http_call import HttpClient
from mirror_ray.providers.model import Model, Tier
from mirror_ray.providers.price_tiers import in_cell, lanes_of
from mirror_ray.providers.redaction import secret_values
from mirror_ray.records.journal.entry import Entry

REMEMBERED_REPLIES = 1024
"""Enough for all replies in transit to a Simulator when it dies and its episodes move elsewhere."""

LINGER_S = 0.05
"""Short, so that a paid reply is soon durable."""

BATCHES_TRIED = 3
"""How many batches a request may expire in, each time after the whole timeout, before it fails."""


@dataclass(frozen=True, slots=True)
class ProviderConfig:
    """Settings of every Provider of a run; plain values.

    Args:
        models: name → catalogue entry.
        limiter, recorder: names of the actors.
        max_attempts: attempts per request at transient failures.
        servers: model that the run serves → names of its servers' actors, running or not.
        cancel_batches: whether stopping the run cancels its batches.
        tiers: cell_id and model → tier, if it is not the model's own.
    """

    models: Mapping[str, Model]
    limiter: str
    recorder: str
    max_attempts: int
    servers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cancel_batches: bool = False
    tiers: Mapping[tuple[str, str], Tier] = field(default_factory=dict)


class Provider:
    """Sends requests to models, one Provider per process.

    Args:
        index: its number, which seeds the jitter of its pauses.
        under_way: the number of replies that may arrive soon, for the Recorder's client; None: all
            in flight.
        linger_s: how long a reply may wait for others, for the Recorder's client.
        credentials: keys of models, if this process's environment lacks them.
    """

    def __init__(
        self,
        index: int,
        config: ProviderConfig,
        under_way: Callable[[], int] | None = None,
        linger_s: float = LINGER_S,
        credentials: Credentials | None = None,
    ) -> None:
        if credentials is not None:
            credentials.set_here()
        self._models, self._tiers = config.models, config.tiers
        self._servers = config.servers
        limiter = get_actor(config.limiter)
        self._limiter = LimiterClient(lambda report: _exchange(limiter, report))
        self._retrier = Retrier(
            self._limiter,
            config.max_attempts,
            np.random.default_rng(index),
            self._count_call,
            on_retry=lambda model, reply: self._counters_of(model).count_retry(reply),
        )
        self.recorder_client = RecorderClient(
            get_actor(config.recorder),
            self._limiter.client_id,
            under_way or (lambda: len(self._under_way)),
            linger_s=linger_s,
        )
        """Records for this process."""
        self._backends: dict[tuple[str, Tier | None], Backend] = {}
        self._known = secret_values(config.models.values(), os.environ)
        self._client = HttpClient()
        self._lanes = BatchLanes(
            self._known,
            get_actor(config.recorder),
            cancels=config.cancel_batches,
            on_trouble=lambda model, reply: self._counters_of(model).count_retry(reply),
        )
        self._under_way: dict[AskKey, asyncio.Task[Entry | None]] = {}
        self._remembered: OrderedDict[AskKey, Entry] = OrderedDict()
        self._counters = defaultdict[str, ModelCounters](ModelCounters)
        self._changed: dict[str, int] = {}
        # Larger than all numbers of an earlier process, which made fewer changes than nanoseconds
        # passed.
        self._change = time_ns()

    async def ask(self, request: Request, asked: Asked) -> Entry | None:
        """Return the request with its reply, durable if it is final and not free; None if `stop`
        came before it was sent, or sent again.

        An episode that is played again after its Simulator died repeats its last request, whose
        first call may still run. It then gets that call's reply and the picture shown then, which
        on another host may differ by some pixels.

        Raises:
            RecordMismatchError: the same request was made before with another prompt.
            EngineError: a reply cannot be made durable.
        """
        key = (request.episode_id, request.ask_index)
        remembered = self._remembered.get(key)
        if remembered is not None:
            if remembered.prompt_sha != asked.prompt_sha:
                raise RecordMismatchError(f"ask {key} was made before in other words")
            return remembered
        under_way = self._under_way.get(key)
        if under_way is None:
            under_way = asyncio.create_task(self._ask_and_record(request, asked))
            self._under_way[key] = under_way
            under_way.add_done_callback(lambda _: self._under_way.pop(key, None))
        return await asyncio.shield(under_way)

    async def stats(self, since: int = 0) -> tuple[int, Mapping[str, ModelCounters]]:
        """Return the number of the latest change, and the counters of each model in this process
        that have changed since an earlier number, or that has a request in flight. A run may have
        ten thousand models."""
        after = since if since <= self._change else 0
        told = {
            model: counters
            for model, counters in self._counters.items()
            if self._changed[model] > after or counters.waiting
        }
        return self._change, told

    async def set_aside(self, models: Mapping[str, str]) -> None:
        """Fail all requests of models whose servers are not restarted; may be repeated."""
        for name, why in models.items():
            backend = self._backend(self._models[name])
            if isinstance(backend, ServedBackend):
                backend.set_aside(why)

    async def stop(self) -> None:
        """Send nothing more; replies to sent requests are still recorded."""
        self._retrier.stop()
        self._lanes.stop()

    async def close(self) -> None:
        """Close the connections, and report to the Limiter what is not reported yet."""
        await self._limiter.close()
        for backend in self._backends.values():
            await backend.aclose()
        await self._client.aclose()
        await self._lanes.aclose()

    async def _ask_and_record(self, request: Request, asked: Asked) -> Entry | None:
        free = self._is_free(request.model)
        counters = self._counters_of(request.model)
        counters.waiting += 1
        try:
            if not free:
                await self.recorder_client.reach()
            reply = await self._ask(request)
        except NotSentError as stopped:
            counters.count_cost(stopped.reply)
            entry = asked.answered(request, stopped.reply)
            await self.recorder_client.record_reply(entry, free=free)
            return None
        except StillOutError:
            # Nothing is recorded: the note of the batch says that the request is out.
            return None
        finally:
            self._counters_of(request.model).waiting -= 1
        counters.count(reply)
        entry = asked.answered(request, reply)
        keeping = self.recorder_client.record_reply(entry, free=free)
        # A free reply is not awaited: if it is lost with this process, it is requested again.
        standing = entry if free else await keeping
        if standing.reply.error_kind in FINAL_KINDS:
            self._remember(standing)
        return standing

    async def _ask(self, request: Request) -> Reply:
        model = in_cell(self._models[request.model], request.cell_id, self._tiers)
        routes = [self._route(lane, request) for lane in lanes_of(model)]
        out = await self._lanes.holding(model, request)
        if out is not None:
            # A run that resumes at another tier buys nothing twice.
            routes = [Route(out, call_of(model, request)), *routes[:1]]
        return await self._retrier.ask(request, *routes)

    def _route(self, lane: Model, request: Request) -> Route:
        is_free = self._is_free(request.model)
        if lane.tier == "batch":
            patience_s = BATCHES_TRIED * lane.timeout_s
            return Route(self._lanes.of(lane), call_of(lane, request), patience_s)
        return Route(self._backend(lane), None if is_free else call_of(lane, request))

    def _is_free(self, model: str) -> bool:
        return not is_limited(self._models[model])

    def _count_call(self, model: str) -> None:
        self._counters_of(model).calls += 1

    def _counters_of(self, model: str) -> ModelCounters:
        self._change += 1
        self._changed[model] = self._change
        return self._counters[model]

    def _backend(self, lane: Model) -> Backend:
        found = self._backends.get((lane.name, lane.tier))
        if found is None:
            servers, shared = self._servers.get(lane.name), (self._known, self._client)
            found = ServedBackend(lane, servers, *shared) if servers else backend_for(lane, *shared)
            self._backends[lane.name, lane.tier] = found
        return found

    def _remember(self, entry: Entry) -> None:
        self._remembered[entry.episode_id, entry.ask_index] = entry
        if len(self._remembered) > REMEMBERED_REPLIES:
            self._remembered.popitem(last=False)


async def _exchange(limiter: Actor, report: ClientReport) -> LimiterAnswer:
    try:
        answer: LimiterAnswer = await limiter.exchange.remote(report)
    except RayActorError as reason:
        raise LimiterUnreachableError(str(reason)) from reason
    return answer
