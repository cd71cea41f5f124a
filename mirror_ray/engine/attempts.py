"""Attempts at an ask: one after another, each with leave of the Gate, until one is of use.

Knows what is worth another attempt, how long to pause before it, and what all of them came to.
Does not know how a model is reached, nor where a reply is kept.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

import numpy as np

from mirror_ray.engine.gate import Gate
from mirror_ray.engine.slots import Call, Denied, Result
from mirror_ray.providers.backend import Backend
from mirror_ray.types import RETRYABLE_KINDS, Attempt, Reply, Request

FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0
KEEP_TRYING_S = 600.0
"""From the first failure on."""

REFUSALS_PER_ATTEMPT = 4
"""A refusal for the rate says nothing about the ask: it uses up a quarter of an attempt."""

FREE_FAILURES: frozenset[str] = frozenset({"rate_limit", "auth", "bad_request"})
"""Turned away at the door: certainly not billed."""


@dataclass(slots=True)
class _Tried:
    """What became of an ask so far."""

    began_s: float
    attempts: int = 0
    used_up: float = 0.0
    failed: list[Attempt] = field(default_factory=list)
    presumed_usd: float = 0.0
    first_failure_s: float | None = None

    @property
    def at_most_usd(self) -> float:
        """What the attempts so far may have cost."""
        return self.presumed_usd + sum(one.cost_usd or 0.0 for one in self.failed)


class Attempts:
    """Asks models for one process.

    Args:
        gate: gives leave to calls that are limited.
        max_attempts: per ask, at failures that another attempt may cure.
        jitter: spreads the pauses of asks that failed together.
        on_call: told of every attempt, with the model's name.
        clock: seconds on the clock of the event loop.
    """

    def __init__(
        self,
        gate: Gate,
        max_attempts: int,
        jitter: np.random.Generator,
        on_call: Callable[[str], None],
        *,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._gate = gate
        self._max_attempts = max_attempts
        self._jitter = jitter
        self._on_call = on_call
        self._clock = clock

    async def ask(self, backend: Backend, request: Request, call: Call | None) -> Reply:
        """The first reply of use, else the last failure; the attempts before it are in it.

        Args:
            call: what to tell the Gate; None where nothing limits the model.

        Raises:
            EngineError: the Limiter does not come back.
        """
        tried = _Tried(self._clock())
        while True:
            reply = await self._attempt(backend, request, call, tried)
            pause_s = self._pause_s(tried, reply)
            if pause_s is None:
                return replace(
                    reply,
                    attempts=tried.attempts,
                    cost_usd=_known_sum(reply, tried.failed),
                    failed_attempts=tuple(tried.failed),
                    presumed_usd=tried.presumed_usd,
                    quota=None,
                )
            tried.failed.append(
                Attempt(
                    started_at=reply.started_at,
                    latency_s=reply.latency_s,
                    error_kind=reply.error_kind,
                    error=reply.error,
                    cost_usd=_cost_usd(reply),
                )
            )
            await asyncio.sleep(pause_s)

    async def _attempt(
        self, backend: Backend, request: Request, call: Call | None, tried: _Tried
    ) -> Reply:
        slot = None
        if call is not None:
            wanted = replace(call, before_usd=tried.at_most_usd) if tried.failed else call
            slot = await self._gate.slot(wanted, self._clock() - tried.began_s)
        if isinstance(slot, Denied):
            return Reply(
                "",
                error_kind=slot.error_kind,
                error=slot.reason,
                cost_usd=0.0,
                attempts=0,
                spent_scope=slot.spent_scope,
            )
        tried.attempts += 1
        self._on_call(request.model)
        # Stands where the attempt ends without a reply: it may have been billed.
        result = Result("internal")
        try:
            reply = await backend.reply(request)
            result = _result_of(reply)
        finally:
            if slot is not None:
                self._gate.settle(slot, result)
        if call is not None and result.cost_usd is None:
            tried.presumed_usd += call.worst_case_usd or 0.0
        return reply

    def _pause_s(self, tried: _Tried, reply: Reply) -> float | None:
        """How long to wait before another attempt; None where there is to be none.

        Jittered exponential backoff, never shorter than the provider asked for.
        """
        if reply.error_kind not in RETRYABLE_KINDS or not reply.attempts:
            return None
        now_s = self._clock()
        if tried.first_failure_s is None:
            tried.first_failure_s = now_s
        refused = reply.error_kind == "rate_limit"
        tried.used_up += 1 / REFUSALS_PER_ATTEMPT if refused else 1.0
        ceiling_s = min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** len(tried.failed))
        pause_s = float(self._jitter.uniform(0.5, 1.0)) * ceiling_s
        pause_s = max(pause_s, reply.retry_after_s or 0.0)
        too_late = now_s + pause_s > tried.first_failure_s + KEEP_TRYING_S
        return None if tried.used_up >= self._max_attempts or too_late else pause_s


def _result_of(reply: Reply) -> Result:
    return Result(
        error_kind=reply.error_kind,
        tokens=_sum_if_known(reply.tokens_in, reply.tokens_out),
        cost_usd=_cost_usd(reply),
        retry_after_s=reply.retry_after_s,
        quota=reply.quota,
    )


def _cost_usd(reply: Reply) -> float | None:
    """None where it is unknown, as after a timeout."""
    return 0.0 if reply.error_kind in FREE_FAILURES else reply.cost_usd


def _known_sum(reply: Reply, failed: Sequence[Attempt]) -> float | None:
    """What is known of all attempts' costs; None where nothing is.

    An attempt of unknown cost stands among the failed ones as such, and the budget presumes that
    it cost what it may have.
    """
    costs = [reply.cost_usd, *(attempt.cost_usd for attempt in failed)]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if known else None


def _sum_if_known(tokens_in: int | None, tokens_out: int | None) -> int | None:
    return None if tokens_in is None or tokens_out is None else tokens_in + tokens_out
