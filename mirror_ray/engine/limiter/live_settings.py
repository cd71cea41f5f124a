"""Changes that people made to a run's limits while it plays, as sent to the Limiter. Each message
has all of them, because a restarted Limiter has forgotten them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any

from mirror_ray.providers.model import Limits


@dataclass(frozen=True, slots=True)
class KeyChange:
    """New limits of one rate-limited key; None keeps one as it is."""

    rpm: float | None = None
    tpm: float | None = None
    concurrency: int | None = None

    def over(self, limits: Limits) -> Limits:
        """Return `limits` with these changes applied."""
        return replace(limits, **{name: v for name, v in asdict(self).items() if v is not None})

    def __str__(self) -> str:
        figures = ((name, value) for name, value in asdict(self).items() if value is not None)
        return ", ".join(f"{name} {value:g}" for name, value in figures)


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


BUDGET = "budget_usd"
RATES = ("rpm", "tpm", "concurrency")


def lasting_settings_of(
    lasts: Mapping[tuple[str, str], float], bound_usd: float | None
) -> LiveSettings:
    """Return the settings of earlier runs that still apply.

    Args:
        lasts: (key, setting) → value, from `records.control_changes.lasting`.
        bound_usd: the most that the sweep's budget may be raised to, if any.
    """
    keys: dict[str, dict[str, Any]] = {}
    for (key, name), value in lasts.items():
        if key and name in RATES and value >= 1.0:
            figure = int(value) if name == "concurrency" else value
            keys.setdefault(key, {})[name] = figure
    usd = lasts.get(("", BUDGET))
    if usd is not None and bound_usd is not None:
        # A manifest may contain anything, and a bound may have been lowered since.
        usd = min(usd, bound_usd)
    return LiveSettings(
        budget_usd=usd, keys={key: KeyChange(**figures) for key, figures in keys.items()}
    )
