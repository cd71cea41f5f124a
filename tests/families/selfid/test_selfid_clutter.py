"""Where the ego can get to, what boxes hide from it there, and that the pixels agree."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import chisquare

from mirror_ray.core.errors import SceneError
from mirror_ray.core.identity import EpisodeSpec, seeded
from mirror_ray.families.selfid import clutter
from mirror_ray.families.selfid.clutter import sample_clutter
from mirror_ray.families.selfid.hiding import SILHOUETTE, hidden_shares
from mirror_ray.families.selfid.reach import reachable_places
from mirror_ray.families.selfid.scenes import sample_scene
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.collision import Floor
from mirror_ray.world.room.layout import depth_and_side_m
from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.scene import Box, Pose, Scene, Wall

SpecOf = Callable[..., EpisodeSpec]

FACING: dict[Wall, float] = {"east": 0.0, "north": 90.0, "west": 180.0, "south": 270.0}


@pytest.fixture(scope="module")
def cluttered(spec_of: SpecOf) -> list[Scene]:
    return [sample_scene(spec_of("E5", seed, run)) for seed in range(6) for run in range(5)]


def fence(x_m: float) -> tuple[Box, ...]:
    """Boxes from wall to wall."""
    return tuple(Box(x_m, y, 0.0, 0.4, 1.0, 1.0, "ash") for y in np.arange(-2.5, 3.0, 1.0))


def test_an_empty_room_can_be_walked_all_over() -> None:
    places = reachable_places(Pose(0.0, 0.0, 30.0), ())
    for corner in ((2.6, 2.6), (-2.6, 2.6), (2.6, -2.6), (-2.6, -2.6)):
        assert np.hypot(*(places - corner).T).min() < 0.25
    assert np.abs(places).max() <= 2.7


def test_a_fence_is_never_crossed() -> None:
    places = reachable_places(Pose(-1.0, 0.0, 0.0), fence(1.0))
    assert places[:, 0].max() <= 1.0 - 0.2 - 0.3
    assert places[:, 0].max() > 0.2


def test_every_place_is_reached_by_moves_a_room_allows(cluttered: list[Scene]) -> None:
    for scene in cluttered[:2]:
        floor = Floor(scene.clutter)
        places = reachable_places(scene.ego.pose, scene.clutter)
        reached, frontier = {0}, [0]
        while frontier:
            here = places[frontier.pop()]
            step = places - here
            length, angle = np.hypot(*step.T), np.degrees(np.arctan2(step[:, 1], step[:, 0]))
            off = np.abs((angle + 15.0) % 30.0 - 15.0)
            for index in np.flatnonzero((np.abs(length - 0.5) < 1e-6) & (off < 1e-6)):
                if index not in reached and floor.is_path_free(
                    tuple(here), tuple(places[index]), 0.3
                ):
                    reached.add(int(index))
                    frontier.append(int(index))
        assert len(reached) == len(places)


@pytest.mark.parametrize("wall", list(FACING))
def test_hidden_share_by_hand(wall: Wall) -> None:
    """The ego stands 2 m before the mirror, a thin screen as wide as the room 1 m before it.

    The eye is at depth 1.88 m and height 1.45 m, the image at depth −2 m. The line to an image
    point of height z passes the screen's own image at 2.88/3.88 of its way, so a screen of 1 m
    hides z < 1.45 − 0.45·3.88/2.88 = 0.84 m: all legs, no trunk. Before the mirror the line is
    higher still.
    """
    yaw = np.radians(FACING[wall])
    turn = np.array([[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]])

    def screen(height_m: float, depth_m: float = 1.0) -> Box:
        x, y = turn @ (3.0 - depth_m, 0.0)
        return Box(x, y, FACING[wall], 0.001, 6.0, height_m, "ash")

    place = (turn @ (1.0, 0.0))[None]
    legs = SILHOUETTE[SILHOUETTE[:, 1] < 0.84, 2].sum() / SILHOUETTE[:, 2].sum()
    assert hidden_shares(place, wall, ()) == 0.0
    assert hidden_shares(place, wall, [screen(2.5)]) == 1.0
    assert hidden_shares(place, wall, [screen(2.5, depth_m=2.5)]) == 0.0
    assert hidden_shares(place, wall, [screen(1.0)]) == pytest.approx(legs)
    beside = (turn @ (1.0, 1.4))[None]
    assert np.isnan(hidden_shares(beside, wall, ()))


@pytest.mark.parametrize(
    ("wall", "expected"),
    [("east", (2.0, 0.5)), ("north", (3.5, 1.0)), ("west", (4.0, -0.5)), ("south", (2.5, -1.0))],
)
def test_depth_and_side_by_hand(wall: Wall, expected: tuple[float, float]) -> None:
    """Seen from inside, sideways grows to the right."""
    assert depth_and_side_m((1.0, -0.5), wall) == expected


def test_boxes_keep_their_sizes_and_places(cluttered: list[Scene]) -> None:
    for scene in cluttered:
        boxes, start = scene.clutter, scene.ego.pose
        assert 6 <= len(boxes) <= 12
        for box in boxes:
            assert all(0.3 <= edge <= 1.2 for edge in (box.width_m, box.depth_m, box.height_m))
        before = 0
        for box in boxes:
            depth_m, side_m = depth_and_side_m((box.x_m, box.y_m), scene.reflector_wall)
            before += 0.5 - 1e-9 <= depth_m <= 1.5 + 1e-9 and abs(side_m) <= 1.0 + 1e-9
        assert 2 * before >= len(boxes)
        assert Floor(boxes).is_free(start.x_m, start.y_m, 0.3)
        for body in scene.others:
            assert Floor(boxes).is_free(body.pose.x_m, body.pose.y_m, 0.3)


def test_boxes_stand_apart_and_within_the_room(cluttered: list[Scene]) -> None:
    for scene in cluttered[:10]:
        for box in scene.clutter:
            spots = np.random.default_rng(0).uniform(-0.5, 0.5, (50, 2))
            yaw = np.radians(box.yaw_deg)
            turn = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
            inside = spots * (box.width_m, box.depth_m) @ turn + (box.x_m, box.y_m)
            assert np.abs(inside).max() <= 3.0
            others = Floor(tuple(other for other in scene.clutter if other != box))
            assert all(others.is_free(x, y, 0.0) for x, y in inside)
        assert len(set(scene.clutter)) == len(scene.clutter)


def test_no_number_of_boxes_is_favoured_by_rejection(cluttered: list[Scene]) -> None:
    counts = np.bincount([len(scene.clutter) for scene in cluttered], minlength=13)[6:]
    assert chisquare(counts).pvalue > 0.001


def test_the_pixels_hide_as_much_as_the_geometry_says(
    cluttered: list[Scene], renderer: Renderer
) -> None:
    for index, scene in enumerate(cluttered[::6]):
        wall = scene.reflector_wall
        places = reachable_places(scene.ego.pose, scene.clutter)
        shares = hidden_shares(places, wall, scene.clutter)
        picked = seeded("poses", index).choice(np.flatnonzero(~np.isnan(shares)), 10, replace=False)
        hidden = []
        for place in places[picked].tolist():
            ego = replace(scene.ego, pose=Pose(*place, FACING[wall]))
            alone = replace(scene, ego=ego, others=())
            seen, whole = (
                renderer.draw(Room(shown, seeded("phase")).eye()).facts["ego_reflection_px"]
                for shown in (alone, replace(alone, clutter=()))
            )
            hidden.append(1.0 - seen / whole)
        assert 0.2 <= np.mean(hidden) <= 0.7
        assert np.mean(hidden) == pytest.approx(shares[picked].mean(), abs=0.06)
        assert np.abs(np.array(hidden) - shares[picked]).max() < 0.25


def test_the_mirror_is_out_of_the_first_frame_when_it_should_be(
    cluttered: list[Scene], spec_of: SpecOf, renderer: Renderer
) -> None:
    shown = [
        renderer.draw(Room(sample_scene(spec_of("E1", 0, run)), seeded("phase")).eye())
        for run in range(6)
    ]
    assert [frame.facts["mirror_px"] > 0 for frame in shown] in (
        [True, False] * 3,
        [False, True] * 3,
    )


def test_an_exhausted_bound_is_a_scene_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clutter, "_MAX_ROOMS", 2)
    outside = Pose(9.0, 9.0, 0.0)
    with pytest.raises(SceneError, match="east wall"):
        sample_clutter(outside, "east", seeded("clutter"))


def test_footprints_meet_or_not_by_hand() -> None:
    square = Box(0.0, 0.0, 0.0, 1.0, 1.0, 1.0, "ash")
    # A square on its corner reaches 0.707 m sideways: they meet below 1.207 m, not above.
    near, far = (Box(x, 0.0, 45.0, 1.0, 1.0, 1.0, "ash") for x in (1.2, 1.21))
    assert not clutter._stands_free(square, [near])
    assert clutter._stands_free(square, [far])
    assert not clutter._stands_free(Box(2.6, 0.0, 0.0, 1.0, 1.0, 1.0, "ash"), [])
    assert all(not clutter._stands_free(a, [b]) for a, b in combinations([square, square], 2))
