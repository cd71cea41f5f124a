"""How many episodes in flight fully use the limits of the models' keys, before anything is
measured.

Computed by Little's law from the keys' limits and the expected duration of a call."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil, inf
from statistics import fmean

from mirror_ray.providers.model import Limits, Model, Tier

EXPECTED_LATENCY_S = 10.0
"""Latency of a model with pictures, until its own is measured."""

_EXPECTED_S: Mapping[Tier | None, float] = {"flex": 60.0, "batch": 3600.0}
"""The same at the flex tier, which promises none, and in a batch, mostly done in an hour."""

BETWEEN_CALLS_S = 1.0
"""Upper bound of the time that an episode spends on drawing and recording between two calls."""

HEADROOM = 2.0
"""Calls differ in length, so the number by Little's law is multiplied by this."""

EXPECTED_TOKENS = 2_000
"""Tokens of one call with a picture."""

UNKNOWN_RPM = 600.0
"""Requests per minute of a key whose limits are unknown."""

SERVED_AT_ONCE = 32
"""Calls that one of the run's own servers answers at the same time, until measured."""

OFFLINE_IN_FLIGHT = 32
"""Per Simulator; agents run inside it, so only the writing of records has to overlap."""

MOST_IN_FLIGHT = 1_000
"""Per Simulator: at 0.3 MiB each, these episodes double its memory, and with calls of 10 s they
need more pictures per second than a core draws."""


MOST_IN_BATCHES = 20_000
"""Per Simulator, if no pictures are kept in memory, so that batches are larger."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """What one key can use: `useful` episodes in flight keep it busy; above `at_most`, further ones
    would only queue (inf if its limits are unknown)."""

    useful: float
    at_most: float


def capacity(limits: Limits, latency_s: float = EXPECTED_LATENCY_S) -> Capacity:
    """Return what a key can use: its calls per second times the time from call to call.

    An episode has one call in flight at a time, so fewer would leave the allowance unused.

    Args:
        latency_s: of one call; a key's models make about equally many, so their mean.
    """
    cycle_s = latency_s + BETWEEN_CALLS_S
    bounds = []
    if limits.rpm is not None:
        bounds.append(limits.rpm / 60.0 * cycle_s)
    if limits.tpm is not None:
        bounds.append(limits.tpm / EXPECTED_TOKENS / 60.0 * cycle_s)
    if limits.concurrency is not None:
        bounds.append(float(limits.concurrency))
    if not bounds:
        return Capacity(HEADROOM * UNKNOWN_RPM / 60.0 * cycle_s, inf)
    useful = max(1.0, HEADROOM * min(bounds))
    return Capacity(useful, ceil(useful))


def calls_at_once(model: Model) -> float | None:
    """Return how many calls a model answers at the same time; None if unknown."""
    if model.limits.concurrency is not None or model.serve is None:
        return model.limits.concurrency
    return SERVED_AT_ONCE * model.serve.replicas


def capacities(
    models: Iterable[Model], places: float, latencies_s: Mapping[str, float]
) -> dict[str, Capacity]:
    """Return what each key can use. Offline agents use all places: only the machine bounds them.

    Args:
        places: episodes in flight on all Simulators.
        latencies_s: model → mean duration of its calls, where it has been measured.
    """
    found: dict[str, Capacity] = {}
    by_key: dict[str, list[Model]] = {}
    for model in models:
        by_key.setdefault(model.limits.key, []).append(model)
    for key, sharing in by_key.items():
        if all(model.is_offline for model in sharing):
            found[key] = Capacity(places, inf)
            continue
        expected_s = {one.name: _EXPECTED_S.get(one.tier, EXPECTED_LATENCY_S) for one in sharing}
        latency_s = fmean(latencies_s.get(name, time_s) for name, time_s in expected_s.items())
        asked = [capacity(one.limits, latency_s) for one in sharing]
        found[key] = min(asked, key=lambda one: (one.at_most, one.useful))
    return found


def in_flight_for(
    models: Iterable[Model], n_simulators: int, *, holds_pictures: bool = True
) -> int:
    """Return how many episodes in flight per Simulator keep the keys of all hosted models busy.
    `holds_pictures` says whether requests in flight keep pictures in memory."""
    models = list(models)
    in_batches = any(model.tier == "batch" for model in models)
    most = MOST_IN_BATCHES if in_batches and not holds_pictures else MOST_IN_FLIGHT
    hosted = [model for model in models if not model.is_offline]
    wanted = sum(one.useful for one in capacities(hosted, 0.0, {}).values())
    return min(most, max(OFFLINE_IN_FLIGHT, ceil(wanted / n_simulators)))
