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
        spent_usd: known costs, earlier runs included.
        presumed_usd: worst cases of calls whose cost stayed unknown; they count as spent.
        reserved_usd: worst cases of the calls in flight.
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
