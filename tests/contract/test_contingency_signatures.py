"""What each of contingency's reference agents is, the tables must say: from pixels to metrics."""

from collections.abc import Iterator
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.contingency.conditions import CONDITIONS
from mirror_ray.families.contingency.family import FAMILY
from support.agents_at_play import play_agents

pytestmark = pytest.mark.thorough("families/contingency/test_contingency_metrics.py")

AGENT_NAMES = ("contingency-tester", "shirt-matcher", "place-guesser", "oracle")
SCENES = 3
"""The own image is at every place once."""
AXES = (("frames", 4), ("image", "720x300"))
ALL_ALIKE = ("twin", "frozen", "all-but-one", "late", "absent")


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
            models = (("subject", f"scripted/{agent}"),)
            cell = Cell("contingency", condition, models, 0.0, "plain", AXES)
            yield from (EpisodeSpec(cell, seed, 0) for seed in range(SCENES))


@pytest.fixture(scope="module")
def shares(tables: Any) -> dict[tuple[str, str, str], float | None]:
    """(condition, agent, metric) → estimate."""
    rows = tables("select condition, model, metric, estimate from metric.contingency")
    return {(row[0], row[1].removeprefix("scripted/"), row[2]): row[3] for row in rows}


def test_every_episode_ends_with_an_answer(tables: Any) -> None:
    ((played,),) = tables("select count(*) from episode.contingency where terminated")
    assert played == len(CONDITIONS) * len(AGENT_NAMES) * SCENES


@pytest.mark.parametrize("condition", CONDITIONS)
def test_who_moves_and_watches_knows_itself_whatever_it_looks_like(
    shares: Any, condition: str
) -> None:
    for agent in ("contingency-tester", "oracle"):
        assert shares[condition, agent, "correct"] == 1, agent
    assert shares[condition, "contingency-tester", "tested"] == 1
    assert shares[condition, "oracle", "tested"] == 0
    if CONDITIONS[condition].has_own:
        assert shares[condition, "contingency-tester", "too_early"] == 0
        # What knows everything needs to see nothing.
        assert shares[condition, "oracle", "too_early"] == 1


def test_who_goes_by_the_shirt_is_right_where_it_tells_and_wrong_where_it_lies(shares: Any) -> None:
    assert shares["match", "shirt-matcher", "correct"] == 1
    assert shares["conflict", "shirt-matcher", "correct"] == 0
    assert shares["conflict", "shirt-matcher", "on_own_shirt"] == 1
    assert shares["conflict", "shirt-matcher", "on_late"] == 1
    assert shares["match", "shirt-matcher", "on_own_shirt"] is None, "nobody else wears it"
    # Where all wear it, it takes the first: a place, and nothing else.
    for condition in ALL_ALIKE:
        assert shares[condition, "shirt-matcher", "said_left"] == 1
    assert shares["absent", "shirt-matcher", "correct"] == 0


def test_who_guesses_finds_what_is_there_by_luck_alone(tables: Any, shares: Any) -> None:
    rows = tables(
        "select condition, count(*) filter (where answer in ('left', 'middle', 'right'))"
        " from episode.contingency where model = 'scripted/place-guesser' group by all"
    )
    assert {count for _, count in rows} == {SCENES}
    assert shares["absent", "place-guesser", "correct"] == 0
    assert all(shares[name, "place-guesser", "too_early"] == 1 for name in ("twin", "conflict"))
    chance = tables("select distinct chance from metric.contingency where metric = 'correct'")
    assert chance == [(0.25,)]
