"""Changes that a person made to a run's limits while it plays, as sent to the Limiter. Each message
has all of them, since a restarted Limiter has forgotten them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from mirror_ray.providers.model import Limits


@dataclass(frozen=True, slots=True)
class KeyChange:
    """New limits of one rate-limited key; None keeps one as it is."""

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
    """All settings that replace those of the sweep.

    Args:
        paused: no call is sent.
        budget_usd: the sweep's ceiling; None keeps it as it is.
        keys: rate-limited key → its new limits.
        retries: how often all circuit breakers were closed since the run began.
    """

    paused: bool = False
    budget_usd: float | None = None
    keys: Mapping[str, KeyChange] = field(default_factory=dict)
    retries: int = 0


AS_PLANNED = LiveSettings(keys=MappingProxyType({}))
