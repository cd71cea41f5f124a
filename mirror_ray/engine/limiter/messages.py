"""The messages between a client and the Limiter (waiting calls, granted slots, ended calls), and
its counts for the driver.

All times are spans in seconds, because clocks of two machines may disagree."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import Quota
from mirror_ray.core.untrusted import Fits, bounded_float, bounded_int, keep_fitting
from mirror_ray.engine.limiter.budget import AccountStats
from mirror_ray.engine.limiter.circuit_breaker import Unreachable


class LimiterUnreachableError(Exception):
    """The Limiter did not answer; it may be restarting."""


@dataclass(frozen=True, slots=True)
class LimiterCall:
    """A call that a client wants to make. A bound that is NaN counts as unknown.

    Args:
        model, cell_id: used by circuit breaker, turns and budgets.
        tokens: estimate of input and reply together.
        worst_case_usd: its largest cost; None if no price is known.
        lasts_at_most_s: after this time no caller waits for its end.
        episode_id, ask_index: the request it belongs to.
        before_usd: what the request's earlier attempts may have cost.
    """

    key: str
    model: str
    cell_id: str
    tokens: int = 0
    worst_case_usd: float | None = None
    lasts_at_most_s: float = 120.0
    episode_id: str = ""
    ask_index: int = 0
    before_usd: float = 0.0

    def __post_init__(self) -> None:
        """Replace values that are not usable numbers."""
        keep_fitting(self, _CALL_FITS)


@dataclass(frozen=True, slots=True)
class ReportedCall:
    """A call that waits for its slot, or has one and has not ended. `call_id` is unique within its
    client. `for_s` says how long it has done so; it is negative if the slot is still in the
    future."""

    call_id: int
    call: LimiterCall
    for_s: float


@dataclass(frozen=True, slots=True)
class CallResult:
    """The outcome of a call, for the Limiter. A negative or infinite figure is unknown.

    Args:
        error_kind: "none" if the provider replied.
        tokens: as billed; None keeps the estimate.
        cost_usd: as billed, 0.0 if it certainly cost nothing; None counts the worst case.
        retry_after_s: how long the provider asked to wait.
        quota: its statement of the key's limits.
        made: False if the slot was not used.
        words: the provider's message of a failure: one line without secrets.
    """

    error_kind: ErrorKind = "none"
    tokens: int | None = None
    cost_usd: float | None = None
    retry_after_s: float | None = None
    quota: Quota | None = None
    made: bool = True
    words: str | None = None

    def __post_init__(self) -> None:
        """Replace values that are not usable numbers."""
        keep_fitting(self, _RESULT_FITS)


_CALL_FITS: Fits = {
    "tokens": lambda value: bounded_int(value) or 0,
    "worst_case_usd": bounded_float,
    "before_usd": lambda value: bounded_float(value) or 0.0,
}
_RESULT_FITS: Fits = {
    "tokens": bounded_int,
    "cost_usd": bounded_float,
    "retry_after_s": bounded_float,
}

UNUSED = CallResult(cost_usd=0.0, made=False)
"""The result of a slot with which no call was made."""


@dataclass(frozen=True, slots=True)
class EndedCall:
    """The end of a call that had a slot."""

    call_id: int
    call: LimiterCall
    result: CallResult


@dataclass(frozen=True, slots=True)
class RecentCalls:
    """Calls of a key that a client sent in one second of the last minute, `ago_s` ago."""

    key: str
    ago_s: float
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ClientReport:
    """A client's half of an exchange.

    Args:
        client_id: unique in the cluster and to one process.
        wanted: calls that began to wait since the last report; in a registration, all that wait.
        withdrawn: calls whose callers were cancelled.
        ended: calls that ended since the last answered report.
        registers: this is the client's whole state, which replaces the Limiter's.
        in_flight, recent: sent in a registration only.
    """

    client_id: str
    wanted: tuple[ReportedCall, ...] = ()
    withdrawn: tuple[int, ...] = ()
    ended: tuple[EndedCall, ...] = ()
    registers: bool = False
    in_flight: tuple[ReportedCall, ...] = ()
    recent: tuple[RecentCalls, ...] = ()


@dataclass(frozen=True, slots=True)
class Granted:
    """The permit to make a call `in_s` from now. `worst_case_usd` is reserved for it, which may
    exceed the client's estimate."""

    call_id: int
    in_s: float
    worst_case_usd: float | None


@dataclass(frozen=True, slots=True)
class Denied:
    """No permit, now or later.

    Args:
        error_kind: "budget", the error that opened the circuit breaker, or "internal" for an
            unknown key.
        reason: one readable line.
        closed_scope: the scope whose budget is spent, or whose model was unreachable for too long.
    """

    error_kind: ErrorKind
    reason: str
    closed_scope: str | None = None


@dataclass(frozen=True, slots=True)
class LimiterAnswer:
    """The Limiter's half of an exchange.

    Args:
        known: False if the client has no session and has to register at once.
        denied: (call_id, reason) of calls that will get no slot.
        again_s: when to report next while anything waits or has ended.
        tight: keys whose calls wait for other calls to end; such ends should be reported sooner.
    """

    known: bool
    granted: tuple[Granted, ...] = ()
    denied: tuple[tuple[int, Denied], ...] = ()
    again_s: float = 0.1
    tight: frozenset[str] = frozenset()


LimiterExchange: TypeAlias = Callable[[ClientReport], Awaitable[LimiterAnswer]]
"""Sends a report to the Limiter and returns its answer; raises LimiterUnreachableError."""


@dataclass(frozen=True, slots=True)
class KeyStats:
    """The state of one key.

    Args:
        calls: granted so far.
        refused: how many of these were rejected for their rate.
        paused_s: the rest of a pause.
        per_minute: the current pace, in calls.
        ceiling_per_minute: the highest pace allowed; inf if unknown.
    """

    calls: int
    refused: int
    waiting: int
    in_flight: int
    paused_s: float
    per_minute: float
    ceiling_per_minute: float


@dataclass(frozen=True, slots=True)
class LimiterStats:
    """The state of the whole Limiter.

    Args:
        spent_usd: known costs, earlier runs included.
        presumed_usd: worst cases of calls whose cost stayed unknown; they count as spent.
        reserved_usd: worst cases of the calls in flight.
        keys: rate-limit key → its state.
        accounts: scope → its budget account.
        breakers: model → "closed", "open" or "half open".
        unreachable: model → since when and until when it is not called.
    """

    spent_usd: float
    presumed_usd: float
    reserved_usd: float
    keys: Mapping[str, KeyStats]
    accounts: Mapping[str, AccountStats]
    breakers: Mapping[str, str]
    unreachable: Mapping[str, Unreachable] = field(default_factory=dict)
