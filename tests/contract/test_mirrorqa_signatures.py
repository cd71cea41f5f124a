"""What each of MirrorQA's reference agents is, the tables must say: from pixels to metrics."""

from collections.abc import Iterator
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.mirrorqa.family import FAMILY
from support.agents_at_play import play_agents

pytestmark = pytest.mark.thorough("families/mirrorqa/test_mirrorqa_agents.py")

AGENT_NAMES = ("oracle", "viewer-frame", "first-option", "coin")
ITEMS = 64
AXES = (("circular", True), ("image", "320x240"))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A query's rows over a run of all agents."""
    out = tmp_path_factory.mktemp("signatures")
    play_agents(FAMILY, _episodes(), out)
    with open_run(str(out), hold=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


def _episodes() -> Iterator[EpisodeSpec]:
    for condition in ("sim", "sim-reflected"):
        for agent in AGENT_NAMES:
            seats = (("subject", f"scripted/{agent}"),)
            cell = Cell("mirrorqa", condition, seats, 0.0, "paper", AXES)
            yield from (EpisodeSpec(cell, seed, 0) for seed in range(ITEMS))


@pytest.fixture(scope="module")
def shares(tables: Any) -> dict[tuple[str, str, str], float]:
    """(condition, agent, metric) → estimate."""
    rows = tables("select condition, model, metric, estimate from metric.mirrorqa")
    return {(row[0], row[1].removeprefix("scripted/"), row[2]): row[3] for row in rows}


def test_every_item_can_be_drawn_and_is_sound(tables: Any) -> None:
    assert tables("from metric.mirrorqa_violations") == []
    assert tables("select count(*) from episode.mirrorqa where not failed") == [
        (2 * len(AGENT_NAMES) * ITEMS,)
    ]


def test_the_oracle_is_right_whoever_shifts_the_options(shares: Any) -> None:
    for condition in ("sim", "sim-reflected"):
        for metric in ("accuracy", "precision", "recall", "f1", "circular", "same_frame"):
            assert shares[condition, "oracle", metric] == 1.0
        assert shares[condition, "oracle", "confusion"] == 0.0
        assert shares[condition, "oracle", "position_bias_4"] == 0.0


def test_who_answers_in_the_viewers_frame_is_found_out(shares: Any) -> None:
    assert shares["sim", "viewer-frame", "confusion"] > 0.7
    assert shares["sim", "viewer-frame", "frame_effect"] > 0.25
    assert shares["sim", "viewer-frame", "other_frame"] < 0.25
    assert abs(shares["sim", "coin", "frame_effect"]) < 0.25
    assert shares["sim", "coin", "confusion"] < 0.7


def test_who_takes_the_first_option_is_never_right_under_every_shift(shares: Any) -> None:
    for condition in ("sim", "sim-reflected"):
        # Every block has the right option equally often in each place.
        assert shares[condition, "first-option", "accuracy"] == 0.375
        assert shares[condition, "first-option", "circular"] == 0.0
        assert shares[condition, "first-option", "position_bias_2"] == 0.5
        assert shares[condition, "first-option", "position_bias_4"] == 0.75


def test_a_coin_scores_what_chance_is(tables: Any) -> None:
    rows = tables(
        "select metric, ci_low, chance, ci_high from metric.mirrorqa "
        "where model = 'scripted/coin' and metric in ('accuracy', 'circular')"
    )
    assert {(metric, round(chance, 4)) for metric, _, chance, _ in rows} == {
        ("accuracy", 0.375),
        ("circular", 0.127),
    }
    assert all(low < chance < high for _, low, chance, high in rows)


def test_what_is_blind_to_the_mirror_loses_nothing_by_it(tables: Any) -> None:
    rows = tables("select model, n, difference, p from metric.mirrorqa_reflection order by model")
    by_model = {model.removeprefix("scripted/"): rest for model, *rest in rows}
    assert by_model["oracle"] == by_model["first-option"] == [ITEMS, 0.0, 1.0]
    assert set(by_model) == set(AGENT_NAMES)
