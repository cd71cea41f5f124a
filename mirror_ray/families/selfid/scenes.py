"""The initial scene of an episode of selfid, which satisfies every constraint of the protocol.

A scene is drawn only from (scene seed, run), so that every model gets the same one. Each component
has its own random stream: conditions of one (scene seed, run) share wall, colours, start and cubes,
and differ in what they manipulate. The layout's figures are [our decision], where arXiv 2605.08816
gives none; distances are between centres unless stated otherwise."""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, radians, sin

import numpy as np

from mirror_ray.core.errors import SceneError
from mirror_ray.core.identity import Cell, EpisodeSpec, seeded
from mirror_ray.families.selfid.clutter import sample_clutter
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.hiding import hidden_shares
from mirror_ray.families.selfid.reach import reachable_places
from mirror_ray.families.selfid.settings import CubePlaces, settings_of
from mirror_ray.world.room.camera import reflector_in_view
from mirror_ray.world.room.collision import Disc, Floor
from mirror_ray.world.room.layout import (
    FRONT_OF_REFLECTOR_M,
    NEAR_M,
    START_WALL_GAP_M,
    drawn_cube,
    drawn_place,
    is_in_front,
    keeps_distances,
)
from mirror_ray.world.room.scene import (
    BODY_RADIUS_M,
    MAX_CUBES,
    MAX_OTHERS,
    PERFECT,
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

OTHER_SPACING_M = 0.7

_REMEMBERED = 1_024
_MAX_LAYOUTS = 2_000
_MAX_PLACINGS = 10_000


def sample_scene(spec: EpisodeSpec) -> Scene:
    """Return an episode's scene: the same for every model, temperature, variant and most axes.

    `others` paints the other humanoids; they are placed and walk the same under each value. The
    mirror's axes, `look`, `body_color` and `cube_places` change only what they name.

    Raises:
        SceneError: the constraints could not be met within the rejection bound.
    """
    condition, settings = CONDITIONS[spec.cell.condition], settings_of(spec)
    name = (spec.cell.family, spec.scene_seed, spec.run)
    ground = _ground(*name)
    cubes = _standing(ground, spec, settings.cube_places) if condition.cubes else ()
    clutter = _clutter(*name) if condition.clutter else ()
    others = (
        _painted(_others(spec.scene_rng("others"), ground.start, cubes + clutter), spec)
        if condition.others
        else ()
    )
    return Scene(
        reflector_wall=ground.wall,
        reflector=condition.reflector,
        ego=Body(
            _start(ground, settings.distance_m),
            ground.ego_color if settings.body_color == "drawn" else _third_color(spec),
        ),
        cubes=cubes,
        clutter=clutter,
        others=others,
        glass=settings.glass if condition.reflector == "mirror" else PERFECT,
        look=settings.look,
    )


def _start(ground: "_Ground", distance_m: float | None) -> Pose:
    if distance_m is None:
        return ground.start
    wall = ground.wall
    away_m, toward = ROOM_SIDE_M / 2 - distance_m, TURN_DEG * 3 * WALLS.index(wall)
    x_m, y_m = (away_m * round(f(radians(toward)), 9) + 0.0 for f in (cos, sin))
    return Pose(x_m, y_m, toward)


def sample_wrong_color(spec: EpisodeSpec) -> str | None:
    """Return the false colour of the prompt, that of one of the other two cubes; None without a
    lie."""
    return _lied(spec) if CONDITIONS[spec.cell.condition].lie else None


def _lied(spec: EpisodeSpec) -> str:
    cube_colors, ego_color = _colors(spec)
    wrong = [color for color in cube_colors if color != ego_color]
    return wrong[int(spec.scene_rng("lie").integers(len(wrong)))]


def _third_color(spec: EpisodeSpec) -> str:
    cube_colors, ego_color = _colors(spec)
    return next(color for color in cube_colors if color not in (ego_color, _lied(spec)))


def _standing(ground: "_Ground", spec: EpisodeSpec, places: CubePlaces) -> tuple[Box, ...]:
    if places == "drawn":
        return ground.cubes
    own, third = ground.ego_color, _third_color(spec)
    other = {own: third, third: own}
    return tuple(replace(cube, color=other.get(cube.color, cube.color)) for cube in ground.cubes)


def starts_facing_reflector(spec: EpisodeSpec) -> bool:
    """Return whether the first frame (640×480, 110°) may show the reflector, alternating over runs.

    A coin flip for each scene seed decides for the first run, so that any number of runs is divided
    as evenly as possible."""
    coin = int(seeded("scene", spec.cell.family, spec.scene_seed, "facing").integers(2))
    return (spec.run + coin) % 2 == 0


def _colors(spec: EpisodeSpec) -> tuple[tuple[str, ...], str]:
    rng = spec.scene_rng("colors")
    cubes = tuple(str(color) for color in rng.choice(COLOR_NAMES, size=MAX_CUBES, replace=False))
    return cubes, cubes[int(rng.integers(len(cubes)))]


@dataclass(frozen=True, slots=True)
class _Ground:
    wall: Wall
    ego_color: str
    start: Pose
    cubes: tuple[Box, ...]


@lru_cache(maxsize=_REMEMBERED)
def _ground(family: str, scene_seed: int, run: int) -> _Ground:
    spec = _anyone(family, scene_seed, run)
    wall = WALLS[int(spec.scene_rng("wall").integers(len(WALLS)))]
    cube_colors, ego_color = _colors(spec)
    place, cubes = _layout(spec.scene_rng("layout"), wall, cube_colors)
    return _Ground(wall, ego_color, Pose(*place, _heading(spec, place, wall)), cubes)


@lru_cache(maxsize=_REMEMBERED)
def _clutter(family: str, scene_seed: int, run: int) -> tuple[Box, ...]:
    spec, ground = _anyone(family, scene_seed, run), _ground(family, scene_seed, run)
    return sample_clutter(ground.start, ground.wall, spec.scene_rng("clutter"))


def _anyone(family: str, scene_seed: int, run: int) -> EpisodeSpec:
    return EpisodeSpec(Cell(family, "", (), None, ""), scene_seed, run)


def _layout(
    rng: np.random.Generator, wall: Wall, colors: tuple[str, ...]
) -> tuple[tuple[float, float], tuple[Box, ...]]:
    """Draw start and cubes so that every cube and a whole view of the reflection can be reached."""
    for _ in range(_MAX_LAYOUTS):
        place = drawn_place(rng, START_WALL_GAP_M)
        cubes = tuple(drawn_cube(rng, color) for color in colors)
        if (
            not is_in_front(place, wall, FRONT_OF_REFLECTOR_M)
            and keeps_distances(cubes, [place])
            and _is_playable(Pose(*place, 0.0), cubes, wall)
        ):
            return place, cubes
    raise SceneError(f"no layout of {len(colors)} cubes and a start within {_MAX_LAYOUTS} draws")


def _is_playable(start: Pose, cubes: tuple[Box, ...], wall: Wall) -> bool:
    places = reachable_places(start, cubes)
    near = all(
        np.hypot(places[:, 0] - cube.x_m, places[:, 1] - cube.y_m).min() <= NEAR_M for cube in cubes
    )
    return near and bool((hidden_shares(places, wall, cubes) == 0.0).any())


def _heading(spec: EpisodeSpec, place: tuple[float, float], wall: Wall) -> float:
    """Draw a heading, a multiple of 30°, that puts the reflector in or out of the first frame."""
    facing = starts_facing_reflector(spec)
    headings = [
        heading
        for heading in np.arange(0.0, 360.0, TURN_DEG).tolist()
        if facing
        == reflector_in_view(
            Pose(*place, heading), wall, width_px=640, height_px=480, fov_deg=110.0
        )
    ]
    if not headings:
        raise SceneError(f"no heading at {place} has the {wall} wall's reflector in view: {facing}")
    return float(headings[int(spec.scene_rng("heading").integers(len(headings)))])


def _others(rng: np.random.Generator, start: Pose, boxes: tuple[Box, ...]) -> tuple[Body, ...]:
    """Draw 1–6 agents in any of the ten colours, clear of boxes, walls and each other."""
    count = int(rng.integers(1, MAX_OTHERS + 1))
    colors = rng.choice(COLOR_NAMES, size=MAX_OTHERS)[:count]
    floor = Floor(boxes)
    reach = ROOM_SIDE_M / 2 - BODY_RADIUS_M
    taken = [Disc(start.x_m, start.y_m, OTHER_SPACING_M - BODY_RADIUS_M)]
    poses: list[Pose] = []
    for _ in range(_MAX_PLACINGS):
        if len(poses) == count:
            break
        x_m, y_m = rng.uniform(-reach, reach, size=2).round(3).tolist()
        yaw_deg = TURN_DEG * int(rng.integers(12))
        if floor.is_free(x_m, y_m, BODY_RADIUS_M, taken):
            poses.append(Pose(x_m, y_m, yaw_deg))
            taken.append(Disc(x_m, y_m, OTHER_SPACING_M - BODY_RADIUS_M))
    else:
        raise SceneError(f"no room for {count} others and {len(boxes)} boxes")
    return tuple(Body(pose, str(color)) for pose, color in zip(poses, colors, strict=True))


def _painted(others: tuple[Body, ...], spec: EpisodeSpec) -> tuple[Body, ...]:
    """Return the others in the colours of the axis; of the cubes' colours, the ego's comes first.

    [Our decision] The colours alternate through the ego's and the other two cubes' in random order:
    a single other body is a look-alike, and three have one cube's colour each."""
    palette = settings_of(spec).others
    if palette == "random":
        return others
    cube_colors, ego_color = _colors(spec)
    if palette == "same_color":
        return tuple(replace(body, color=ego_color) for body in others)
    rest = [color for color in cube_colors if color != ego_color]
    spec.scene_rng("look-alikes").shuffle(rest)
    colors = (ego_color, *rest)
    return tuple(
        replace(body, color=colors[index % len(colors)]) for index, body in enumerate(others)
    )
