"""A Gate: through which a process's calls get their slots; the Limiter's counterpart there.

Gathers what waits and what has ended, and exchanges it for granted slots in one message a few times
a second. Knows the Limiter's death and return; does not know limits, Ray, models or replies.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic
from uuid import uuid4

from mirror_ray.engine.slots import (
    Answer,
    Call,
    Denied,
    Ended,
    Exchange,
    LimiterAwayError,
    Past,
    Report,
    Result,
    UnderWay,
    Wanted,
)
from mirror_ray.errors import EngineError, LostError

LINGER_S = 0.01
UNUSED = Result(cost_usd=0.0, made=False)

ALIVE_S = 1.0
"""How often the Limiter hears of a Gate that only has calls under way."""
AGAIN_S = 0.3
GIVE_UP_S = 60.0
"""How often an absent Limiter is called, and for how long."""
REMEMBER_S = 60.0


@dataclass(frozen=True, slots=True)
class Slot:
    """Leave to make one call, now; to be settled when it has ended."""

    call_id: int


@dataclass(eq=False, slots=True)
class _Pending:
    call: Call
    since_s: float
    turn: "asyncio.Future[Slot | Denied]"


@dataclass(slots=True)
class _Second:
    """Calls of a key that were let go within one second."""

    key: str
    began_s: float
    calls: int = 0
    tokens: int = 0


class Gate:
    """Where a process's calls wait for their slots; use it on one event loop.

    Args:
        exchange: takes a report to the Limiter and brings its answer.
        clock: seconds on the clock of the event loop.
    """

    def __init__(self, exchange: Exchange, *, clock: Callable[[], float] = monotonic) -> None:
        self._exchange = exchange
        self._clock = clock
        self._gate_id = uuid4().hex
        self._next_id = 0
        self._waiting: dict[int, _Pending] = {}
        self._untold: dict[int, _Pending] = {}
        self._withdrawn: dict[int, Call] = {}
        self._under_way: dict[int, tuple[Call, float]] = {}
        self._ended: list[Ended] = []
        self._past: deque[_Second] = deque()
        self._seconds: dict[str, _Second] = {}
        self._introduces = True
        self._again_s = 0.1
        self._tight: frozenset[str] = frozenset()
        self._timer: asyncio.TimerHandle | None = None
        self._talking: asyncio.Task[None] | None = None
        self._away_since_s: float | None = None
        self._talked_s = -inf

    @property
    def gate_id(self) -> str:
        """What the Limiter knows it by; unique to this life of the process."""
        return self._gate_id

    async def slot(self, call: Call, waited_s: float = 0.0) -> Slot | Denied:
        """Waits for leave to make a call.

        Args:
            waited_s: how long it has waited before: a call that is tried again keeps its age.

        Raises:
            EngineError: the Limiter does not come back, or knows no such key.
        """
        self._next_id += 1
        call_id = self._next_id
        turn: asyncio.Future[Slot | Denied] = asyncio.get_running_loop().create_future()
        pending = _Pending(call, self._clock() - waited_s, turn)
        first = not self._waiting
        self._waiting[call_id] = self._untold[call_id] = pending
        self._talk_in(self._soon_s() if first else self._again_s)
        try:
            return await turn
        except asyncio.CancelledError:
            self._give_up(call_id)
            raise

    def settle(self, slot: Slot, result: Result) -> None:
        """The call of a slot has ended; the Limiter hears of it soon."""
        call, _ = self._under_way.pop(slot.call_id)
        self._ended.append(Ended(slot.call_id, call, result))
        urgent = result.error_kind == "rate_limit" or call.key in self._tight
        self._talk_in(self._soon_s() if urgent else self._again_s)

    async def close(self) -> None:
        """Tells the Limiter what it has not heard yet; waiting calls are cancelled."""
        for pending in self._waiting.values():
            pending.turn.cancel()
        await asyncio.sleep(0)
        if self._talking is not None:
            await asyncio.wait([self._talking])
        if self._ended or self._withdrawn:
            await self._talk()
        if self._timer is not None:
            self._timer.cancel()

    def _give_up(self, call_id: int) -> None:
        """Its caller is gone."""
        pending = self._waiting.pop(call_id, None)
        if pending is not None:
            if self._untold.pop(call_id, None) is None:
                self._withdrawn[call_id] = pending.call
                self._talk_in(self._again_s)
        elif call_id in self._under_way:
            self.settle(Slot(call_id), UNUSED)

    def _talk_in(self, delay_s: float) -> None:
        """Exchange then, or earlier if that is planned already."""
        if self._talking is not None:
            return
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            if self._timer.when() <= loop.time() + delay_s:
                return
            self._timer.cancel()
        self._timer = loop.call_later(delay_s, self._start_talking)

    def _start_talking(self) -> None:
        self._timer = None
        self._talking = asyncio.create_task(self._talk())
        self._talking.add_done_callback(self._talked)

    def _talked(self, task: "asyncio.Task[None]") -> None:
        self._talking = None
        if task.cancelled():
            return
        task.result()
        if self._away_since_s is not None:
            self._talk_in(AGAIN_S)
        elif self._introduces and self._waiting:
            self._talk_in(LINGER_S)
        elif any(ended.call.key in self._tight for ended in self._ended):
            self._talk_in(self._soon_s())
        elif self._waiting or self._ended or self._withdrawn:
            self._talk_in(self._again_s)
        elif self._under_way:
            self._talk_in(ALIVE_S)

    def _soon_s(self) -> float:
        """What is urgent waits for a little company."""
        return max(LINGER_S, self._talked_s + self._again_s / 4 - self._clock())

    async def _talk(self) -> None:
        """One exchange."""
        self._talked_s = self._clock()
        ended, self._ended = self._ended, []
        report = self._report(ended)
        self._untold.clear()
        self._withdrawn.clear()
        try:
            answer = await self._exchange(report)
        except LimiterAwayError as reason:
            self._introduces = True
            self._ended = [*ended, *self._ended]
            self._bear(reason)
        except Exception as reason:
            # Whatever it is, those who wait are told; the ends are told again.
            self._introduces = True
            self._ended = [*ended, *self._ended]
            self._fail(EngineError(str(reason)))
        else:
            self._away_since_s = None
            self._introduces = not answer.known
            if answer.known:
                self._take(answer)
            else:
                self._ended = [*ended, *self._ended]

    def _report(self, ended: list[Ended]) -> Report:
        now_s = self._clock()
        wanted = self._waiting if self._introduces else self._untold
        told = tuple(
            Wanted(call_id, pending.call, now_s - pending.since_s)
            for call_id, pending in wanted.items()
        )
        if not self._introduces:
            return Report(self._gate_id, told, tuple(self._withdrawn), tuple(ended))
        return Report(
            self._gate_id,
            told,
            ended=tuple(ended),
            introduces=True,
            under_way=tuple(
                UnderWay(call_id, call, now_s - since_s)
                for call_id, (call, since_s) in self._under_way.items()
            ),
            past=tuple(
                Past(second.key, now_s - second.began_s, second.calls, second.tokens)
                for second in self._past
            ),
        )

    def _take(self, answer: Answer) -> None:
        self._again_s = answer.again_s
        self._tight = answer.tight
        loop = asyncio.get_running_loop()
        for granted in answer.granted:
            pending = self._waiting.pop(granted.call_id, None)
            starts_s = self._clock() + granted.in_s
            if pending is None:
                # Its caller went while the answer was on its way.
                call = self._withdrawn.pop(granted.call_id)
                self._ended.append(Ended(granted.call_id, call, UNUSED))
                continue
            self._under_way[granted.call_id] = (pending.call, starts_s)
            loop.call_later(granted.in_s, self._let_go, granted.call_id, pending)
        for call_id, why in answer.denied:
            pending = self._waiting.pop(call_id, None)
            if pending is not None and not pending.turn.done():
                pending.turn.set_result(why)

    def _let_go(self, call_id: int, pending: _Pending) -> None:
        if pending.turn.done():
            return
        now_s = self._clock()
        latest = self._seconds.get(pending.call.key)
        if latest is None or now_s - latest.began_s >= 1.0:
            latest = self._seconds[pending.call.key] = _Second(pending.call.key, now_s)
            self._past.append(latest)
            while now_s - self._past[0].began_s > REMEMBER_S:
                self._past.popleft()
        latest.calls += 1
        latest.tokens += pending.call.tokens
        pending.turn.set_result(Slot(call_id))

    def _bear(self, reason: LimiterAwayError) -> None:
        """The Limiter is away: everyone waits on, but not for ever."""
        now_s = self._clock()
        if self._away_since_s is None:
            self._away_since_s = now_s
        elif now_s - self._away_since_s > GIVE_UP_S:
            self._fail(LostError(f"the Limiter does not come back ({reason})"))

    def _fail(self, reason: EngineError) -> None:
        self._away_since_s = None
        for pending in self._waiting.values():
            if not pending.turn.done():
                pending.turn.set_exception(type(reason)(*reason.args))
        self._waiting.clear()
