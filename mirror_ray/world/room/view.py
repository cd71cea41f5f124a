"""The ego's view before any pixel is drawn: a frozen, picklable snapshot of a room."""

from dataclasses import dataclass
from typing import ClassVar

from mirror_ray.core.types import Encoding
from mirror_ray.world.room.scene import Pose, Scene


@dataclass(frozen=True, slots=True)
class Stance:
    """A body's pose, and its phase in the walk cycle."""

    pose: Pose
    phase_rad: float


@dataclass(frozen=True, slots=True)
class EyeView:
    """The picture from the ego's eye.

    Args:
        scene: colours, boxes and the reflector; its poses are the episode's first.
        ego, others: the present stances; `others` in the scene's order.
        fov_deg: vertical field of view.
    """

    painter: ClassVar[str] = "mirror_ray.world.room.painter:EyePainter"

    scene: Scene
    ego: Stance
    others: tuple[Stance, ...]
    width_px: int
    height_px: int
    fov_deg: float
    encoding: Encoding
