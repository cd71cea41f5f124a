"""What a sweep file becomes: stages, cells and episodes, in the order they are played.

Knows the values; `mirror_ray.sweep.load` reads and validates the file that makes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mirror_ray.providers.model import Model
from mirror_ray.types import Cell, EpisodeSpec


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How a sweep is spread over the machine; none of it changes a row.

    Args:
        simulators: Simulator actors; None: one per CPU core of the cluster.
        providers: Provider actors; None: scaled to the simulators.
        in_flight: episodes under way per Simulator, so that rendering overlaps with waiting.
        max_attempts: attempts per ask at transient API failures.
    """

    simulators: int | None = None
    providers: int | None = None
    in_flight: int = 32
    max_attempts: int = 5


@dataclass(frozen=True, slots=True)
class Sweep:
    """A validated sweep.

    Args:
        resolved: the whole file after overrides and defaults, as plain data; its hash names the
            sweep, so that a run directory is continued by the same sweep only.
    """

    name: str
    source: str
    out: str
    budget_usd: float | None
    engine: EngineSettings
    resolved: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything `run` needs, in plain frozen data.

    Args:
        episodes: round-robin over scenes, so that a stopped sweep compares models on equal scenes.
        models: name → catalogue entry, for every name in the cells.
    """

    sweep: Sweep
    cells: tuple[Cell, ...]
    episodes: tuple[EpisodeSpec, ...]
    models: Mapping[str, Model]
