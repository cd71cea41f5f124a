"""A twin differs from its scene in one thing."""

from dataclasses import replace

import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.families.selfid.scenes import sample_scene, sample_wrong_color


def spec(condition: str, seed: int, **axes: str) -> EpisodeSpec:
    cell = Cell("selfid", condition, (("subject", "m"),), None, "paper", (*axes.items(),))
    return EpisodeSpec(cell, seed, 0)


@pytest.mark.parametrize("condition", ["E1", "E3", "E4", "E5", "glance"])
@pytest.mark.parametrize("seed", range(5))
def test_another_body_changes_its_colour_alone(condition: str, seed: int) -> None:
    drawn, twin = spec(condition, seed), spec(condition, seed, body_color="third")
    before, after = sample_scene(drawn), sample_scene(twin)
    assert after.ego.color != before.ego.color
    assert replace(after, ego=before.ego) == before
    assert sample_wrong_color(twin) == sample_wrong_color(drawn)
    assert sample_wrong_color(twin) != after.ego.color
    if after.cubes:
        assert after.ego.color in {cube.color for cube in after.cubes}


@pytest.mark.parametrize("seed", range(5))
def test_two_cubes_change_places(seed: int) -> None:
    before, after = (
        sample_scene(spec("E1", seed, **axes)) for axes in ({}, {"cube_places": "swapped"})
    )
    assert after.ego == before.ego
    moved = [
        (one.color, other.color)
        for one, other in zip(before.cubes, after.cubes, strict=True)
        if one != other
    ]
    assert len(moved) == 2
    assert moved[0] == moved[1][::-1]
    assert before.ego.color in moved[0]
    assert [replace(one, color="") for one in before.cubes] == [
        replace(one, color="") for one in after.cubes
    ]


def test_without_cubes_none_can_be_swapped() -> None:
    assert not {"E5", "glance", "E1-lied"} & set(FAMILY.only_in["cube_places"])
