"""Retries a request, with one send slot per attempt, until a reply is usable."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, TypeVar

import numpy as np

from mirror_ray.core.error_kinds import RETRYABLE_KINDS
from mirror_ray.core.known_costs import FREE_FAILURES, known_usd, sum_if_known
from mirror_ray.core.types import Attempt, Reply, Request
from mirror_ray.engine.limiter.client import LimiterClient
from mirror_ray.engine.limiter.messages import UNUSED, CallResult, Denied, LimiterCall
from mirror_ray.providers.backend import Backend, NotMadeError

_T = TypeVar("_T")

SHED_PATIENCE_S = 3600.0
"""How long a shed call waits for capacity at its price, counted from the first shedding."""

_FIRST_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 60.0
KEEP_TRYING_S = 600.0
"""How long a request is retried, counted from its first failure."""

_MOST_WORDS_CHARS = 300
"""How much of a provider's error the Limiter quotes when it stops a model."""

REFUSALS_PER_ATTEMPT = 4
"""A rate-limit refusal says nothing about the request, so it counts as a quarter of an attempt."""


NOT_SENT = Reply(
    "", error_kind="internal", error="not sent: the run was stopped", cost_usd=0.0, attempts=0
)


class NotSentError(Exception):
    """The run is stopping, so the next attempt is not made. `reply` is the failure of the last
    attempt, or states that there was none. It is recorded, because a worst case may be noted."""

    def __init__(self, reply: Reply) -> None:
        super().__init__("not sent")
        self.reply = reply


class _StoppedError(Exception):
    """The run is stopping: nothing more is sent."""


@dataclass(frozen=True, slots=True)
class Route:
    """One way to call a model: at a price, through a lane of the Limiter.

    Args:
        call: what to report to the Limiter; None if nothing limits the model.
        patience_s: how long a shed call is retried.
    """

    backend: Backend
    call: LimiterCall | None
    patience_s: float = SHED_PATIENCE_S


@dataclass(slots=True)
class _Tried:
    began_s: float
    attempts: int = 0
    used_up: float = 0.0
    failed: list[Attempt] = field(default_factory=list)
    presumed_usd: float = 0.0
    first_failure_s: float | None = None
    first_shed_s: float | None = None

    @property
    def at_most_usd(self) -> float:
        return self.presumed_usd + sum(one.cost_usd or 0.0 for one in self.failed)

    def ended_by(self, reply: Reply) -> Reply:
        """Return the reply with the attempts before it and their known costs. The budget presumes
        the worst case for an attempt of unknown cost."""
        return replace(
            reply,
            attempts=self.attempts,
            cost_usd=known_usd(_cost_usd(reply), [one.cost_usd for one in self.failed]),
            failed_attempts=tuple(self.failed),
            presumed_usd=self.presumed_usd,
            quota=None,
        )


class Retrier:
    """Calls models for one process.

    Args:
        limiter: grants slots to calls that are limited.
        max_attempts: the most attempts per request, after failures that another attempt may cure.
        jitter: spreads the pauses of requests that failed together.
        on_call: called at every attempt, with the model's name.
        on_retry: called at every retried failure, with the model's name.
        clock: seconds on the clock of the event loop.
    """

    def __init__(
        self,
        limiter: LimiterClient,
        max_attempts: int,
        jitter: np.random.Generator,
        on_call: Callable[[str], None],
        *,
        on_retry: Callable[[str, Reply], None] = lambda _model, _reply: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._limiter = limiter
        self._max_attempts = max_attempts
        self._jitter = jitter
        self._on_call = on_call
        self._on_retry = on_retry
        self._stopping = False
        self._idle: set[asyncio.Task[Any]] = set()
        self._clock = clock

    async def ask(self, request: Request, route: Route, fallback: Route | None = None) -> Reply:
        """Return the first usable reply, else the last failure, with the attempts before it.

        Args:
            fallback: replaces `route` once a call is shed; None lets shed calls wait.

        Raises:
            NotSentError: `stop` came before its next attempt.
            StillOutError: `stop` came while it was out in a batch.
            EngineError: the Limiter does not restart.
        """
        tried = _Tried(self._clock())
        last = NOT_SENT
        while True:
            try:
                reply = await self._attempt(request, route, tried)
            except _StoppedError:
                raise NotSentError(last) from None
            pause_s = self._pause_s(tried, reply, route.patience_s)
            if reply.error_kind == "shed" and fallback is not None:
                route, fallback, pause_s = fallback, None, 0.0
            if pause_s is None:
                return tried.ended_by(reply)
            if self._stopping:
                raise NotSentError(tried.ended_by(reply))
            last = tried.ended_by(reply)
            self._on_retry(request.model, reply)
            tried.failed.append(
                Attempt(
                    started_at=reply.started_at,
                    latency_s=reply.latency_s,
                    error_kind=reply.error_kind,
                    error=reply.error,
                    cost_usd=_cost_usd(reply),
                )
            )
            with suppress(_StoppedError):
                await self._idly(asyncio.sleep(pause_s))

    def stop(self) -> None:
        """Make no further attempt; return requests that wait for a slot or for a pause to end."""
        self._stopping = True
        for task in self._idle:
            task.cancel()

    async def _idly(self, waiting: Awaitable[_T]) -> _T:
        task = asyncio.current_task()
        if task is None:
            return await waiting
        self._idle.add(task)
        try:
            return await waiting
        except asyncio.CancelledError:
            if self._stopping and not task.uncancel():
                raise _StoppedError from None
            raise
        finally:
            self._idle.discard(task)

    async def _attempt(self, request: Request, route: Route, tried: _Tried) -> Reply:
        slot, call = None, route.call
        if self._stopping:
            raise _StoppedError
        # Before taking a slot, which would expire: a server takes minutes to start.
        unavailable = await self._idly(route.backend.available())
        if unavailable is not None:
            return unavailable
        if call is not None:
            wanted = replace(call, before_usd=tried.at_most_usd) if tried.failed else call
            slot = await self._idly(self._limiter.slot(wanted, self._clock() - tried.began_s))
        if isinstance(slot, Denied):
            return Reply(
                "",
                error_kind=slot.error_kind,
                error=slot.reason,
                cost_usd=0.0,
                attempts=0,
                closed_scope=slot.closed_scope,
            )
        tried.attempts += 1
        self._on_call(request.model)
        # Used if the attempt ends without a reply, because it may have been billed.
        result = CallResult("internal")
        try:
            reply = await route.backend.reply(request)
            result = _result_of(reply)
        except NotMadeError:
            result = UNUSED
            raise _StoppedError from None
        finally:
            if slot is not None:
                self._limiter.settle(slot, result)
        if slot is not None and slot.worst_case_usd == 0.0 and reply.cost_usd is None:
            # The price of the model is zero.
            reply = replace(reply, cost_usd=0.0)
        elif slot is not None and result.cost_usd is None:
            tried.presumed_usd += slot.worst_case_usd or 0.0
        return reply

    def _pause_s(self, tried: _Tried, reply: Reply, patience_s: float) -> float | None:
        """Return the pause before another attempt, or None for no further one. Jittered exponential
        backoff, never shorter than the provider asked for."""
        if reply.error_kind not in RETRYABLE_KINDS or not reply.attempts:
            return None
        now_s = self._clock()
        ceiling_s = min(_LONGEST_PAUSE_S, _FIRST_PAUSE_S * 2.0 ** len(tried.failed))
        pause_s = float(self._jitter.uniform(0.5, 1.0)) * ceiling_s
        pause_s = max(pause_s, reply.retry_after_s or 0.0)
        if reply.error_kind == "shed":
            # Shedding depends neither on the request nor on the provider, but on the time of day.
            if tried.first_shed_s is None:
                tried.first_shed_s = now_s
            return pause_s if now_s + pause_s <= tried.first_shed_s + patience_s else None
        if tried.first_failure_s is None:
            tried.first_failure_s = now_s
        refused = reply.error_kind == "rate_limit"
        tried.used_up += 1 / REFUSALS_PER_ATTEMPT if refused else 1.0
        too_late = now_s + pause_s > tried.first_failure_s + KEEP_TRYING_S
        return None if tried.used_up >= self._max_attempts or too_late else pause_s


def _result_of(reply: Reply) -> CallResult:
    return CallResult(
        error_kind=reply.error_kind,
        tokens=sum_if_known((reply.tokens_in, reply.tokens_out)),
        cost_usd=_cost_usd(reply),
        retry_after_s=reply.retry_after_s,
        quota=reply.quota,
        words=None if reply.error_kind == "none" else (reply.error or "")[:_MOST_WORDS_CHARS],
    )


def _cost_usd(reply: Reply) -> float | None:
    return 0.0 if reply.error_kind in FREE_FAILURES else reply.cost_usd
