"""A Provider: asks models on behalf of episodes, and records every answer before handing it on.

It is an actor of its own for hosted models, and lives within each Simulator for offline agents.
Knows retries, allowances and the journal; does not parse a reply, nor know how a model is reached.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from time import monotonic
from typing import TypeAlias

import numpy as np
from ray import get_actor

from mirror_ray.engine.budget import budget_spent, scopes_of
from mirror_ray.engine.limiter import Denied
from mirror_ray.engine.rollout import Asked, RecordMismatchError
from mirror_ray.engine.scribe import Scribe
from mirror_ray.providers.backend import Backend, backend_for
from mirror_ray.providers.image_tokens import image_tokens
from mirror_ray.providers.model import Model
from mirror_ray.records.entry import Entry
from mirror_ray.sweep.calibration import CHARS_PER_TOKEN
from mirror_ray.types import FINAL_KINDS, RETRYABLE_KINDS, ErrorKind, Reply, Request

REMEMBERED_REPLIES = 1024
"""Enough for all that are on their way to a Simulator while it dies and its episodes move."""
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
KEEP_TRYING_S = 600.0

FREE_FAILURES: frozenset[str] = frozenset({"rate_limit", "auth", "bad_request"})
"""Turned away at the door: certainly not billed."""

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
        has_budget: whether every paid call has to fit into what is left.
    """

    models: Mapping[str, Model]
    limiter: str
    recorder: str
    max_attempts: int
    has_budget: bool


class Provider:
    """What talks to models, one to a process.

    Args:
        index: its number, which seeds the jitter of its pauses.
        under_way: how many answers may come soon, for the Scribe; None: the asks under way.
    """

    def __init__(
        self, index: int, terms: Terms, under_way: Callable[[], int] | None = None
    ) -> None:
        self._models = terms.models
        self._limiter = get_actor(terms.limiter)
        self._scribe = Scribe(
            get_actor(terms.recorder), under_way or (lambda: len(self._under_way))
        )
        self._max_attempts = terms.max_attempts
        self._has_budget = terms.has_budget
        self._jitter = np.random.default_rng(index)
        self._backends: dict[str, Backend] = {}
        self._under_way: dict[AskKey, asyncio.Task[Reply]] = {}
        self._remembered: OrderedDict[AskKey, tuple[str, Reply]] = OrderedDict()
        self._tallies: dict[str, ModelTally] = {name: ModelTally() for name in terms.models}

    async def reply(self, request: Request, asked: Asked) -> Reply:
        """The model's reply, durable if it is final; one call for equal asks.

        An episode that is played again after its Simulator died repeats its last ask, whose
        first call runs on or has just been answered: it then gets that very reply.

        Raises:
            RecordMismatchError: the same ask was made before in other words.
            EngineError: an answer cannot be made durable.
        """
        key = (request.episode_id, request.ask_index)
        remembered = self._remembered.get(key)
        if remembered is not None:
            prompt_sha, reply = remembered
            if prompt_sha != asked.prompt_sha:
                raise RecordMismatchError(f"ask {key} was made before in other words")
            return reply
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
        """Lets go of the connections."""
        for backend in self._backends.values():
            await backend.aclose()

    async def _ask_and_record(self, request: Request, asked: Asked) -> Reply:
        tally = self._tallies[request.model]
        tally.waiting += 1
        try:
            reply = await self._ask_with_retries(request)
        finally:
            tally.waiting -= 1
        tally.count(reply)
        entry = Entry(
            episode_id=request.episode_id,
            ask_index=request.ask_index,
            prompt_sha=asked.prompt_sha,
            frame_sha=asked.frame_sha,
            facts=asked.facts,
            reply=reply,
        )
        answer = (await self._scribe.record(entry)).reply
        if answer.error_kind in FINAL_KINDS:
            self._remember((request.episode_id, request.ask_index), asked.prompt_sha, answer)
        return answer

    async def _ask_with_retries(self, request: Request) -> Reply:
        give_up_s = monotonic() + KEEP_TRYING_S
        attempts, wasted_usd = 0, 0.0
        while True:
            reply = await self._attempt(request)
            attempts += reply.attempts
            pause_s = self._pause_s(attempts, reply.retry_after_s)
            if (
                reply.error_kind not in RETRYABLE_KINDS
                or attempts >= self._max_attempts
                or monotonic() + pause_s > give_up_s
            ):
                break
            wasted_usd += reply.cost_usd or 0.0
            await asyncio.sleep(pause_s)
        cost_usd = None if reply.cost_usd is None else reply.cost_usd + wasted_usd
        return replace(reply, attempts=attempts, cost_usd=cost_usd)

    async def _attempt(self, request: Request) -> Reply:
        """One attempt, within the model's allowance and the budget."""
        model = self._models[request.model]
        if not self._is_limited(model):
            self._tallies[model.name].calls += 1
            return await self._backend(model).reply(request)
        tokens, worst_case_usd = _at_most(model, request)
        grant = await self._limiter.acquire.remote(
            model.limits.key, tokens, worst_case_usd, scopes_of(model.name, request.cell_id)
        )
        if isinstance(grant, Denied):
            why = budget_spent(grant.scope)
            return Reply("", error_kind="budget", error=why, cost_usd=0.0, attempts=0)
        self._tallies[model.name].calls += 1
        reply = await self._backend(model).reply(request)
        await self._limiter.settle.remote(
            grant.grant_id,
            _sum_if_known(reply.tokens_in, reply.tokens_out),
            0.0 if reply.error_kind in FREE_FAILURES else reply.cost_usd,
            reply.retry_after_s,
            reply.error_kind == "rate_limit",
        )
        return reply

    def _is_limited(self, model: Model) -> bool:
        """False where the Limiter has nothing to say: it would only cost time."""
        limits = model.limits
        costs = self._has_budget and model.backend != "scripted"
        return costs or any(
            bound is not None for bound in (limits.rpm, limits.tpm, limits.concurrency)
        )

    def _pause_s(self, attempts: int, retry_after_s: float | None) -> float:
        """Jittered exponential backoff, never shorter than the provider asked for."""
        ceiling_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (attempts - 1))
        return max(retry_after_s or 0.0, float(self._jitter.uniform(0.5, 1.0)) * ceiling_s)

    def _backend(self, model: Model) -> Backend:
        if model.name not in self._backends:
            self._backends[model.name] = backend_for(model)
        return self._backends[model.name]

    def _remember(self, key: AskKey, prompt_sha: str, reply: Reply) -> None:
        self._remembered[key] = (prompt_sha, reply)
        if len(self._remembered) > REMEMBERED_REPLIES:
            self._remembered.popitem(last=False)


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


def _sum_if_known(tokens_in: int | None, tokens_out: int | None) -> int | None:
    return None if tokens_in is None or tokens_out is None else tokens_in + tokens_out
