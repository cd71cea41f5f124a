"""What a Simulator tells the driver: how episodes ended, what it has done, what frames depend on.

Plain values.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.engine.drawing import DrawingStats
from mirror_ray.engine.provider import ModelTally
from mirror_ray.world.gl import GlInfo


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a lease.

    Args:
        error_kind: how the episode ended; None when it was stopped before its end.
        cost_usd: of the whole episode, earlier runs included; None where part of it is unknown.
        spent_scope: whose budget would not pay for its next call, where that ended it.
    """

    error_kind: str | None
    error: str | None
    cost_usd: float | None = None
    spent_scope: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A lease that is not played any more here; with the reason where it cannot be."""

    episode_id: str
    outcome: Played | Exception


@dataclass(frozen=True, slots=True)
class Brought:
    """What has ended since the last message.

    Args:
        life: which life of the process tells it: what an earlier one was playing is lost.
    """

    life: str
    ended: tuple[Ended, ...]


@dataclass(frozen=True, slots=True)
class SimulatorStats:
    """A Simulator's state: what its process has done since it began, and its resident memory.

    Args:
        asks: asks answered live.
        tallies: model → what its own Provider was asked.
    """

    pid: int
    asks: int
    drawing: DrawingStats
    resident_mib: float
    tallies: Mapping[str, ModelTally]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the frames of a process may depend on.

    Args:
        cpu: the processor's name; None where the system does not say.
        gl: who draws; None where nothing is to be drawn.
    """

    cpu: str | None
    gl: GlInfo | None
