"""The Limiter's client, through which a process's calls get their send slots.

It reports waiting and ended calls and receives slots in one message, a few times a second, and
survives a restart of the Limiter."""

import asyncio
from collections import deque
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from math import inf
from time import monotonic
from uuid import uuid4

from mirror_ray.core.errors import EngineError, LostError
from mirror_ray.engine.batching import FlushTimer
from mirror_ray.engine.limiter.messages import (
    UNUSED,
    CallResult,
    ClientReport,
    Denied,
    EndedCall,
    LimiterAnswer,
    LimiterCall,
    LimiterExchange,
    LimiterUnreachableError,
    RecentCalls,
    ReportedCall,
)

_LINGER_S = 0.01

HEARTBEAT_S = 1.0
"""How often a client reports that has only calls in flight."""
RETRY_S = 0.3
GIVE_UP_S = 60.0
"""How often, and for how long, an absent Limiter is called."""
REMEMBER_S = 60.0


@dataclass(frozen=True, slots=True)
class SendSlot:
    """The permit to make one call now, to be settled once the call has ended. `worst_case_usd` is
    reserved for it; None if no price is known."""

    call_id: int
    worst_case_usd: float | None = None


@dataclass(eq=False, slots=True)
class _Pending:
    call: LimiterCall
    since_s: float
    turn: "asyncio.Future[SendSlot | Denied]"


@dataclass(slots=True)
class _Second:
    key: str
    began_s: float
    calls: int = 0
    tokens: int = 0


class LimiterClient:
    """Lets a process's calls wait for their slots; used on one event loop.

    Args:
        exchange: sends a report to the Limiter and returns its answer.
        clock: seconds on the clock of the event loop.
    """

    def __init__(
        self, exchange: LimiterExchange, *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._send = exchange
        self._clock = clock
        self._client_id = uuid4().hex
        self._next_id = 0
        self._waiting: dict[int, _Pending] = {}
        self._unsent: dict[int, _Pending] = {}
        self._withdrawn: dict[int, LimiterCall] = {}
        self._in_flight: dict[int, tuple[LimiterCall, float]] = {}
        self._ended: list[EndedCall] = []
        self._recent: deque[_Second] = deque()
        self._seconds: dict[str, _Second] = {}
        self._registers = True
        self._again_s = 0.1
        self._tight: frozenset[str] = frozenset()
        self._timer = FlushTimer(self._start_exchange)
        self._exchanging: asyncio.Task[None] | None = None
        self._unreachable_since_s: float | None = None
        self._exchanged_s = -inf

    @property
    def client_id(self) -> str:
        """The Limiter's name for this client, unique to this process."""
        return self._client_id

    async def slot(self, call: LimiterCall, waited_s: float = 0.0) -> SendSlot | Denied:
        """Wait for a permit to make a call. `waited_s` is its waiting time so far, so that a
        retried call keeps its age. Raise EngineError if the Limiter does not restart, or does not
        know the key."""
        self._next_id += 1
        call_id = self._next_id
        turn: asyncio.Future[SendSlot | Denied] = asyncio.get_running_loop().create_future()
        pending = _Pending(call, self._clock() - waited_s, turn)
        first = not self._waiting
        self._waiting[call_id] = self._unsent[call_id] = pending
        self._exchange_in(self._soon_s() if first else self._again_s)
        try:
            return await turn
        except asyncio.CancelledError:
            self._give_up(call_id)
            raise

    def settle(self, slot: SendSlot, result: CallResult) -> None:
        """Note that a slot's call has ended; it is reported to the Limiter soon."""
        call, _ = self._in_flight.pop(slot.call_id)
        self._ended.append(EndedCall(slot.call_id, call, result))
        overrun = (result.cost_usd or 0.0) > (call.worst_case_usd or 0.0)
        urgent = overrun or result.error_kind == "rate_limit" or call.key in self._tight
        self._exchange_in(self._soon_s() if urgent else self._again_s)

    async def close(self) -> None:
        """Report to the Limiter what was not reported yet; cancel waiting calls."""
        for pending in self._waiting.values():
            pending.turn.cancel()
        await asyncio.sleep(0)
        if self._exchanging is not None:
            await asyncio.wait([self._exchanging])
        if self._ended or self._withdrawn:
            await self._exchange()
        self._timer.cancel()

    def _give_up(self, call_id: int) -> None:
        pending = self._waiting.pop(call_id, None)
        if pending is not None:
            if self._unsent.pop(call_id, None) is None:
                self._withdrawn[call_id] = pending.call
                self._exchange_in(self._again_s)
        elif call_id in self._in_flight:
            self.settle(SendSlot(call_id), UNUSED)

    def _exchange_in(self, delay_s: float) -> None:
        if self._exchanging is None:
            self._timer.within(delay_s)

    def _start_exchange(self) -> None:
        self._exchanging = asyncio.create_task(self._exchange())
        self._exchanging.add_done_callback(self._exchanged)

    def _exchanged(self, task: "asyncio.Task[None]") -> None:
        self._exchanging = None
        if task.cancelled():
            return
        task.result()
        if self._unreachable_since_s is not None:
            self._exchange_in(RETRY_S)
        elif self._registers and self._waiting:
            self._exchange_in(_LINGER_S)
        elif any(ended.call.key in self._tight for ended in self._ended):
            self._exchange_in(self._soon_s())
        elif self._waiting or self._ended or self._withdrawn:
            self._exchange_in(self._again_s)
        elif self._in_flight:
            self._exchange_in(HEARTBEAT_S)

    def _soon_s(self) -> float:
        return max(_LINGER_S, self._exchanged_s + self._again_s / 4 - self._clock())

    async def _exchange(self) -> None:
        self._exchanged_s = self._clock()
        ended, self._ended = self._ended, []
        report = self._report(ended)
        self._unsent.clear()
        self._withdrawn.clear()
        try:
            answer = await self._send(report)
        except Exception as reason:
            self._registers = True
            # It is reported again.
            self._ended = [*ended, *self._ended]
            if isinstance(reason, LimiterUnreachableError):
                self._on_unreachable(reason)
            else:
                # Waiting callers get every error.
                self._fail(EngineError(str(reason)))
        else:
            self._unreachable_since_s = None
            self._registers = not answer.known
            if answer.known:
                self._apply(answer)
            else:
                self._ended = [*ended, *self._ended]

    def _report(self, ended: list[EndedCall]) -> ClientReport:
        now_s = self._clock()
        wanted = self._waiting if self._registers else self._unsent
        reported = tuple(
            ReportedCall(call_id, pending.call, now_s - pending.since_s)
            for call_id, pending in wanted.items()
        )
        report = ClientReport(self._client_id, reported, ended=tuple(ended))
        if not self._registers:
            return replace(report, withdrawn=tuple(self._withdrawn))
        return replace(
            report,
            registers=True,
            in_flight=tuple(
                ReportedCall(call_id, call, now_s - since_s)
                for call_id, (call, since_s) in self._in_flight.items()
            ),
            recent=tuple(
                RecentCalls(second.key, now_s - second.began_s, second.calls, second.tokens)
                for second in self._recent
            ),
        )

    def _apply(self, answer: LimiterAnswer) -> None:
        self._again_s = answer.again_s
        self._tight = answer.tight
        loop = asyncio.get_running_loop()
        for granted in answer.granted:
            pending = self._waiting.pop(granted.call_id, None)
            starts_s = self._clock() + granted.in_s
            if pending is None:
                # The caller was cancelled while the answer was in flight.
                call = self._withdrawn.pop(granted.call_id)
                self._ended.append(EndedCall(granted.call_id, call, UNUSED))
                continue
            pending.call = replace(pending.call, worst_case_usd=granted.worst_case_usd)
            self._in_flight[granted.call_id] = (pending.call, starts_s)
            loop.call_later(granted.in_s, self._release, granted.call_id, pending)
        for call_id, why in answer.denied:
            pending = self._waiting.pop(call_id, None)
            if pending is None or pending.turn.done():
                continue
            if why.error_kind == "internal":
                pending.turn.set_exception(EngineError(why.reason))
            else:
                pending.turn.set_result(why)

    def _release(self, call_id: int, pending: _Pending) -> None:
        if pending.turn.done():
            return
        now_s = self._clock()
        latest = self._seconds.get(pending.call.key)
        if latest is None or now_s - latest.began_s >= 1.0:
            latest = self._seconds[pending.call.key] = _Second(pending.call.key, now_s)
            self._recent.append(latest)
            while now_s - self._recent[0].began_s > REMEMBER_S:
                self._recent.popleft()
        latest.calls += 1
        latest.tokens += pending.call.tokens
        pending.turn.set_result(SendSlot(call_id, pending.call.worst_case_usd))

    def _on_unreachable(self, reason: LimiterUnreachableError) -> None:
        now_s = self._clock()
        if self._unreachable_since_s is None:
            self._unreachable_since_s = now_s
        elif now_s - self._unreachable_since_s > GIVE_UP_S:
            self._fail(LostError(f"the Limiter does not come back ({reason})"))

    def _fail(self, reason: EngineError) -> None:
        self._unreachable_since_s = None
        for pending in self._waiting.values():
            if not pending.turn.done():
                pending.turn.set_exception(copy(reason))
        self._waiting.clear()
