"""What each of marktest's reference agents is, the tables must say: from pixels to metrics."""

from collections.abc import Iterator
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.marktest.family import FAMILY
from support.agents_at_play import play_agents

pytestmark = pytest.mark.thorough("families/marktest/test_marktest_metrics.py")

AGENT_NAMES = ("mark-observer", "mirror-toucher", "other-toucher", "parrot", "mark-blind", "oracle")
SCENES = 3
AXES = (("image", "320x240"),)
WITHOUT_OWN_MARK = ("sham", "other", "glass")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A query's rows over a run of all agents."""
    out = tmp_path_factory.mktemp("signatures")
    play_agents(FAMILY, _episodes(), out)
    with open_run(str(out), hold=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


def _episodes() -> Iterator[EpisodeSpec]:
    for condition in FAMILY.conditions:
        for agent in AGENT_NAMES:
            seats = (("subject", f"scripted/{agent}"),)
            cell = Cell("marktest", condition, seats, 0.0, "plain", AXES)
            yield from (EpisodeSpec(cell, seed, 0) for seed in range(SCENES))


@pytest.fixture(scope="module")
def shares(tables: Any) -> dict[tuple[str, str, str], float]:
    """(condition, agent, metric) → estimate."""
    rows = tables("select condition, model, metric, estimate from metric.marktest")
    return {(row[0], row[1].removeprefix("scripted/"), row[2]): row[3] for row in rows}


def test_every_episode_is_sound(tables: Any) -> None:
    assert tables("from metric.marktest_violations") == []
    ((played,),) = tables("select count(*) from episode.marktest where not failed")
    assert played == len(FAMILY.conditions) * len(AGENT_NAMES) * SCENES


def test_who_takes_the_image_for_itself_passes_but_for_want_of_a_mirror(shares: Any) -> None:
    for condition in FAMILY.conditions:
        assert shares[condition, "mark-observer", "passed"] == (condition != "no-mirror")
        assert shares[condition, "mark-observer", "false_mark"] == 0
        assert shares[condition, "mark-observer", "social"] == 0
        # What knows everything needs no mirror.
        assert shares[condition, "oracle", "passed"] == 1
    assert shares["marked", "mark-observer", "says_self"] == 1
    assert shares["no-mirror", "oracle", "on_mark"] == 1


@pytest.mark.parametrize(("agent", "is_social"), [("mirror-toucher", 0), ("other-toucher", 1)])
def test_who_reaches_for_the_image_touches_glass(shares: Any, agent: str, is_social: int) -> None:
    assert shares["marked", agent, "on_image"] == shares["marked", agent, "on_surface"] == 1
    assert shares["marked", agent, "passed"] == shares["marked", agent, "on_mark"] == 0
    assert shares["marked", agent, "false_none"] == 1
    # A mark that is where it is seen, it touches: on the glass, on somebody else.
    assert shares["glass", agent, "on_mark"] == shares["other", agent, "on_other"] == 1
    assert shares["glass", agent, "passed"] == shares["other", agent, "passed"] == 0
    assert shares["sham", agent, "passed"] == 1
    assert shares["marked", agent, "social"] == shares["sham", agent, "social"] == is_social


def test_who_repeats_the_prompt_claims_and_touches_what_is_not_there(shares: Any) -> None:
    assert shares["sham", "parrot", "on_place"] == 1
    assert all(shares[name, "parrot", "passed"] == 0 for name in WITHOUT_OWN_MARK)
    assert all(shares[name, "parrot", "false_mark"] == 1 for name in (*WITHOUT_OWN_MARK, "sham"))
    # In the mirror the mark is seen before it is claimed, wherever it is said to be.
    assert shares["no-mirror", "parrot", "false_mark"] == 1
    assert shares["marked", "parrot", "false_mark"] == 0


def test_who_does_not_look_is_as_good_without_a_mirror(shares: Any) -> None:
    for metric in ("passed", "on_mark"):
        seen, unseen = (shares[name, "mark-blind", metric] for name in ("marked", "no-mirror"))
        assert seen <= 0.4
        assert unseen <= 0.4
    assert all(shares[name, "mark-blind", "false_mark"] == 0 for name in FAMILY.conditions)
