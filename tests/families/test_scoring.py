"""What `until` decides by: a unit of a plan is a `cluster` of the views, a score one of theirs."""

from itertools import product

import pytest

from mirror_ray.analysis.episode_scores import episode_scores
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from support.agents_at_play import play_agents
from support.whole import mostly_thorough

PLAYED = {
    "selfid": ("E1", "scripted/mute", (("max_steps", 2),), (0, 1)),
    # Scenes 0 and 28 show one string in two layouts.
    "flipset": ("L2", "scripted/position-biased", (), (0, 1, 28)),
    "marktest": ("marked", "scripted/parrot", (("max_steps", 2),), (0, 1)),
    "contingency": ("twin", "scripted/place-guesser", (), (0, 1)),
    "dyad": ("still", "scripted/roamer", (("image", "320x240"), ("max_steps", 2)), (0, 1)),
    "mirrorqa": ("sim", "scripted/coin", (), (0, 1)),
}


@pytest.mark.parametrize(
    "family", mostly_thorough(2, [name for name, one in FAMILIES.items() if one.scoring])
)
def test_units_and_scores_are_those_of_the_views(family, tmp_path):
    condition, model, axes, seeds = PLAYED[family]
    variant = next(iter(FAMILIES[family].variants))
    cell = Cell(family, condition, (("subject", model),), None, variant, axes)
    specs = [EpisodeSpec(cell, seed, run) for seed, run in product(seeds, (0, 1))]
    play_agents(FAMILIES[family], specs, tmp_path)
    scoring = FAMILIES[family].scoring
    with open_run(str(tmp_path)) as connection:
        rows = connection.execute(
            f"select episode_id, cluster, {scoring.metric} from episode.{family}"  # noqa: S608 - our names
        ).fetchall()
    cluster_of = {episode_id: cluster for episode_id, cluster, _ in rows}
    for one, other in product(specs, repeat=2):
        together = cluster_of[one.episode_id] == cluster_of[other.episode_id]
        assert (scoring.unit(one) == scoring.unit(other)) == together, (one, other)
    assert episode_scores(str(tmp_path), {family: scoring.metric}) == {
        episode_id: score for episode_id, _, score in rows if score is not None
    }
