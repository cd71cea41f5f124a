"""`mirror-ray sql` and `open_run` read the run and do nothing else."""

import json
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from support.recorded_run import plan_for, record_run

SHARD = "episodes/family=selfid/part-000001.parquet"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("read") / "run's [own]*"
    record_run(plan_for(out, runs=1), lambda _: Reply("no JSON"))
    return out


@pytest.mark.parametrize(
    "query",
    [
        "copy (select 1) to 'OUT/new.csv'",
        f"copy (select 1) to 'OUT/{SHARD}' (format parquet, use_tmp_file false)",
        f"explain analyze copy (select 1) to 'OUT/{SHARD}' (format parquet, use_tmp_file false)",
        f"EXPLAIN (analyze) copy (select 1) to 'OUT/{SHARD}' (use_tmp_file false)",
        "prepare p as copy (select 1) to 'OUT/new.csv'",
        "select 1; copy (select 1) to 'OUT/new.csv'",
        "export database 'OUT/new'",
        "attach 'OUT/new.db'",
        "from read_text('OUT/manifest.json')",
        "from read_text('/etc/hostname')",
        "from glob('/*')",
        "from 'http://127.0.0.1:1/x.csv'",
        "load httpfs",
        "set enable_external_access = true",
        "set allowed_directories = ['/']",
        "pragma profiling_output = 'OUT/new'",
        "from sniff_csv('/etc/passwd')",
    ],
)
def test_what_is_more_than_reading_the_run_is_refused(
    run: Path, query: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shard = (run / SHARD).read_bytes()
    place = str(run).replace("'", "''")
    assert main(["sql", str(run), query.replace("OUT", place)]) == 2
    assert "command line: QUERY" in capsys.readouterr().err
    assert (run / SHARD).read_bytes() == shard
    assert not list(run.glob("new*"))


@pytest.mark.parametrize(("view", "held"), [("paper.selfid", True), ("metric.selfid", False)])
def test_a_query_of_papers_views_computes_episodes_once(
    run: Path, view: str, held: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = f"from duckdb_tables() where database_name = 'held' -- {view}"
    assert main(["sql", str(run), f"select count(*) > 0 as held {tables}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"held": held}]


def test_who_wants_a_file_is_told_how(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", str(run), "copy (from episode.selfid) to 'x.csv'"]) == 2
    assert "--json" in capsys.readouterr().err


def test_queries_and_their_plans_are_answered(run: Path) -> None:
    for query in (
        "from episode.selfid",
        "explain from episode.selfid",
        "explain analyze from episode.selfid",
        "create temp table t as from episode.selfid; from t",
        "set variable near_radius_m = 2; from metric.selfid",
        "summarize stage.selfid_episodes",
    ):
        assert main(["sql", str(run), query]) == 0, query


def test_an_open_run_stays_as_it_was_opened(run: Path) -> None:
    with open_run(str(run)) as connection:
        secret = "not for queries"  # noqa: F841, S105 - what Python knows is no table
        for query in ("set threads = 1", "from read_text('/etc/hostname')", "from secret"):
            with pytest.raises(duckdb.Error):
                connection.execute(query)
        assert len(connection.execute("from episode.selfid").fetchall()) == 1


def test_what_does_not_fit_into_memory_goes_where_no_query_finds_another_file(
    run: Path, tmp_path: Path
) -> None:
    (tmp_path / "other.txt").write_text("another's")
    config = {"temp_directory": str(tmp_path), "memory_limit": "40MB", "threads": 1}
    with open_run(str(run), config=config) as connection:
        with pytest.raises(duckdb.PermissionException):
            connection.sql(f"from read_text('{tmp_path}/other.txt')").fetchall()
        connection.execute(
            "create temp table t as select range as a, md5(range::varchar) as b from range(1500000)"
        )
        (place,) = [each for each in tmp_path.iterdir() if each.is_dir()]
        assert any(place.iterdir())
        assert connection.sql("select count(distinct b) from t").fetchall() == [(1_500_000,)]
    assert [each.name for each in tmp_path.iterdir()] == ["other.txt"]
