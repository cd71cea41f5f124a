"""Comparisons of some metrics, worked out once, whole or by parts: the views say what they said."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis.comparison_tables import hold_comparisons
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.across import headlines
from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import varied_answers, write_flipset_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

VIEWS = ("contrast.pairs", "contrast.pairs_tied")
METRICS = {"selfid": "tsa", "flipset": "accuracy"}
RIGHT, WRONG = ("w blue 0", "w red 80", "done red 0 red"), ("w blue 60", "w blue 200")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Five models in two conditions, of which one has two temperatures, and flipset's."""
    directory = tmp_path_factory.mktemp("compared")
    write_flipset_run(directory, varied_answers())
    episodes = []
    for number in range(5):
        for condition, temperature in (("E1", 0.2), ("E1", 1.0), ("E3", 0.2)):
            one = Played(
                moments(*RIGHT),
                model=f"maker/model-{number}",
                condition=condition,
                temperature=temperature,
            )
            n_right = 2 * number if condition == "E1" else number
            episodes += scenes(one, 9)[:n_right]
            episodes += [
                replace(each, moments=moments(*WRONG)) for each in scenes(one, 9)[n_right:]
            ]
    return write_run(directory, episodes)


@pytest.fixture(scope="module")
def fresh(run: str) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_run(run, hold=True) as connection:
        yield connection


def rows(connection: duckdb.DuckDBPyConnection, view: str, where: str) -> list[tuple[object, ...]]:
    """Sorted; sums depend on the order of threads in their last digits."""
    found = connection.execute(f"from {view} where {where}").fetchall()
    plain = [
        tuple(round(one, 9) if isinstance(one, float) else one for one in row) for row in found
    ]
    return sorted(plain, key=repr)


ONE_A_PART = pytest.mark.thorough("one question a part: the most parts")


@pytest.mark.parametrize(
    ("most_pairs", "of_a_crowd"),
    [
        (1, 2),
        pytest.param(1_000, 100, marks=ONE_A_PART),
        pytest.param(12, 1, marks=ONE_A_PART),
        pytest.param(25, 5, marks=ONE_A_PART),
    ],
)
def test_what_is_held_is_what_the_views_say(
    run: str, fresh: duckdb.DuckDBPyConnection, most_pairs: int, of_a_crowd: int
) -> None:
    with open_run(run, hold=True) as at:
        tables = hold_comparisons(at, METRICS, most_pairs=most_pairs, of_a_crowd=of_a_crowd)
        assert [*tables] == [*VIEWS]
        for view, table in tables.items():
            asked = " or ".join(
                f"(family = '{family}' and metric = '{metric}')"
                for family, metric in METRICS.items()
            )
            expected = rows(fresh, view, asked)
            assert {row for row in expected if "selfid" in row}
            assert rows(at, table, "true") == expected
            # The view has all the others still.
            for where in ("true", "metric = 'ttd'", "family = 'flipset'"):
                assert rows(at, view, where) == rows(fresh, view, where)
        reading = Reading(at, held=tables)
        first, second = tables.values()
        assert reading.leading("from contrast.pairs_tied, contrast.pairs") == (
            f"from {second}, {first}"
        )
        assert Reading(at).leading("from contrast.pairs") == "from contrast.pairs"


def test_too_many_models_are_not_compared_with_each_other(run: str) -> None:
    with open_run(run, hold=True) as at:
        tables = hold_comparisons(at, METRICS, most_models=4)
        pairs = at.table(tables["contrast.pairs"])
        found = pairs.select("family", "axis").distinct().fetchall()
    assert ("selfid", "model") not in found
    assert ("selfid", "temperature") in found


def test_each_axis_is_compared_and_each_question_has_all_its_comparisons(
    fresh: duckdb.DuckDBPyConnection,
) -> None:
    """What the parts are held against, by hand: ten pairs of five models are one question."""
    found = fresh.execute(
        "select axis, count(*), min(n_tests), max(n_tests) from contrast.pairs "
        "where family = 'selfid' and metric = 'tsa' group by axis order by axis"
    ).fetchall()
    assert found == [("condition", 5, 1, 1), ("model", 30, 10, 10), ("temperature", 5, 1, 1)]


def test_a_models_settings_are_compared_alone_as_among_all(
    fresh: duckdb.DuckDBPyConnection,
) -> None:
    for view, lower in (("contrast.pairs", "contrast"), ("twin.scores", "contrast, cluster")):
        of_settings = f"from {view} where axis not in ('model', 'condition')"
        order = f"order by {lower}, metric"
        expected = fresh.sql(f"{of_settings} {order}").fetchall()
        assert {row[3] for row in expected} >= {"temperature"}
        assert fresh.sql(f"from {view}_settings {order}").fetchall() == expected


def test_for_curves_models_do_not_meet(tmp_path: Path) -> None:
    """Of 30 models at two temperatures 30 pairs are told of; pairs of models are 870."""
    one = Played(moments(*RIGHT))
    cells = [
        replace(one, model=f"maker/model-{number}", temperature=heat)
        for number in range(30)
        for heat in (0.2, 0.7)
    ]
    directory = write_run(tmp_path, [each for cell in cells for each in scenes(cell, 3)])
    query = "select count(difference) from ablation.curves where metric = 'tsa'"
    with open_run(directory, hold=True) as connection:
        assert connection.execute(query).fetchall() == [(30,)]
        n_metrics = len(connection.sql("select distinct metric from metric.scores").fetchall())
        ((_, plan),) = connection.execute(f"explain (analyze, format json) {query}").fetchall()
    largest = max(int(n) for n in re.findall(r'"intermediate_rows": ?(\d+)', plan))
    assert largest < 870 * 3 * n_metrics / 2


def test_no_more_cells_meet_than_are_compared(tmp_path: Path) -> None:
    """Of 20 models in 6 conditions, 1,440 pairs of 120 cells: all cells make 14,400."""
    one = Played(moments(*RIGHT))
    cells = [
        replace(one, model=f"maker/model-{number}", condition=f"E{condition}")
        for number in range(20)
        for condition in range(6)
    ]
    directory = write_run(tmp_path, [each for cell in cells for each in scenes(cell, 10)])
    query = "select count(score) from twin.scores"
    with open_run(directory, hold=True) as connection:
        n_rows = connection.execute(query).fetchall()[0][0]
        ((_, plan),) = connection.execute(f"explain (analyze, format json) {query}").fetchall()
    largest = max(int(n) for n in re.findall(r'"intermediate_rows": ?(\d+)', plan))
    assert n_rows <= largest < 1.5 * n_rows


@pytest.mark.parametrize(("n_models", "has_letters"), [(3, True), (121, False)])
def test_letters_are_explained_where_there_are_any(
    tmp_path: Path, n_models: int, has_letters: bool
) -> None:
    one = Played(moments(*RIGHT))
    played = [replace(one, model=f"maker/model-{number:03d}") for number in range(n_models)]
    with open_run(write_run(tmp_path, played), hold=True) as connection:
        section = headlines.section(Reading(connection))
    assert section is not None
    table = section.parts[-1]
    assert "The best of a condition is bold" in table.text
    assert ("share a letter" in table.text) == has_letters
