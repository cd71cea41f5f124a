"""The people's vote and their agreement, against hand-made answers of three people."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.sections import people_section
from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import Answered, write_flipset_run

VOTES = (
    ("correct", "correct", "correct"),  # all agree
    ("correct", "correct", "egocentric"),  # two of three
    ("egocentric", "random", "fail"),  # a tie of two, beside a reply that could not be read
    ("fail", "fail", "fail"),  # nobody
)


def answers() -> list[Answered]:
    people = [
        Answered(kind, model=f"human/{who}", scene_seed=seed)
        for seed, kinds in enumerate(VOTES)
        for who, kind in zip("abc", kinds, strict=True)
    ]
    # A model met a scene more than the people did; one of its episodes failed.
    models = [Answered("correct", scene_seed=seed) for seed in (0, 1, 2, 9)]
    return [
        *(*people, *models, Answered(None, scene_seed=3)),
        # One string that all read alike, and one that one person met.
        *(Answered("correct", "ToM", f"human/{who}") for who in "ab"),
        *(Answered("random", "MR", "human/a"), Answered("random", "MR", scene_seed=1)),
    ]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBPyConnection]:
    """Opened once: the views of all families are bound with these."""
    with open_run(
        write_flipset_run(tmp_path_factory.mktemp("run"), answers()), hold=True
    ) as connection:
        yield connection


def test_the_vote_of_each_scene(run: DuckDBPyConnection) -> None:
    found = run.execute(
        "select scene_seed, n_people, n_answered, vote = gold, n_votes, round(share, 3), is_tied,"
        " score from twin.people where condition = 'L2' order by scene_seed"
    )
    assert found.fetchall() == [
        (0, 3, 3, True, 3, 1.0, False, 1.0),
        (1, 3, 3, True, 2, 0.667, False, 1.0),
        (2, 3, 2, None, 1, 0.5, True, 0.0),
        (3, 3, 0, None, None, None, False, 0.0),
    ]


def test_people_their_vote_and_models_on_the_same_scenes(run: DuckDBPyConnection) -> None:
    found = run.execute(
        "select condition, model, n, n_tied, estimate from summary.people order by all"
    )
    assert found.fetchall() == [
        ("L2", "human/a", 4, None, 2 / 4),
        ("L2", "human/b", 4, None, 2 / 4),
        ("L2", "human/c", 4, None, 1 / 4),
        ("L2", "human/majority", 4, 1, 2 / 4),
        # Scenes 0 to 2: nobody met 9, and 3 failed.
        ("L2", "lab/a", 3, None, 1.0),
        # Of MR the model has another scene than the person.
        ("MR", "human/a", 1, None, 0.0),
        ("MR", "human/majority", 1, 0, 0.0),
        ("ToM", "human/a", 1, None, 1.0),
        ("ToM", "human/b", 1, None, 1.0),
        ("ToM", "human/majority", 1, 0, 1.0),
    ]


def test_agreement_by_hand(run: DuckDBPyConnection) -> None:
    letters = run.execute(
        "select answer[:1] from metric.people where is_person and condition = 'L2'"
        " and answer is not null"
    ).fetchall()
    # Scenes 0 to 2 have 3, 3 and 2 answers: of their pairs all, one of three, and none agree.
    agreement = (1 + 1 / 3 + 0) / 3
    by_shares = sum((letters.count((one,)) / 8) ** 2 for one in "ABCD")
    found = run.execute(
        "select condition, n_scenes, n_answers, agreement, kappa from summary.people_agreement"
        " order by all"
    )
    assert found.fetchall() == [
        (
            "L2",
            3,
            8,
            pytest.approx(agreement),
            pytest.approx((agreement - by_shares) / (1 - by_shares)),
        ),
        # One answer alone tells nothing of chance; of MR nobody's answer can agree.
        ("ToM", 1, 2, 1.0, None),
    ]


def test_the_report_has_a_section_where_people_have_played(
    run: DuckDBPyConnection, tmp_path: Path
) -> None:
    found = people_section(Reading(run))
    assert found is not None
    assert [part.name for part in found.parts] == ["people", "people_agreement"]
    with open_run(write_flipset_run(tmp_path, [Answered("correct")]), hold=True) as connection:
        assert people_section(Reading(connection)) is None
