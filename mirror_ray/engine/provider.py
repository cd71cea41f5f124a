"""A Provider: asks models on behalf of episodes, and records every answer before handing it on.

It is an actor of its own for hosted models, and lives within each Simulator for offline agents.
Knows equal asks, estimates and the journal; does not parse a reply, nor pace or repeat calls.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import TypeAlias

import numpy as np
from ray import get_actor
from ray.exceptions import RayActorError

from mirror_ray.engine.attempts import Attempts
from mirror_ray.engine.calls import Actor
from mirror_ray.engine.gate import Gate
from mirror_ray.engine.keys import Keys
from mirror_ray.engine.rollout import Asked, RecordMismatchError
from mirror_ray.engine.scribe import Scribe
from mirror_ray.engine.slots import Answer, Call, LimiterAwayError, Report
from mirror_ray.providers.backend import Backend, backend_for
from mirror_ray.providers.image_tokens import image_tokens
from mirror_ray.providers.model import Model
from mirror_ray.records.entry import Entry
from mirror_ray.sweep.calibration import CHARS_PER_TOKEN
from mirror_ray.types import FINAL_KINDS, ErrorKind, Reply, Request

REMEMBERED_REPLIES = 1024
"""Enough for all that are on their way to a Simulator while it dies and its episodes move."""

LINGER_S = 0.05
"""What is paid for is made durable soon."""

AskKey: TypeAlias = tuple[str, int]


@dataclass(slots=True)
class ModelTally:
    """What one model was asked so far.

    Args:
        calls: attempts, retries included; `answers` of them were of use.
        waiting: asks under way.
        cost_usd: known costs only.
        errors, last_error: asks that failed, by kind, and what was said last.
    """

    calls: int = 0
    answers: int = 0
    waiting: int = 0
    cost_usd: float = 0.0
    latency_s: float = 0.0
    errors: Counter[ErrorKind] = field(default_factory=Counter)
    last_error: dict[ErrorKind, str] = field(default_factory=dict)

    def count(self, reply: Reply) -> None:
        """Adds what came of an ask, retries included."""
        self.cost_usd += reply.cost_usd or 0.0
        self.latency_s += reply.latency_s
        if reply.error_kind == "none":
            self.answers += 1
        else:
            self.errors[reply.error_kind] += 1
            self.last_error[reply.error_kind] = reply.error or reply.error_kind


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every Provider of a run; plain values.

    Args:
        models: name → catalogue entry.
        limiter: name of the actor that grants send slots.
        recorder: name of the actor that makes answers durable.
        max_attempts: attempts per ask at transient failures.
    """

    models: Mapping[str, Model]
    limiter: str
    recorder: str
    max_attempts: int


class Provider:
    """What talks to models, one to a process.

    Args:
        index: its number, which seeds the jitter of its pauses.
        under_way: how many answers may come soon, for the Scribe; None: the asks under way.
        linger_s: how long an answer may wait for others, for the Scribe.
        keys: what models are asked with, where this process's environment lacks it.
    """

    def __init__(
        self,
        index: int,
        terms: Terms,
        under_way: Callable[[], int] | None = None,
        linger_s: float = LINGER_S,
        keys: Keys | None = None,
    ) -> None:
        if keys is not None:
            keys.set_here()
        self._models = terms.models
        limiter = get_actor(terms.limiter)
        self._gate = Gate(lambda report: _exchange(limiter, report))
        self._attempts = Attempts(
            self._gate, terms.max_attempts, np.random.default_rng(index), self._count_call
        )
        self.scribe = Scribe(
            get_actor(terms.recorder),
            self._gate.gate_id,
            under_way or (lambda: len(self._under_way)),
            linger_s=linger_s,
        )
        """What this process records."""
        self._backends: dict[str, Backend] = {}
        self._under_way: dict[AskKey, asyncio.Task[Entry]] = {}
        self._remembered: OrderedDict[AskKey, Entry] = OrderedDict()
        self._tallies: dict[str, ModelTally] = {name: ModelTally() for name in terms.models}

    async def ask(self, request: Request, asked: Asked) -> Entry:
        """The ask with its reply, durable if it is final and not free; one call for equal asks.

        An episode that is played again after its Simulator died repeats its last ask, whose
        first call runs on or has just been answered: it then gets that very reply, and what was
        seen then, which on another host may differ by some pixels.

        Raises:
            RecordMismatchError: the same ask was made before in other words.
            EngineError: an answer cannot be made durable.
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

    async def stats(self) -> Mapping[str, ModelTally]:
        """Model → what it was asked so far by this process."""
        return self._tallies

    async def close(self) -> None:
        """Lets go of the connections, and tells the Limiter what it has not heard yet."""
        await self._gate.close()
        for backend in self._backends.values():
            await backend.aclose()

    async def _ask_and_record(self, request: Request, asked: Asked) -> Entry:
        tally = self._tallies[request.model]
        tally.waiting += 1
        try:
            reply = await self._ask(request)
        finally:
            tally.waiting -= 1
        tally.count(reply)
        entry = asked.answered(request, reply)
        free = self._is_free(request.model)
        keeping = self.scribe.note(entry, free=free)
        # What costs nothing and waits for nobody is asked again if it is lost with this process.
        standing = entry if free else await keeping
        if standing.reply.error_kind in FINAL_KINDS:
            self._remember(standing)
        return standing

    async def _ask(self, request: Request) -> Reply:
        model = self._models[request.model]
        call = None if self._is_free(request.model) else _call_of(model, request)
        return await self._attempts.ask(self._backend(model), request, call)

    def _is_free(self, model: str) -> bool:
        return not _is_limited(self._models[model])

    def _count_call(self, model: str) -> None:
        self._tallies[model].calls += 1

    def _backend(self, model: Model) -> Backend:
        if model.name not in self._backends:
            self._backends[model.name] = backend_for(model)
        return self._backends[model.name]

    def _remember(self, entry: Entry) -> None:
        self._remembered[entry.episode_id, entry.ask_index] = entry
        if len(self._remembered) > REMEMBERED_REPLIES:
            self._remembered.popitem(last=False)


async def _exchange(limiter: Actor, report: Report) -> Answer:
    """One message to the Limiter and back."""
    try:
        answer: Answer = await limiter.exchange.remote(report)
    except RayActorError as reason:
        raise LimiterAwayError(str(reason)) from reason
    return answer


def _is_limited(model: Model) -> bool:
    """False where the Limiter has nothing to say: it would only cost time.

    What a hosted model allows is found out where it is not known.
    """
    limits = model.limits
    return model.backend == "hosted" or any(
        bound is not None for bound in (limits.rpm, limits.tpm, limits.concurrency, limits.rpd)
    )


def _call_of(model: Model, request: Request) -> Call:
    tokens, worst_case_usd = _at_most(model, request)
    return Call(
        key=model.limits.key,
        model=model.name,
        cell_id=request.cell_id,
        tokens=tokens,
        worst_case_usd=worst_case_usd,
        lasts_at_most_s=model.timeout_s,
        episode_id=request.episode_id,
        ask_index=request.ask_index,
    )


def _at_most(model: Model, request: Request) -> tuple[int, float | None]:
    """Tokens to expect at a reply of full length, and the most USD; None where unpriced."""
    chars = len(request.system) + len(request.user)
    images = [image_tokens(model, image.width_px, image.height_px) for image in request.images]
    tokens_out = model.max_tokens or request.max_tokens
    tokens_in = ceil(chars / CHARS_PER_TOKEN.expected) + sum(one.typical for one in images)
    tokens = tokens_in + tokens_out
    if model.backend == "scripted":
        return tokens, 0.0
    if model.usd_per_mtok_in is None or model.usd_per_mtok_out is None:
        return tokens, None
    most_in = ceil(chars / CHARS_PER_TOKEN.low) + sum(one.at_most for one in images)
    usd = (most_in * model.usd_per_mtok_in + tokens_out * model.usd_per_mtok_out) / 1e6
    return tokens, usd
