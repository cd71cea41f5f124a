"""What a person has changed of a run's limits while it plays, as the Limiter is told it.

The whole of it is told again and again: a Limiter that restarts has forgotten it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from mirror_ray.providers.model import Limits


@dataclass(frozen=True, slots=True)
class KeyChange:
    """New limits of one rate-limited key; None leaves one as it is.

    Args:
        rpm, tpm: requests and tokens per minute.
        concurrency: calls in flight.
    """

    rpm: float | None = None
    tpm: float | None = None
    concurrency: int | None = None

    def over(self, limits: Limits) -> Limits:
        """`limits` with these in their place."""
        return replace(
            limits,
            rpm=limits.rpm if self.rpm is None else self.rpm,
            tpm=limits.tpm if self.tpm is None else self.tpm,
            concurrency=limits.concurrency if self.concurrency is None else self.concurrency,
        )


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """All that holds now in place of what the sweep says.

    Args:
        paused: no call is sent.
        budget_usd: the sweep's ceiling; None: as the sweep has it.
        keys: rate-limited key → its new limits.
        retries: how often every circuit breaker was to be closed since the run began.
    """

    paused: bool = False
    budget_usd: float | None = None
    keys: Mapping[str, KeyChange] = field(default_factory=dict)
    retries: int = 0


AS_PLANNED = LiveSettings(keys=MappingProxyType({}))
