"""What the Limiter counts, for the driver's display and its decisions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mirror_ray.engine.limiter.budget import AccountStats
from mirror_ray.engine.limiter.circuit_breaker import Unreachable


@dataclass(frozen=True, slots=True)
class KeyStats:
    """The state of one key.

    Args:
        calls: granted so far; `refused` of them were rejected for their rate.
        waiting, in_flight: calls now.
        paused_s: the rest of a pause.
        per_minute: the pace now; `ceiling_per_minute` the most it may become, inf if unknown.
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
        spent_usd: known costs, those of earlier runs included.
        presumed_usd: worst cases of calls whose cost stayed unknown, earlier runs included;
            the budget counts them.
        reserved_usd: worst cases of the calls in flight.
        keys: key → its state.
        accounts: scope → what it has spent and may spend.
        breakers: model → "closed", "open" or "half open".
        unreachable: model → since when and until when, of those that nobody answers for.
    """

    spent_usd: float
    presumed_usd: float
    reserved_usd: float
    keys: Mapping[str, KeyStats]
    accounts: Mapping[str, AccountStats]
    breakers: Mapping[str, str]
    unreachable: Mapping[str, Unreachable] = field(default_factory=dict)
