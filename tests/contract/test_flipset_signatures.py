"""What each of FlipSet's reference agents is, the tables must say: from pixels to metrics."""

from collections.abc import Iterator
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.flipset.family import FAMILY
from support.agents_at_play import play_agents

pytestmark = pytest.mark.thorough("families/flipset/test_flipset_agents.py")

AGENT_NAMES = ("rotator", "egocentric", "mirror-imager", "position-biased")
SCENES = {"L2": 28, "MR": 5, "ToM": 5, "L1": 24}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A query's rows over a run of all agents."""
    out = tmp_path_factory.mktemp("signatures")
    play_agents(FAMILY, _episodes(), out)
    with open_run(str(out), hold=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


def _episodes() -> Iterator[EpisodeSpec]:
    for condition, scenes in SCENES.items():
        for agent in AGENT_NAMES:
            cell = Cell("flipset", condition, (("subject", f"scripted/{agent}"),), 0.0, "paper")
            yield from (EpisodeSpec(cell, seed, 0) for seed in range(scenes))
    for condition in ("L2", "ToM", "MR"):
        for agent in ("rotator", "egocentric"):
            who = (("subject", f"scripted/{agent}"),)
            cell = Cell("flipset", condition, who, 0.0, "paper", (("scene", "upright"),))
            yield from (EpisodeSpec(cell, seed, 0) for seed in range(5))


@pytest.fixture(scope="module")
def shares(tables: Any) -> dict[tuple[str, str, str], float | None]:
    """(condition, agent, metric) → estimate."""
    rows = tables(
        "select condition, model, metric, estimate from metric.flipset where variant = 'paper'"
    )
    return {(row[0], row[1].removeprefix("scripted/"), row[2]): row[3] for row in rows}


def test_the_run_is_sound(tables: Any) -> None:
    assert tables("from metric.flipset_violations") == []
    assert tables("select count(*) from stage.flipset_episodes where error_kind <> 'none'") == [
        (0,)
    ]


@pytest.mark.parametrize("condition", SCENES)
def test_the_rotator_is_right_everywhere(shares: Any, condition: str) -> None:
    assert shares[condition, "rotator", "accuracy"] == 1


def test_the_egocentric_agent_passes_every_control_and_fails_level_2(
    shares: Any, tables: Any
) -> None:
    assert shares["L2", "egocentric", "egocentric"] == 1
    assert shares["L2", "egocentric", "egocentric_of_errors"] == 1
    for control in ("MR", "ToM", "L1"):
        assert shares[control, "egocentric", "accuracy"] == 1
    deficits = dict(
        tables(
            "select model, estimate from metric.flipset_composition "
            "where metric = 'deficit' and variant = 'paper'"
        )
    )
    assert deficits["scripted/egocentric"] == -1
    assert deficits["scripted/rotator"] == 0


def test_the_mirror_imager_shows_by_class(tables: Any) -> None:
    """Reversed, unturned: right for two digits, random for mixed strings, else egocentric."""
    rows = tables(
        "select item_class, metric from metric.flipset_classes "
        "where condition = 'L2' and variant = 'paper' and estimate = 1 "
        "and model = 'scripted/mirror-imager'"
    )
    assert dict(rows) == {
        "two digits": "accuracy",
        "two digits mixed": "random",
        "three digits mixed": "random",
        "single letter": "egocentric",
        "two letters": "egocentric",
        "two letters mixed": "random",
        "three letters mixed": "random",
        "four letters mixed": "random",
        "four combo mixed": "random",
    }


def test_the_position_biased_agent_is_its_baseline(shares: Any, tables: Any) -> None:
    rows = tables(
        "select label, metric, estimate from metric.flipset_positions "
        "where condition = 'L2' and variant = 'paper' and model = 'scripted/position-biased'"
    )
    place = {(label, metric): estimate for label, metric, estimate in rows}
    assert [place[label, "answered"] for label in "ABCD"] == [1, 0, 0, 0]
    assert shares["L2", "position-biased", "accuracy"] == place["A", "always_accuracy"]
    assert shares["L2", "position-biased", "egocentric"] == place["A", "always_egocentric"]
    assert shares["L1", "position-biased", "accuracy"] == 0.5


def test_chance_tests_tell_bias_from_ignorance(tables: Any) -> None:
    rows = tables(
        "select model, p_above, p_below from metric.flipset_chance "
        "where condition = 'L2' and variant = 'paper'"
    )
    verdicts = {
        model: "above" if above < 0.001 else "below" if below < 0.001 else "neither"
        for model, above, below in rows
    }
    assert verdicts == {
        "scripted/rotator": "above",
        "scripted/egocentric": "below",
        "scripted/mirror-imager": "neither",
        "scripted/position-biased": "neither",
    }


def test_a_standing_card_is_read_by_the_same_rule(tables: Any) -> None:
    rows = tables(
        "select condition, model, estimate from metric.flipset "
        "where metric = 'accuracy' and variant = 'paper+scene=upright'"
    )
    found = {
        (condition, model.removeprefix("scripted/")): share for condition, model, share in rows
    }
    assert found == {
        ("L2", "rotator"): 1,
        ("ToM", "rotator"): 1,
        ("MR", "rotator"): 1,
        ("L2", "egocentric"): 0,
        ("ToM", "egocentric"): 1,
        ("MR", "egocentric"): 1,
    }
