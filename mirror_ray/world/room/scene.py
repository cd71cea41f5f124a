"""A scene: the initial places of everything in an episode. Pure data, no physics, no pixels.

Axes: x east, y north, z up, origin at the room's centre on the floor; metres and degrees; yaw 0
looks east and grows anticlockwise, so a left turn adds 30."""

from dataclasses import dataclass
from math import cos, hypot, radians, sin
from typing import Literal

from sim_assets.look import Look

Wall = Literal["east", "north", "west", "south"]
Reflector = Literal["mirror", "panel", "cover"]
WALLS: tuple[Wall, ...] = ("east", "north", "west", "south")
OPPOSITE: dict[Wall, Wall] = {wall: WALLS[(i + 2) % 4] for i, wall in enumerate(WALLS)}

ROOM_SIDE_M = 6.0
WALL_HEIGHT_M = 2.5
REFLECTOR_WIDTH_M = 2.0
REFLECTOR_HEIGHT_M = 2.0
REFLECTOR_CENTRE_Z_M = 1.1
GLASS_SIDES_M = (2.0, 1.4, 1.0, 0.7, 0.5, 0.35, 0.25, 0.18, 0.12)
"""The sizes of mirrors, each half the area of the one before."""
MOST_TILT_DEG = 15.0
BODY_RADIUS_M = 0.3
STEP_M = 0.5
TURN_DEG = 30.0
MAX_OTHERS = 6
MAX_CUBES = 3
MAX_CLUTTER = 12


Tint = Literal["none", "bronze", "blue", "green"]
TINTS: dict[Tint, tuple[float, float, float]] = {
    "none": (1.0, 1.0, 1.0),
    "bronze": (0.85, 0.62, 0.42),
    "blue": (0.45, 0.62, 0.92),
    "green": (0.50, 0.82, 0.58),
}
"""The shares of red, green and blue that a tinted glass returns."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A place on the floor and a heading."""

    x_m: float
    y_m: float
    yaw_deg: float


@dataclass(frozen=True, slots=True)
class Box:
    """A box on the floor: full edge lengths, and a colour name (or a clutter tone)."""

    x_m: float
    y_m: float
    yaw_deg: float
    width_m: float
    depth_m: float
    height_m: float
    color: str

    @property
    def half_diagonal_m(self) -> float:
        """The distance from the footprint's centre to its corners."""
        return hypot(self.width_m, self.depth_m) / 2


@dataclass(frozen=True, slots=True)
class Body:
    """A humanoid in one flat colour."""

    pose: Pose
    color: str


@dataclass(frozen=True, slots=True)
class Glass:
    """The mirror of a scene; by default flat, upright, whole and perfect.

    Args:
        side_m: edge of the square, one of `GLASS_SIDES_M`; the height of its middle is fixed.
        tilt_deg: how far its top leans into the room, about its lower edge.
        reflectance: the share of light that it returns, 0–1; the rest is absorbed.
        tint: a key of `TINTS`.
        blur_deg: standard deviation of the blur, in degrees of visual angle.
        cover: the share of its area behind upright slats, 0–1.
        is_double: a second mirror like it hangs on the opposite wall.
    """

    side_m: float = REFLECTOR_WIDTH_M
    tilt_deg: float = 0.0
    reflectance: float = 1.0
    tint: Tint = "none"
    blur_deg: float = 0.0
    cover: float = 0.0
    is_double: bool = False


PERFECT = Glass()


@dataclass(frozen=True, slots=True)
class Scene:
    """The initial state of an episode.

    Args:
        reflector_wall: the wall whose centre carries the mirror or its substitute.
        reflector: "mirror", or without reflections "panel" (wall-coloured) or "cover" (dark).
        glass: the mirror's properties, if there is a mirror.
        look: "plain" (flat and even), "lit" (one lamp, shadows, textures) or "furnished".
        cubes: 0–3 candidate cubes; clutter: 0–12 neutral boxes; others: 0–6 agents.
    """

    reflector_wall: Wall
    reflector: Reflector
    ego: Body
    cubes: tuple[Box, ...] = ()
    clutter: tuple[Box, ...] = ()
    others: tuple[Body, ...] = ()
    glass: Glass = PERFECT
    look: Look = "plain"

    @property
    def glass_walls(self) -> tuple[Wall, ...]:
        """The walls that carry a mirror."""
        if self.reflector != "mirror":
            return ()
        walls = (self.reflector_wall, OPPOSITE[self.reflector_wall])
        return walls if self.glass.is_double else walls[:1]

    @property
    def leaning(self) -> tuple[Box, ...]:
        """The floor areas below mirrors that lean into the room, which nobody may enter."""
        out_m = self.glass.side_m * sin(radians(self.glass.tilt_deg))
        if not out_m:
            return ()
        ways = [90.0 * WALLS.index(wall) for wall in self.glass_walls]
        off_m = ROOM_SIDE_M / 2 - out_m / 2
        return tuple(
            Box(
                off_m * cos(radians(way)),
                off_m * sin(radians(way)),
                way,
                out_m,
                self.glass.side_m,
                self.glass.side_m,
                "stone",
            )
            for way in ways
        )
