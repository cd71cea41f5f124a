"""The scene of an episode of dyad, drawn from (scene seed, run) alone.

The conditions of one scene share wall, cubes, starts and the subject's colour; every model is the
subject in the same body of the same scene. Who moves first takes turns with the scenes. Distances
are between centres unless said. All figures are [our decision], most of them selfid's.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, pi, sin

import numpy as np

from mirror_ray.core.errors import SceneError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.dyad.conditions import CONDITIONS
from mirror_ray.world.room.camera import reflector_axes, reflector_centre
from mirror_ray.world.room.scene import (
    MAX_CUBES,
    ROOM_SIDE_M,
    TURN_DEG,
    WALLS,
    Body,
    Box,
    Pose,
    Scene,
    Wall,
)
from sim_assets.colors import COLOR_NAMES

CUBE_EDGE_M = 0.3
CUBE_SPACING_M = 1.2
CUBE_WALL_GAP_M = 0.8
"""From a cube's nearest corner: a body of 0.6 m passes between cubes and walls."""
CUBE_START_GAP_M = 1.0
START_WALL_GAP_M = 0.6
START_SPACING_M = 1.2
LANE_M = (2.2, 0.9)
"""No cube within this depth and to this side of the mirror's middle: a body can stand there, and
see itself whole."""
FRONT_OF_REFLECTOR_M = (1.9, 1.4)
"""No start within this depth and to this side of it."""
NEAR_M = 1.0
"""A cube is near within this distance of its centre."""

_REMEMBERED = 1_024
_MAX_LAYOUTS = 20_000


def sample_scene(spec: EpisodeSpec) -> Scene:
    """The scene of an episode, with the subject's body as its ego and the other as its only other:
    the same for every model, axis and variant.

    Raises:
        SceneError: the constraints could not be met within the rejection bound.
    """
    condition = CONDITIONS[spec.cell.condition]
    ground = _ground(spec.cell.family, spec.scene_seed, spec.run)
    own, other, _ = ground.colors
    return Scene(
        reflector_wall=ground.wall,
        reflector=condition.reflector,
        ego=Body(ground.starts[0], own),
        cubes=ground.cubes,
        others=(Body(ground.starts[1], own if condition.alike else other),),
    )


def subject_moves_first(spec: EpisodeSpec) -> bool:
    """Whether the subject has the first turn: in every second scene, of seeds and of runs."""
    return (spec.scene_seed + spec.run) % 2 == 0


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all conditions of a scene share; `colors`: the subject's, the other's, the third."""

    wall: Wall
    colors: tuple[str, str, str]
    cubes: tuple[Box, ...]
    starts: tuple[Pose, Pose]


@lru_cache(maxsize=_REMEMBERED)
def _ground(family: str, scene_seed: int, run: int) -> _Ground:
    # A scene's streams do not depend on the cell.
    spec = EpisodeSpec(Cell(family, "", (), None, ""), scene_seed, run)
    wall = WALLS[int(spec.scene_rng("wall").integers(len(WALLS)))]
    rng = spec.scene_rng("colors")
    drawn = [str(color) for color in rng.choice(COLOR_NAMES, size=MAX_CUBES, replace=False)]
    own, other, third = (drawn[int(place)] for place in rng.permutation(MAX_CUBES))
    rng = spec.scene_rng("layout")
    for _ in range(_MAX_LAYOUTS):
        cubes = tuple(_cube(rng, color) for color in drawn)
        places = [_place(rng, ROOM_SIDE_M / 2 - START_WALL_GAP_M) for _ in range(2)]
        if _fits(cubes, places, wall):
            one, two = (Pose(*place, TURN_DEG * int(rng.integers(12))) for place in places)
            return _Ground(wall, (own, other, third), cubes, (one, two))
    raise SceneError(f"no layout of three cubes and two bodies within {_MAX_LAYOUTS} draws")


def _cube(rng: np.random.Generator, color: str) -> Box:
    x_m, y_m = _place(rng, ROOM_SIDE_M / 2 - CUBE_WALL_GAP_M - CUBE_EDGE_M / 2)
    yaw_deg = round(float(rng.uniform(0.0, 90.0)), 1)
    return Box(x_m, y_m, yaw_deg, CUBE_EDGE_M, CUBE_EDGE_M, CUBE_EDGE_M, color)


def _place(rng: np.random.Generator, reach_m: float) -> tuple[float, float]:
    x_m, y_m = rng.uniform(-reach_m, reach_m, size=2).round(3).tolist()
    return x_m, y_m


def _fits(cubes: tuple[Box, ...], places: list[tuple[float, float]], wall: Wall) -> bool:
    centres = [(cube.x_m, cube.y_m) for cube in cubes]
    return (
        all(_farthest_corner_m(cube) <= ROOM_SIDE_M / 2 - CUBE_WALL_GAP_M for cube in cubes)
        and not any(_is_within(centre, wall, LANE_M) for centre in centres)
        and not any(_is_within(place, wall, FRONT_OF_REFLECTOR_M) for place in places)
        and _gap_m(*places) >= START_SPACING_M
        and all(_gap_m(place, centre) >= CUBE_START_GAP_M for place in places for centre in centres)
        and all(
            _gap_m(one, other) >= CUBE_SPACING_M
            for index, one in enumerate(centres)
            for other in centres[:index]
        )
    )


def _is_within(place: tuple[float, float], wall: Wall, reach_m: tuple[float, float]) -> bool:
    """Whether a place is less than so deep before the reflector, and less than so far aside."""
    along, _, inward = reflector_axes(wall).T[:, :2]
    offset = np.array(place) - np.array(reflector_centre(wall)[:2])
    return float(offset @ inward) < reach_m[0] and abs(float(offset @ along)) < reach_m[1]


def _farthest_corner_m(cube: Box) -> float:
    """How far a cube reaches from the room's middle, along either axis."""
    angles = [cube.yaw_deg / 180 * pi + pi / 4 + quarter * pi / 2 for quarter in range(4)]
    return max(
        max(
            abs(cube.x_m + cube.half_diagonal_m * cos(angle)),
            abs(cube.y_m + cube.half_diagonal_m * sin(angle)),
        )
        for angle in angles
    )


def _gap_m(one: tuple[float, float], other: tuple[float, float]) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])
