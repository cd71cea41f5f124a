"""A run directory as a database: in Python, in the plain DuckDB command line, with no shard yet."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.warehouse import deferred_views, open_run, write_views
from mirror_ray.contract.columns import COLUMNS
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.errors import RunDirError
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.manifests import edit_manifest, write_manifest

DUCKDB = Path(sys.executable).with_name("duckdb")
VIEWS = (
    "stage.selfid_steps",
    "stage.selfid_episodes",
    "episode.selfid",
    "metric.selfid",
    "metric.selfid_bca",
    "metric.selfid_violations",
)
RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))


def command_line(directory: Path, *queries: str, init: str = "views.sql") -> list[Any]:
    """What the plain DuckDB binary, started once in `directory`, says to each query."""
    marked = [f"{query}; select 'end' as mark" for query in queries]
    done = subprocess.run(
        [DUCKDB, "-init", init, "-json", "-c", "; ".join(marked)],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return [json.loads(rows) for rows in done.stdout.split('[{"mark":"end"}]')[:-1]]


def columns(connection: duckdb.DuckDBPyConnection, view: str) -> dict[str, str]:
    described = connection.execute(f"describe {view}").fetchall()
    return {name: kind for name, kind, *_ in described}


def test_without_a_shard_every_view_is_there_and_empty(tmp_path: Path) -> None:
    (tmp_path / "played").mkdir()
    played = write_run(tmp_path / "played", scenes(RIGHT, 3))
    bootstrap_run(played, draws=50)
    (tmp_path / "bare").mkdir()
    with open_run(str(tmp_path / "bare")) as bare, open_run(played) as full:
        for view in VIEWS:
            assert bare.execute(f"select count(*) from {view}").fetchone() == (0,)  # noqa: S608
            assert columns(bare, view) == columns(full, view)


def test_what_memory_does_not_hold_is_not_put_down_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with open_run("../run", config={"memory_limit": "50MB", "threads": 1}) as connection:
        connection.execute("create table much as select uuid() as word from range(3_000_000)")
        spilled = connection.execute("select count(*) from duckdb_temporary_files()").fetchone()
    assert spilled is not None
    assert spilled[0] > 0
    assert list((tmp_path / "here").iterdir()) == []


def test_opening_writes_nothing(tmp_path: Path) -> None:
    with open_run(str(tmp_path)) as connection:
        connection.execute("from metric.selfid").fetchall()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("family", COLUMNS)
def test_a_stage_has_every_column_of_the_records(family: str, tmp_path: Path) -> None:
    asks = "asks" if family == "mirrorqa" else "steps"
    own = COLUMNS[family]
    with open_run(str(tmp_path)) as connection:
        for view, common, columns_of in (
            (f"stage.{family}_{asks}", STEPS, own.steps),
            (f"stage.{family}_episodes", EPISODES, own.episodes),
        ):
            empty = with_family_columns(common, columns_of).empty_table()
            expected = duckdb.from_arrow(empty, connection=connection)
            names = dict(zip(expected.columns, map(str, expected.types), strict=True))
            assert columns(connection, view) == names


def test_a_shard_whose_own_column_is_of_another_kind_is_refused(tmp_path: Path) -> None:
    run = write_run(tmp_path, [RIGHT])
    (shard,) = tmp_path.glob("steps/**/*.parquet")
    table = pq.ParquetFile(shard).read()
    wrong = pa.array([{"a": 1}] * table.num_rows)
    pq.write_table(
        table.drop_columns(["ego_reflection_px"]).append_column("ego_reflection_px", wrong), shard
    )
    with pytest.raises(RunDirError, match="'ego_reflection_px' is struct"):
        open_run(run)


def test_shards_of_an_older_schema_are_read_as_null(tmp_path: Path) -> None:
    run = write_run(tmp_path, [RIGHT])
    (shard,) = tmp_path.glob("steps/**/*.parquet")
    newer = pq.ParquetFile(shard).read()
    pq.write_table(newer.drop_columns(["summary", "bumped"]), shard)
    with open_run(run) as connection:
        assert columns(connection, "stage.selfid_steps")["bumped"] == "BOOLEAN"
        found = connection.execute("select ttd, tsa from episode.selfid").fetchall()
    assert found == [(3, 1)]


@pytest.mark.parametrize("name", ["plain", "it's", "r[u]n*?", "two words; drop"])
def test_any_directory_name_will_do(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    run = write_run(tmp_path / name, [RIGHT])
    with open_run(run) as connection:
        assert connection.execute("select count(*) from episode.selfid").fetchone() == (1,)


def test_names_of_models_are_data(tmp_path: Path) -> None:
    odd = 'o\'neill/"x"; drop view episode.selfid; --'
    run = write_run(tmp_path, scenes(replace(RIGHT, model=odd), 2))
    bootstrap_run(run, draws=50)
    with open_run(run) as connection:
        assert connection.execute("select distinct model from metric.selfid_bca").fetchall() == [
            (odd,)
        ]


def test_the_command_line_sees_what_python_sees(tmp_path: Path) -> None:
    failed = replace(RIGHT, scene_seed=3, error_kind="timeout")
    run = write_run(tmp_path, [*scenes(RIGHT, 3), failed])
    bootstrap_run(run)
    write_manifest(tmp_path)
    sweep = {"stages": [{"family": "selfid"}]}
    edit_manifest(tmp_path, lambda manifest: manifest.update(sweep=sweep))
    write_views(run)
    views = ("episode.selfid", "metric.selfid", "metric.selfid_bca")
    queries = [f"select * from {view} order by all" for view in views]  # noqa: S608
    with open_run(run) as connection:
        ours = [connection.sql(query).to_arrow_table().to_pylist() for query in queries]
    for there, here in zip(command_line(tmp_path, *queries), ours, strict=True):
        assert here
        for left, right in zip(there, here, strict=True):
            assert left.keys() == right.keys()
            for name, value in left.items():
                assert value == (
                    pytest.approx(right[name], rel=1e-12)
                    if isinstance(value, float)
                    else right[name]
                ), name


@pytest.mark.parametrize(
    ("sweep", "families"),
    [
        ({"stages": [{"family": "flipset"}, {"family": "marktest"}, "?"]}, {"flipset", "marktest"}),
        ({"stages": [{"family": ["flipset"]}]}, set(METRICS)),
        ({"stages": {"family": "flipset"}}, set(METRICS)),
        ({}, set(METRICS)),
    ],
)
def test_the_command_line_gets_the_views_of_the_sweeps_families(
    sweep: object, families: set[str], tmp_path: Path
) -> None:
    write_manifest(tmp_path)
    edit_manifest(tmp_path, lambda manifest: manifest.update(sweep=sweep))
    text = Path(write_views(str(tmp_path))).read_text()
    shown = {one for one in METRICS if f"view metric.{one}_bounds as" in text}
    assert shown == families


@pytest.mark.thorough("the command line's other tests here")
def test_the_command_line_finds_later_shards_and_a_moved_run(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    write_views(str(old))
    assert command_line(old, "select count(*) as n from metric.selfid") == [[{"n": 0}]]
    write_run(old, [RIGHT])
    moved = shutil.move(old, tmp_path / "it's moved")
    assert command_line(Path(moved), "select count(*) as n from episode.selfid") == [[{"n": 1}]]


def test_the_command_line_does_not_show_empty_tables_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    write_views(write_run(tmp_path / "run", [RIGHT]))
    with pytest.raises(RuntimeError, match="read from its own directory"):
        command_line(tmp_path, "from metric.selfid", init="run/views.sql")


@pytest.mark.thorough("the command line's other tests here")
def test_the_command_line_takes_the_threshold(tmp_path: Path) -> None:
    run = write_run(tmp_path, scenes(RIGHT, 3))
    bootstrap_run(run, draws=50)
    write_views(run)
    query = """
        set variable mirror_px_threshold = {};
        select
            (select sum(mcr)::int from episode.selfid) as seen,
            (select count(*) from metric.selfid_bca) as stored
    """
    # Stored intervals were made with the threshold 50 and are not shown for another.
    assert command_line(tmp_path, query.format(50), query.format(81)) == [
        [{"seen": 3, "stored": 11}],
        [{"seen": 0, "stored": 0}],
    ]


def test_a_missing_directory_and_an_odd_variable_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError, match="nowhere"):
        open_run(str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match="no view reads"):
        open_run(str(tmp_path), variables={"x = 1; --": 1})


def test_a_file_that_is_no_select_is_named() -> None:
    odd = SqlFile("analysis/sql/3_metric/odd.sql", "metric", "odd", "-- grain: one value\nselec 1")
    with pytest.raises(ValueError, match=r"3_metric/odd\.sql: .*syntax error"):
        deferred_views([odd])


def test_a_view_that_cannot_be_bound_keeps_no_other_from_answering() -> None:
    broken = SqlFile("3_metric/a.sql", "metric", "a", "select missing from episode.nothing")
    sound = SqlFile("3_metric/b.sql", "metric", "b", "select 1 as n")
    with duckdb.connect() as connection:
        for statement in deferred_views([broken, sound]):
            connection.execute(statement)
        assert connection.execute("from metric.b").fetchall() == [(1,)]
        with pytest.raises(duckdb.CatalogException, match="nothing"):
            connection.execute("from metric.a")
