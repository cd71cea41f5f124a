"""What a Gate and the Limiter tell each other: calls that wait, slots granted, calls ended.

Plain values. All times are spans, in seconds: the two may live on machines whose clocks disagree.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from mirror_ray.types import ErrorKind, Quota


class LimiterAwayError(Exception):
    """The Limiter did not answer; it may be on its way back."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call somebody wants to make.

    Args:
        key: whose allowance it draws on.
        model: whose circuit breaker and budget it minds.
        cell_id: whose turn it takes, and whose budget.
        tokens: estimate of input and reply together.
        worst_case_usd: what it costs at most; None where no price is known.
        lasts_at_most_s: after this long nobody waits for its end any more.
        episode_id, ask_index: whose ask it is.
        before_usd: what the ask's earlier attempts may have cost.
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


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that waits for its slot; `call_id` is unique within its Gate."""

    call_id: int
    call: Call
    waited_s: float


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A call that has its slot and has not ended; negative where the slot is still to come."""

    call_id: int
    call: Call
    since_s: float


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a call, as far as the Limiter cares.

    Args:
        error_kind: "none" where the provider did what it was asked.
        tokens: as billed; None leaves the estimate standing.
        cost_usd: as billed, 0.0 where it certainly cost nothing. None, where it is unknown, counts
            the worst case.
        retry_after_s: how long the provider asked to be left alone.
        quota: what it said of the key's allowance.
        made: False where the slot was not used.
    """

    error_kind: ErrorKind = "none"
    tokens: int | None = None
    cost_usd: float | None = None
    retry_after_s: float | None = None
    quota: Quota | None = None
    made: bool = True


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a call that had a slot."""

    call_id: int
    call: Call
    result: Result


@dataclass(frozen=True, slots=True)
class Past:
    """Calls of a key that a Gate let go in one second of the last minute.

    Args:
        ago_s: how long ago that was.
        tokens: by estimate.
    """

    key: str
    ago_s: float
    calls: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Report:
    """A Gate's half of an exchange.

    Args:
        gate_id: unique in the cluster, and to one life of the Gate.
        wanted: calls that began to wait since the last report; in an introduction, all that wait.
        withdrawn: calls that wait no more: their callers are gone.
        ended: calls that ended since the last report that was answered.
        introduces: whether this is the Gate's whole state: the Limiter forgets what it knew of it.
        under_way, past: told in an introduction only.
    """

    gate_id: str
    wanted: tuple[Wanted, ...] = ()
    withdrawn: tuple[int, ...] = ()
    ended: tuple[Ended, ...] = ()
    introduces: bool = False
    under_way: tuple[UnderWay, ...] = ()
    past: tuple[Past, ...] = ()


@dataclass(frozen=True, slots=True)
class Granted:
    """Leave to make a call, `in_s` from now."""

    call_id: int
    in_s: float


@dataclass(frozen=True, slots=True)
class Denied:
    """No leave, now or later.

    Args:
        error_kind: "budget", or what keeps the model's circuit breaker open.
        reason: one line for a person.
        spent_scope: whose budget would not pay, where that is why.
    """

    error_kind: ErrorKind
    reason: str
    spent_scope: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The Limiter's half of an exchange.

    Args:
        known: False: the Limiter does not know this Gate, which is to introduce itself at once.
        denied: (call_id, why) of calls that will get no slot.
        again_s: when to report next while anything waits or has ended.
        tight: keys whose calls wait for others to end: an end is to be told sooner.
    """

    known: bool
    granted: tuple[Granted, ...] = ()
    denied: tuple[tuple[int, Denied], ...] = ()
    again_s: float = 0.1
    tight: frozenset[str] = frozenset()


Exchange: TypeAlias = Callable[[Report], Awaitable[Answer]]
"""Takes a report to the Limiter and brings its answer; raises LimiterAwayError."""
