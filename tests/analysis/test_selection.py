"""A part of a run: whoever reads it sees those episodes alone, in every view."""

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

RIGHT = Played(moments("w unknown 60", "done red 60 red"), model="a")
WRONG = replace(RIGHT, moments=moments("w blue 0", "done blue 60 blue"))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    played = [*scenes(RIGHT, 4), *scenes(replace(WRONG, model="b"), 3)]
    wrong = [replace(one, run=1) for one in scenes(WRONG, 2)]
    directory = write_run(tmp_path_factory.mktemp("run"), [*played, *wrong])
    bootstrap_run(directory, draws=100)
    return directory


def rows(run: str, where: str | None, sql: str) -> list[tuple[object, ...]]:
    with open_run(run, where=where, hold=True) as connection:
        return connection.execute(sql).fetchall()


def test_every_view_is_over_the_chosen(run: str) -> None:
    tsa = "select model, n, estimate from metric.selfid where metric = 'tsa' order by all"
    assert rows(run, "run = 0 -- the first", tsa) == [("a", 4, 1.0), ("b", 3, 0.0)]
    assert rows(run, "model = 'a'", tsa) == [("a", 6, 4 / 6)]
    steps = "select distinct model from shard.selfid_steps order by all"
    assert rows(run, "model = 'b'", steps) == [("b",)]
    assert rows(run, "false", tsa) == []


def test_stored_intervals_are_those_of_whole_cells(run: str) -> None:
    models = "select distinct model from metric.selfid_bca order by all"
    assert rows(run, None, models) == [("a",), ("b",)]
    assert rows(run, "model = 'a'", models) == [("a",)]
    assert rows(run, "run = 0", models) == [("b",)]


@pytest.mark.parametrize(
    "where",
    [
        "true) ; drop schema stage; --",
        "true; select 1",
        "no_such_column = 1",
        "model in (select content from read_text('/etc/hostname'))",
        "",
    ],
)
def test_what_is_no_condition_is_refused(run: str, where: str) -> None:
    with pytest.raises((ValueError, duckdb.Error)):
        open_run(run, where=where)


def test_the_run_directory_is_as_before(run: str) -> None:
    before = {path: path.read_bytes() for path in Path(run).rglob("*") if path.is_file()}
    rows(run, "run = 0", "from metric.selfid")
    assert {path: path.read_bytes() for path in Path(run).rglob("*") if path.is_file()} == before
