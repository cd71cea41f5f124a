"""What each of dyad's reference agents is, the tables must say: from pixels to the cross table."""

from collections.abc import Iterator
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.dyad.conditions import CONDITIONS
from mirror_ray.families.dyad.family import FAMILY
from support.agents_at_play import play_agents

pytestmark = pytest.mark.thorough("families/dyad/test_dyad_metrics.py")

SCENES = 6
AXES = (("image", "320x240"),)
TWO = ("self-finder", "other-taker", "cube-guesser")
PAIRS = {
    "mirror": [(one, other) for one in TWO for other in TWO],
    "no-mirror": [(one, one) for one in TWO],
    "alike": [(one, one) for one in TWO],
    "still": [(one, None) for one in TWO],
    "wandering": [(one, None) for one in TWO],
    "talk": [
        (one, other)
        for one in ("self-finder", "truster", "copier", "other-taker")
        for other in ("self-finder", "liar")
    ],
    "talk-no-mirror": [("truster", "truster"), ("truster", "liar"), ("self-finder", "truster")],
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A query's rows over a run of all pairs."""
    out = tmp_path_factory.mktemp("signatures")
    play_agents(FAMILY, _episodes(), out)
    with open_run(str(out), hold=True) as connection:
        yield lambda sql: connection.execute(sql).fetchall()


def _episodes() -> Iterator[EpisodeSpec]:
    for condition, pairs in PAIRS.items():
        for one, other in pairs:
            roles = (("subject", one), ("partner", other))
            models = tuple((role, f"scripted/{name}") for role, name in roles if name)
            cell = Cell("dyad", condition, models, 0.0, "plain", AXES)
            yield from (EpisodeSpec(cell, seed, 0) for seed in range(SCENES))


@pytest.fixture(scope="module")
def shares(tables: Any) -> dict[tuple[str, str, str, str], float | None]:
    """(condition, subject, beside, metric) → estimate."""
    rows = tables(
        "select condition, model, coalesce(nullif(regexp_extract(variant, "
        "'partner=([^+]*)', 1), ''), 'own'), metric, estimate from metric.dyad"
    )
    return {(row[0], _bare(row[1]), _bare(row[2]), row[3]): row[4] for row in rows}


@pytest.fixture(scope="module")
def crossed(tables: Any) -> dict[tuple[str, str, str, str], float | None]:
    """(condition, model, beside, choice) → its share, over both minds of each room."""
    rows = tables("select condition, model, beside, choice, estimate from metric.dyad_pairs")
    return {(row[0], _bare(row[1]), _bare(row[2]), row[3]): row[4] for row in rows}


def _bare(name: str) -> str:
    return name.removeprefix("scripted/")


def test_every_episode_comes_to_its_end(tables: Any) -> None:
    ((played, failed),) = tables(
        "select count(*), count(*) filter (where failed) from episode.dyad"
    )
    assert played == SCENES * sum(map(len, PAIRS.values()))
    assert failed == 0
    assert tables("from metric.dyad_violations") == []
    assert set(PAIRS) == set(CONDITIONS)


def test_who_looks_knows_itself_whoever_is_there(shares: Any, crossed: Any, tables: Any) -> None:
    # Now and then the other stands in its way, so that it comes before no mirror in time.
    for other in TWO:
        assert crossed["mirror", "self-finder", other, "own"] >= 0.9, other
    ((saw, knew),) = tables(
        "select count(*), count(*) filter (where choice = 'own') from stage.dyad_trajectories"
        " where model = 'scripted/self-finder' and t_own_image is not null"
    )
    # It believes what it has seen twice.
    assert knew >= 0.95 * saw > 60
    for condition in ("alike", "still", "wandering"):
        assert shares[condition, "self-finder", "own", "correct"] == 1, condition
        assert shares[condition, "self-finder", "own", "looked"] == 1
    for other in ("self-finder", "liar"):
        # What it is told changes nothing.
        assert crossed["talk", "self-finder", other, "own"] == 1
    assert shares["talk", "self-finder", "liar", "misled"] == 0
    assert shares["no-mirror", "self-finder", "own", "correct"] < 1
    assert shares["no-mirror", "self-finder", "own", "looked"] is None


def test_who_takes_the_other_for_itself_is_found_by_the_colour(
    shares: Any, crossed: Any, tables: Any
) -> None:
    for other in TWO:
        assert crossed["mirror", "other-taker", other, "other"] >= 0.6, other
    # Where it chose otherwise, it had never met the other.
    ((met, took),) = tables(
        "select count(*), count(*) filter (where choice = 'other') from stage.dyad_trajectories"
        " where model = 'scripted/other-taker' and t_other_body is not null and not is_alike"
    )
    # A glimpse of few pixels, or of a body that is cut off, is none to it.
    assert took >= 0.85 * met > 40
    # Where both have one colour it is right by being wrong: that beside mirror is its signature.
    assert shares["alike", "other-taker", "own", "correct"] >= 0.8
    assert shares["alike", "other-taker", "own", "took_other"] is None
    assert crossed["alike", "other-taker", "other-taker", "other"] is None


def test_who_guesses_is_as_often_right_as_chance(tables: Any, crossed: Any) -> None:
    ((own, n, looked),) = tables(
        "select count(*) filter (where choice = 'own'), count(*),"
        " count(*) filter (where choice = 'none') from stage.dyad_trajectories"
        " where model = 'scripted/cube-guesser' and choice is not null and not is_alike"
    )
    # 78 minds in 6 scenes; six standard errors of a third.
    assert abs(own / n - 1 / 3) < 6 * (2 / 9 / n) ** 0.5
    assert looked == 0
    chance = tables("select distinct chance from metric.dyad where metric = 'correct'")
    assert chance == [(pytest.approx(1 / 3),)]


def test_who_trusts_is_right_beside_the_honest_and_misled_beside_the_liar(
    shares: Any, tables: Any
) -> None:
    assert shares["talk", "truster", "self-finder", "followed"] >= 0.9
    assert shares["talk", "truster", "self-finder", "misled"] is None, "it is told the truth"
    assert shares["talk", "truster", "liar", "misled"] >= 0.9
    # Of a room without a mirror, two who trust and tell what they see come to know themselves.
    assert shares["talk-no-mirror", "truster", "own", "correct"] >= 0.6
    assert shares["talk-no-mirror", "truster", "liar", "misled"] >= 0.9
    told = tables(
        "select model, avg((told_color = not_own)::int) from stage.dyad_trajectories"
        " where condition = 'talk' and told_color is not null group by model order by model"
    )
    assert {_bare(model): share for model, share in told} == {
        "liar": 0.0,
        "self-finder": 1.0,
        "truster": 1.0,
    }


def test_who_copies_says_and_does_what_the_other_says_of_itself(shares: Any) -> None:
    for other in ("self-finder", "liar"):
        assert shares["talk", "copier", other, "copied"] >= 0.9
        assert shares["talk", "copier", other, "took_other"] >= 0.8
        assert shares["talk", "self-finder", "own", "copied"] == 0
    assert shares["talk", "truster", "liar", "copied"] <= 0.4


def test_who_moves_first_is_balanced(tables: Any) -> None:
    rows = tables(
        "select condition, model, count(*) filter (where moves_first), count(*) from"
        " stage.dyad_trajectories where beside not in ('still', 'wandering') group by all"
    )
    # In each room one of the two; a model that is both sides, or each side as often, is both.
    assert sum(first for _, _, first, _ in rows) * 2 == sum(n for *_, n in rows)
    subjects = tables(
        "select model, avg(moves_first::int) from episode.dyad group by model, condition, variant"
    )
    assert {share for _, share in subjects} == {0.5}
