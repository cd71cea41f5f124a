"""An agent that two pictures of one prompt convince, and one never does."""

from pathlib import Path

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.registry import FAMILIES
from support.agents_at_play import play_agents
from support.plans import plan_of, scripted, together

MOST_STEPS = 30


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], tuple[object, ...]]:
    """(agent, frames) → task success, and the own colour's statements."""
    out = tmp_path_factory.mktemp("frames") / "out"
    plans = [
        plan_of(
            out,
            [scripted("comparer"), scripted("observer")],
            conditions=("E1",),
            axes=(*((("frames", frames),) if frames > 1 else ()), ("max_steps", MOST_STEPS)),
        )
        for frames in (1, 4)
    ]
    play_agents(FAMILIES["selfid"], together(*plans).episodes, Path(out))
    with open_run(str(out)) as connection:
        rows = connection.execute(
            "select split_part(model, '/', -1), frames, tsa, caal, mcr, cr from episode.selfid "
            "inner join stage.selfid_episodes using (episode_id, model)"
        ).fetchall()
    return {(agent, frames): tuple(rest) for agent, frames, *rest in rows}


def test_one_picture_at_a_time_never_convinces_it(
    episodes: dict[tuple[str, int], tuple[object, ...]],
) -> None:
    """It saw itself, and never said so before its last step."""
    _, stated, consulted, _ = episodes["comparer", 1]
    assert (stated, consulted) == (0, 1)


def test_several_do(episodes: dict[tuple[str, int], tuple[object, ...]]) -> None:
    assert episodes["comparer", 4] == (1, 1, 1, 0)


def test_who_reads_the_last_picture_alone_does_as_well_with_one(
    episodes: dict[tuple[str, int], tuple[object, ...]],
) -> None:
    assert episodes["observer", 1] == episodes["observer", 4] == (1, 1, 1, 0)
