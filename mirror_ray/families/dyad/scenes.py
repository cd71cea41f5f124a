"""The scene of an episode of dyad, drawn from (scene seed, run) alone.

The conditions of one scene share wall, cubes, starts and the subject's colour. As a subject, every
model has the same body in the same scene. The first turn alternates over scenes. Distances are
between centres unless stated otherwise. All figures are [our decision], most of them selfid's."""

from dataclasses import dataclass
from functools import lru_cache

from mirror_ray.core.errors import SceneError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.dyad.conditions import CONDITIONS
from mirror_ray.world.room.layout import (
    FRONT_OF_REFLECTOR_M,
    START_WALL_GAP_M,
    FloorPoint,
    distance_m,
    drawn_cube,
    drawn_place,
    is_in_front,
    keeps_distances,
)
from mirror_ray.world.room.scene import MAX_CUBES, TURN_DEG, WALLS, Body, Box, Pose, Scene, Wall
from sim_assets.colors import COLOR_NAMES

START_SPACING_M = 1.2
_LANE_M = (2.2, 0.9)
"""No cube is within this depth and this far to the side of the mirror's middle, so that a body
there can see itself whole."""

_REMEMBERED = 1_024
_MAX_LAYOUTS = 20_000


def sample_scene(spec: EpisodeSpec) -> Scene:
    """Return the scene of an episode, with the subject's body as its ego and the other as its only
    other: the same for every model, axis and variant.

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
    """Return whether the subject has the first turn, which alternates over seeds and over runs."""
    return (spec.scene_seed + spec.run) % 2 == 0


@dataclass(frozen=True, slots=True)
class _Ground:
    """What all conditions of a scene share. The colours are the subject's, the other's and a
    third."""

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
        cubes = tuple(drawn_cube(rng, color) for color in drawn)
        places = [drawn_place(rng, START_WALL_GAP_M) for _ in range(2)]
        if _fits(cubes, places, wall):
            one, two = (Pose(*place, TURN_DEG * int(rng.integers(12))) for place in places)
            return _Ground(wall, (own, other, third), cubes, (one, two))
    raise SceneError(f"no layout of three cubes and two bodies within {_MAX_LAYOUTS} draws")


def _fits(cubes: tuple[Box, ...], places: list[FloorPoint], wall: Wall) -> bool:
    return (
        keeps_distances(cubes, places)
        and not any(is_in_front((cube.x_m, cube.y_m), wall, _LANE_M) for cube in cubes)
        and not any(is_in_front(place, wall, FRONT_OF_REFLECTOR_M) for place in places)
        and distance_m(*places) >= START_SPACING_M
    )
