"""A scene: the initial places of everything in an episode. Pure data, no physics, no pixels.

Axes: x east, y north, z up, origin at the room's centre on the floor; metres and degrees; yaw 0
looks east and grows anticlockwise, so a left turn adds 30.
"""

from dataclasses import dataclass
from math import hypot
from typing import Literal

Wall = Literal["east", "north", "west", "south"]
Reflector = Literal["mirror", "panel", "cover"]
WALLS: tuple[Wall, ...] = ("east", "north", "west", "south")

ROOM_SIDE_M = 6.0
WALL_HEIGHT_M = 2.5
REFLECTOR_WIDTH_M = 2.0
REFLECTOR_HEIGHT_M = 2.0
REFLECTOR_CENTRE_Z_M = 1.1
BODY_RADIUS_M = 0.3
STEP_M = 0.5
TURN_DEG = 30.0
MAX_OTHERS = 6
MAX_CUBES = 3
MAX_CLUTTER = 12


@dataclass(frozen=True, slots=True)
class Pose:
    """A place on the floor and a heading."""

    x_m: float
    y_m: float
    yaw_deg: float


@dataclass(frozen=True, slots=True)
class Box:
    """A box standing on the floor: full edge lengths, and a colour name (or a clutter tone)."""

    x_m: float
    y_m: float
    yaw_deg: float
    width_m: float
    depth_m: float
    height_m: float
    color: str

    @property
    def half_diagonal_m(self) -> float:
        """From the footprint's centre to its corners."""
        return hypot(self.width_m, self.depth_m) / 2


@dataclass(frozen=True, slots=True)
class Body:
    """A humanoid in one flat colour."""

    pose: Pose
    color: str


@dataclass(frozen=True, slots=True)
class Scene:
    """The initial state of an episode.

    Args:
        reflector_wall: the wall whose centre carries the mirror or its substitute.
        reflector: "mirror", or without reflections "panel" (wall-coloured) or "cover" (dark).
        cubes: 0–3 candidate cubes; clutter: 0–12 neutral boxes; others: 0–6 agents.
    """

    reflector_wall: Wall
    reflector: Reflector
    ego: Body
    cubes: tuple[Box, ...] = ()
    clutter: tuple[Box, ...] = ()
    others: tuple[Body, ...] = ()
