"""How many pictures a plan shows, and how many of them differ."""

from pathlib import Path

import pytest

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import View
from mirror_ray.records.usage import NO_USAGE
from mirror_ray.sweep.estimate import estimate
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.pictures import PictureCount, count_pictures
from mirror_ray.sweep.ranges import ZERO_RANGE, exactly
from mirror_ray.sweep.sampling import sample_scenes
from support.whole import mostly_thorough


def counted(folder: Path, stage: str) -> tuple[PictureCount, tuple[EpisodeSpec, ...]]:
    path = folder / "sweep.yaml"
    path.write_text(
        "name: pictures\nout: runs/pictures\n"
        "models: [scripted/rotator, scripted/egocentric, scripted/position-biased]\n"
        if "flipset" in stage
        else "name: pictures\nout: runs/pictures\nmodels: [scripted/blind, scripted/mute]\n"
    )
    with path.open("a") as file:
        file.write(f"stages:\n  - {stage}\n")
    plan = load_plan(str(path))
    samples = sample_scenes(plan.episodes)
    cells = estimate(plan, samples, NO_USAGE)
    return count_pictures(plan.episodes, cells, samples), plan.episodes


def first_views(episodes: tuple[EpisodeSpec, ...]) -> set[View]:
    return {
        view
        for spec in episodes
        for view in next(FAMILIES[spec.cell.family].play(spec, spec.rng())).views
    }


@pytest.mark.parametrize("conditions", mostly_thorough(2, ["[L2, ToM, MR]", "[L2, L1]"]))
def test_of_flipset_each_card_is_counted_once(tmp_path: Path, conditions: str) -> None:
    """Two orders of all 28 strings; MR shows L2's card, L1 another."""
    seeds = 24 if "L1" in conditions else 56
    stage = f"{{family: flipset, conditions: {conditions}, seeds: {seeds}, temperature: [0.0]}}"
    got, episodes = counted(tmp_path, stage)
    assert got.asked.expected == len(episodes)
    assert got.distinct == exactly(len(first_views(episodes)))


def test_of_walks_the_first_views_are_counted_and_the_rest_is_estimated(tmp_path: Path) -> None:
    stage = "{family: selfid, conditions: [E1, E3], seeds: 3, temperature: [0.2], max_steps: 4}"
    got, episodes = counted(tmp_path, stage)
    views = first_views(episodes)
    # E3 changes words alone.
    assert (len(episodes), len(views)) == (2 * 2 * 3, 3)
    assert len(views) < got.distinct.expected
    # All models share an episode's first view; whatever comes later is at most their own.
    assert got.distinct.expected <= len(views) + got.asked.expected - len(episodes)
    assert got.distinct.high <= got.asked.high


@pytest.mark.parametrize(
    ("asked", "cache_bytes", "share"),
    [(0.0, None, 1.0), (0.0, 0, 1.0), (100.0, None, 0.25), (100.0, 0, 1.0)],
)
def test_what_is_drawn_of_what_is_asked_for(
    asked: float, cache_bytes: int | None, share: float
) -> None:
    pictures = PictureCount(exactly(asked), exactly(25.0) if asked else ZERO_RANGE)
    assert pictures.drawn_share(cache_bytes) == share
