"""Every scene keeps every constraint, and what should be chance is."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import hypot

import numpy as np
import pytest
from scipy.stats import chisquare

from mirror_ray.core.errors import SceneError
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.families.selfid import scenes
from mirror_ray.families.selfid.hiding import hidden_shares
from mirror_ray.families.selfid.reach import reachable_places
from mirror_ray.families.selfid.scenes import (
    sample_scene,
    sample_wrong_color,
    starts_facing_reflector,
)
from mirror_ray.world.room.camera import reflector_in_view
from mirror_ray.world.room.collision import Disc, Floor
from mirror_ray.world.room.layout import depth_and_side_m
from mirror_ray.world.room.scene import WALLS, Box, Scene
from sim_assets.colors import COLOR_NAMES

SpecOf = Callable[..., EpisodeSpec]

PAPER_RUNS = [(seed, run) for seed in range(3) for run in range(7)]


def gap_m(one: Box, other: Box) -> float:
    return hypot(one.x_m - other.x_m, one.y_m - other.y_m)


def corners(box: Box) -> np.ndarray:
    yaw = np.radians(box.yaw_deg)
    edges = np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
    half = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) * (box.width_m / 2, box.depth_m / 2)
    return half @ edges + (box.x_m, box.y_m)


def p_uniform(drawn: Iterable[object], options: Sequence[object]) -> float:
    counts = Counter(drawn)
    assert set(counts) <= set(options)
    return float(chisquare([counts[option] for option in options]).pvalue)


@pytest.fixture(scope="module")
def many(spec_of: SpecOf) -> list[Scene]:
    """300 scenes with cubes and others."""
    return [sample_scene(spec_of("E4", seed, run)) for seed in range(100) for run in range(3)]


def test_cubes_keep_their_distances(many: list[Scene]) -> None:
    for scene in many:
        start = scene.ego.pose
        assert len(scene.cubes) == len({cube.color for cube in scene.cubes}) == 3
        for cube in scene.cubes:
            assert (cube.width_m, cube.depth_m, cube.height_m) == (0.3, 0.3, 0.3)
            assert np.abs(corners(cube)).max() <= 3.0 - 0.8
            assert hypot(cube.x_m - start.x_m, cube.y_m - start.y_m) >= 1.0
        assert all(gap_m(one, other) >= 1.2 for one, other in combinations(scene.cubes, 2))


def test_the_start_is_free_and_heads_a_multiple_of_30_degrees(many: list[Scene]) -> None:
    for scene in many:
        pose = scene.ego.pose
        assert pose.yaw_deg % 30.0 == 0.0
        assert 0.0 <= pose.yaw_deg < 360.0
        assert Floor(scene.cubes).is_free(pose.x_m, pose.y_m, 0.3)
        depth_m, side_m = depth_and_side_m((pose.x_m, pose.y_m), scene.reflector_wall)
        assert depth_m >= 1.9 or abs(side_m) >= 1.4


def test_others_stand_free_and_keep_off_the_ego(many: list[Scene]) -> None:
    for scene in many:
        ego = scene.ego.pose
        poses = [other.pose for other in scene.others]
        assert 1 <= len(poses) <= 6
        for index, pose in enumerate(poses):
            rest = [Disc(p.x_m, p.y_m, 0.3) for p in poses[:index]]
            assert hypot(pose.x_m - ego.x_m, pose.y_m - ego.y_m) >= 0.7
            assert Floor(scene.cubes).is_free(pose.x_m, pose.y_m, 0.3, rest)


def test_every_cube_and_a_whole_view_of_oneself_can_be_reached(many: list[Scene]) -> None:
    for scene in many[:40]:
        places = reachable_places(scene.ego.pose, scene.cubes)
        for cube in scene.cubes:
            assert np.hypot(*(places - (cube.x_m, cube.y_m)).T).min() <= 1.0
        assert np.nanmin(hidden_shares(places, scene.reflector_wall, scene.cubes)) == 0.0


def test_chance_is_uniform(many: list[Scene]) -> None:
    colors = [body.color for scene in many for body in scene.others]
    same = [body.color == scene.ego.color for scene in many for body in scene.others]
    p_values = {
        "which cube the ego matches": p_uniform(
            ([cube.color for cube in scene.cubes].index(scene.ego.color) for scene in many),
            range(3),
        ),
        "ego colour": p_uniform((scene.ego.color for scene in many), COLOR_NAMES),
        "cube colours": p_uniform(
            (cube.color for scene in many for cube in scene.cubes), COLOR_NAMES
        ),
        "wall": p_uniform((scene.reflector_wall for scene in many), WALLS),
        "number of others": p_uniform((len(scene.others) for scene in many), range(1, 7)),
        "others' colours": p_uniform(colors, COLOR_NAMES),
        "others like the ego": chisquare(
            [sum(same), len(same) - sum(same)], [len(same) / 10, len(same) * 0.9]
        ).pvalue,
        "heading": p_uniform((scene.ego.pose.yaw_deg for scene in many), range(0, 360, 30)),
    }
    assert {name: p for name, p in p_values.items() if p < 0.001} == {}


def test_the_lie_is_one_of_the_two_other_cubes_colors(spec_of: SpecOf, many: list[Scene]) -> None:
    told = []
    for index, scene in enumerate(many):
        wrong = [cube.color for cube in scene.cubes if cube.color != scene.ego.color]
        lie = sample_wrong_color(spec_of("E3", *divmod(index, 3)))
        assert lie in wrong
        told.append(wrong.index(lie))
    assert p_uniform(told, range(2)) > 0.001
    assert all(
        sample_wrong_color(spec_of(condition)) is None for condition in ("E1", "E2", "E4", "E5")
    )


def test_half_of_the_runs_begin_with_the_reflector_out_of_the_frame(spec_of: SpecOf) -> None:
    firsts = []
    for seed in range(12):
        facing = [starts_facing_reflector(spec_of("E1", seed, run)) for run in range(8)]
        assert sum(facing) == 4
        firsts.append(facing[0])
    assert set(firsts) == {True, False}
    for seed, run in PAPER_RUNS:
        spec = spec_of("E2", seed, run)
        scene = sample_scene(spec)
        in_view = reflector_in_view(
            scene.ego.pose, scene.reflector_wall, width_px=640, height_px=480, fov_deg=110.0
        )
        assert in_view == starts_facing_reflector(spec)


def test_conditions_of_one_run_are_twins(spec_of: SpecOf) -> None:
    for seed, run in PAPER_RUNS[::3]:
        e1, e2, e3, e4, e5 = (sample_scene(spec_of(f"E{n}", seed, run)) for n in range(1, 6))
        assert e3 == e1
        assert (e1.reflector, e2.reflector) == ("mirror", "panel")
        for twin in (e2, e4):
            assert (twin.reflector_wall, twin.ego, twin.cubes) == (
                e1.reflector_wall,
                e1.ego,
                e1.cubes,
            )
        assert (e5.reflector_wall, e5.ego) == (e1.reflector_wall, e1.ego)
        assert (e1.others, e2.others, e1.clutter, e4.clutter, e5.cubes) == ((),) * 5
        assert [body.color for body in e4.others] == [body.color for body in e5.others]


def test_every_model_meets_the_same_scene(spec_of: SpecOf) -> None:
    for condition in ("E4", "E5"):
        first = sample_scene(spec_of(condition, 1, 2))
        for other in (
            spec_of(condition, 1, 2, model="openai/gpt-5.1", temperature=0.7),
            spec_of(condition, 1, 2, variant="clarified", fov_deg=90.0, history=5),
        ):
            # Drawn anew, not remembered.
            scenes._ground.cache_clear()
            scenes._clutter.cache_clear()
            assert sample_scene(other) == first
        assert sample_scene(spec_of(condition, 2, 1)) != first
        assert sample_scene(spec_of(condition, 1, 3)) != first


@pytest.mark.parametrize("bound", ["_MAX_LAYOUTS", "_MAX_PLACINGS"])
def test_an_exhausted_bound_is_a_scene_error(
    spec_of: SpecOf, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(scenes, bound, 0)
    scenes._ground.cache_clear()
    with pytest.raises(SceneError):
        sample_scene(spec_of("E4"))


@pytest.mark.parametrize("condition", ["E4", "E5"])
def test_the_others_are_painted_and_else_the_same(
    condition: str, spec_of: Callable[..., EpisodeSpec]
) -> None:
    """Of seed 8, run 0, read off its picture (docs/others.png)."""
    scenes = {
        others: sample_scene(spec_of(condition, 8, 0, **({"others": others} if others else {})))
        for others in ("", "same_color", "cube_colors")
    }
    colors = {name: [body.color for body in scene.others] for name, scene in scenes.items()}
    assert colors == {
        "": ["green", "purple", "white"],
        "same_color": ["green"] * 3,
        "cube_colors": ["green", "yellow", "red"],
    }
    as_random = [
        replace(
            scene,
            others=tuple(
                replace(body, color=color)
                for body, color in zip(scene.others, colors[""], strict=True)
            ),
        )
        for scene in scenes.values()
    ]
    assert as_random == [scenes[""]] * 3


def test_with_the_cubes_colors_the_first_other_is_a_look_alike(
    spec_of: Callable[..., EpisodeSpec],
) -> None:
    for run in range(6):
        scene = sample_scene(spec_of("E4", 1, run, others="cube_colors"))
        cubes = {cube.color for cube in scene.cubes}
        colors = [other.color for other in scene.others]
        assert colors[0] == scene.ego.color
        assert set(colors) <= cubes
        assert len(set(colors)) == min(len(colors), 3)
