"""The messages from a Simulator to the driver, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.engine.simulator.render_thread import DrawingStats
from mirror_ray.world.opengl.context import GlInfo
from mirror_ray.world.opengl.device_choice import DrawnOn


@dataclass(frozen=True, slots=True)
class RenderEnvironment:
    """Facts on which the frames of a process may depend: the processor's name, if known, the GL
    renderer, and its device. Without pictures, the last two are None."""

    cpu: str | None
    gl: GlInfo | None
    drawn_on: DrawnOn | None = None


def host_facts(environments: Sequence[RenderEnvironment]) -> dict[str, Any]:
    """Return a host's facts for the manifest: those of its first process, with all devices that
    draw."""
    devices = dict.fromkeys(one.drawn_on for one in environments if one.drawn_on is not None)
    return {**asdict(environments[0]), "drawn_on": [asdict(device) for device in devices]}


@dataclass(frozen=True, slots=True)
class Lease:
    """An episode to be played.

    Args:
        deaths: Simulators that died while they played it, since its last progress.
        reached: its recorded replies when the last of them died.
        scene: the index of its scene in the plan; equal indices mean equal scenes in all cells.
        shows: identifies its pictures; episodes with equal ids share pictures; None shares none.
    """

    spec: EpisodeSpec
    deaths: int = 0
    scene: int = 0
    reached: int = 0
    shows: str | None = None


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The outcome of a lease.

    Args:
        error_kind: how the episode ended; None if it was stopped before its end.
        cost_usd: cost of the whole episode, earlier runs included; None if part of it is unknown.
        closed_scope: the scope that ended it by a spent budget or an unreachable model.
        partners_usd: the part of the cost of each model except its own.
        n_asks: its requests; 0 if an earlier run or process started it.
    """

    error_kind: str | None
    error: str | None
    cost_usd: float | None = None
    closed_scope: str | None = None
    partners_usd: Mapping[str, float] = field(default_factory=dict)
    n_asks: int = 0


@dataclass(frozen=True, slots=True)
class EndedLease:
    """A lease that has ended here, with the reason if it could not be played."""

    episode_id: str
    outcome: EpisodeResult | Exception


@dataclass(frozen=True, slots=True)
class Completed:
    """The episodes ended since the last message. Those of a process with another `life` are
    lost."""

    life: str
    ended: tuple[EndedLease, ...]


@dataclass(frozen=True, slots=True)
class SimulatorStats:
    """A Simulator's state: the counts of its process since it started, and its resident memory.
    `asks` counts requests that were sent and answered; `model_counters` are by model."""

    asks: int
    drawing: DrawingStats
    resident_mib: float
    model_counters: Mapping[str, ModelCounters]
