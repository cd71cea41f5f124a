"""What the scripted agents read from real frames, against the frames' ground truth."""

from collections import Counter
from math import atan2, degrees, dist

import numpy as np
import pytest

from mirror_ray.agents.sight import Sight, decode
from mirror_ray.agents.walking.looking import bodies, cubes
from mirror_ray.agents.walking.own_image import (
    EMPTY,
    WALL_DIRECTIONS,
    look_for_oneself,
    viewpoint_of,
)
from mirror_ray.agents.walking.perspective import Eye
from mirror_ray.core.types import Encoding
from mirror_ray.families.selfid.scenes import sample_scene
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.motion import ACTIONS, Room
from mirror_ray.world.room.scene import Body, Pose, Scene
from sim_assets.colors import COLOR_NAMES
from support.agents.scripted_episodes import episode

pytestmark = pytest.mark.thorough("contract/test_selfid_signatures.py measures what agents see")


def see(
    renderer: Renderer, scene: Scene, encoding: Encoding = "png"
) -> tuple[Sight, Eye, dict[str, object]]:
    room = Room(scene, np.random.default_rng(3))
    return look(renderer, room, encoding)


def look(
    renderer: Renderer, room: Room, encoding: Encoding = "png"
) -> tuple[Sight, Eye, dict[str, object]]:
    frame = renderer.draw(room.eye(encoding=encoding))
    sight = decode(encode(frame.rgb, encoding).data)
    eye = Eye(room.ego.x_m, room.ego.y_m, room.ego.yaw_deg, sight.width_px, sight.height_px)
    return sight, eye, dict(frame.facts)


def facing(wall: str, off_m: float, aside_m: float = 0.0, turned_deg: float = 0.0) -> Pose:
    """A pose `off_m` before a wall, looking at it."""
    x, y = WALL_DIRECTIONS[wall]
    away_m = 3.0 - off_m
    yaw_deg = degrees(atan2(y, x)) + turned_deg
    return Pose(away_m * x - aside_m * y, away_m * y + aside_m * x, yaw_deg % 360)


@pytest.mark.parametrize("encoding", ["png", "jpeg"])
@pytest.mark.parametrize("color", COLOR_NAMES)
def test_reads_its_own_color_in_every_mirror(
    renderer: Renderer, color: str, encoding: Encoding
) -> None:
    for wall, off_m, aside_m, turned_deg in (
        ("east", 1.0, 0.0, 0.0),
        ("north", 1.8, 0.5, 30.0),
        ("west", 3.0, -0.5, -30.0),
        ("south", 2.4, 0.7, 0.0),
    ):
        pose = facing(wall, off_m, aside_m, turned_deg)
        scene = Scene(wall, "mirror", Body(pose, color))  # type: ignore[arg-type]
        sight, eye, facts = see(renderer, scene, encoding)
        assert facts["ego_reflection_px"] > 0
        assert look_for_oneself(sight, eye, wall) == color, (wall, off_m)


def test_a_wall_without_mirror_is_bare(renderer: Renderer) -> None:
    for wall in WALL_DIRECTIONS:
        for reflector_wall, kind in ((wall, "panel"), ("east", "mirror"), ("north", "mirror")):
            if kind == "mirror" and reflector_wall == wall:
                continue
            pose = facing(wall, 2.0, 0.3, 30.0)
            scene = Scene(reflector_wall, kind, Body(pose, "white"))  # type: ignore[arg-type]
            sight, eye, _ = see(renderer, scene)
            assert look_for_oneself(sight, eye, wall) == EMPTY


def test_says_nothing_about_a_wall_behind_it_or_beside_its_mirror(renderer: Renderer) -> None:
    pose = facing("east", 1.5, 1.4)
    sight, eye, _ = see(renderer, Scene("east", "mirror", Body(pose, "red")))
    assert viewpoint_of("east", (pose.x_m, pose.y_m)).aside_m == pytest.approx(1.4)
    assert [look_for_oneself(sight, eye, wall) for wall in WALL_DIRECTIONS] == [None] * 4


@pytest.mark.parametrize("distance_m", [0.8, 1.2, 1.8])
def test_someone_in_between_is_not_oneself(renderer: Renderer, distance_m: float) -> None:
    """A body on the very line to the own image hides it, and is taken for what it is."""
    pose = facing("north", 2.5)
    between = Body(Pose(pose.x_m, pose.y_m + distance_m, 270.0), "green")
    scene = Scene("north", "mirror", Body(pose, "orange"), others=(between,))
    sight, eye, _ = see(renderer, scene)
    assert look_for_oneself(sight, eye, "north") != "green"
    assert [
        thing.color
        for thing in bodies(sight.blobs(), eye)
        if dist(thing.place, (between.pose.x_m, between.pose.y_m)) < 0.5
    ] == (["green"] if distance_m > 1.3 else [])  # its feet are below the picture


@pytest.mark.parametrize("condition", ["E4", "E5"])
def test_is_hardly_ever_wrong_among_other_bodies(renderer: Renderer, condition: str) -> None:
    """Random walks through real scenes: every claim about a wall is compared with the truth."""
    verdicts: Counter[str] = Counter()
    chance = np.random.default_rng(11)
    for run in range(21):
        scene = sample_scene(episode(condition, "observer", 40, run))
        room = Room(scene, np.random.default_rng(run))
        for _ in range(8):
            sight, eye, facts = look(renderer, room)
            for wall in WALL_DIRECTIONS:
                shown = look_for_oneself(sight, eye, wall)
                is_mirror = wall == scene.reflector_wall
                if shown is None:
                    verdicts["unsure"] += is_mirror and int(str(facts["ego_reflection_px"])) > 400
                elif shown == EMPTY:
                    verdicts["wrong" if is_mirror else "right"] += 1
                else:
                    right = is_mirror and shown == scene.ego.color
                    verdicts["seen" if right else "wrong"] += 1
            room.act(ACTIONS[int(chance.integers(3))])
    assert verdicts["seen"] >= 16
    assert verdicts["wrong"] <= 0.02 * (verdicts["seen"] + verdicts["right"])
    assert verdicts["unsure"] <= verdicts["seen"]


def test_finds_cubes_where_they_stand(renderer: Renderer) -> None:
    found, missed, astray = 0, 0, 0
    for run in range(14):
        scene = sample_scene(episode("E1", "observer", 41, run))
        room = Room(scene, np.random.default_rng(run))
        for _ in range(6):
            sight, eye, facts = look(renderer, room)
            seen = cubes(sight.blobs(), eye)
            for cube, pixels in zip(scene.cubes, facts["cube_px"], strict=True):  # type: ignore[call-overload]
                places = [thing.place for thing in seen if thing.color == cube.color]
                near = [place for place in places if dist(place, (cube.x_m, cube.y_m)) < 0.25]
                found += bool(near)
                missed += not near and pixels > 200
                astray += len(places) - len(near)
            room.act("a")
            room.act("a")
    assert found >= 60
    assert missed <= 0.2 * found
    assert astray <= 0.03 * found


def test_tells_patches_apart() -> None:
    red, blue = (219, 20, 20), (26, 56, 219)
    rgb = np.full((40, 60, 3), 100, np.uint8)
    rgb[4:12, 10:20] = red
    rgb[12:30, 10:14] = red  # an L: one patch
    rgb[12:20, 20:30] = red  # touches the L at a corner only: its own patch
    rgb[4:12, 20:24] = blue  # touches red along an edge: another colour, another patch
    patches = {
        (COLOR_NAMES[blob.label], blob.left, blob.top, blob.right, blob.bottom, blob.area)
        for blob in Sight(rgb).blobs()
    }
    assert patches == {
        ("red", 10, 4, 20, 30, 5 * 4 + 2 * 9),
        ("red", 20, 12, 30, 20, 5 * 4),
        ("blue", 20, 4, 24, 12, 2 * 4),
    }
