"""Several run directories are read as one: each episode counts once, whoever has it."""

import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.errors import RunDirError
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.manifests import write_manifest

RIGHT, WRONG = moments("w red 60", "done red 60 red"), moments("w blue 60", "done blue 60 blue")


def run_of(folder: Path, *played: Played) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    write_manifest(folder)
    return write_run(folder, played)


def changed(run: str, **columns: object) -> str:
    """The run with columns of its episodes set to these values."""
    for path in Path(run).glob("episodes/**/*.parquet"):
        table = pq.read_table(path, partitioning=None)
        for name, value in columns.items():
            at = table.schema.get_field_index(name)
            filled = pa.array([value] * table.num_rows, table.schema.field(at).type)
            table = table.set_column(at, table.schema.field(at), filled)
        pq.write_table(table, path)
    return run


def tsa(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    return connection.execute(
        "select model, n, estimate from metric.selfid where metric = 'tsa' order by all"
    ).fetchall()


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A: scenes 0 to 2 of one model, all right; B: scenes 2 to 4, all wrong, and another model."""
    folder = tmp_path_factory.mktemp("runs")
    first = [Played(RIGHT, scene_seed=seed) for seed in range(3)]
    second = [Played(WRONG, scene_seed=seed) for seed in range(2, 5)]
    other = Played(RIGHT, model="scripted/other")
    return run_of(folder / "A", *first), run_of(folder / "b's B [1]", *second, other)


def test_what_two_directories_have_counts_once_and_whole(two: tuple[str, str]) -> None:
    with open_run(two) as connection:
        assert tsa(connection) == [("scripted/observer", 5, 0.6), ("scripted/other", 1, 1.0)]
        # Of equal ends the first directory's counts, with its own steps.
        found = connection.execute(
            "select run_dir, list(distinct identification) as said from stage.selfid_steps "
            "where scene_seed = 2 and model = 'scripted/observer' group by run_dir"
        ).fetchall()
        assert [(run_dir, len(said)) for run_dir, said in found] == [(two[0], 1)]
        by_run = "select run_dir, count(*) from stage.selfid_episodes group by 1 order by 1"
        assert connection.execute(by_run).fetchall() == [(two[0], 3), (two[1], 3)]
    with open_run([*reversed(two), two[0]]) as connection:
        assert tsa(connection)[0] == ("scripted/observer", 5, 0.4)
    with open_run(two, where="run_dir is not null and scene_seed = 0", hold=True) as connection:
        assert tsa(connection) == [("scripted/observer", 1, 1.0), ("scripted/other", 1, 1.0)]


def test_the_latest_good_end_counts(tmp_path: Path) -> None:
    old, new = (run_of(tmp_path / name, Played(end)) for name, end in (("a", RIGHT), ("b", WRONG)))
    changed(new, finished_at="2026-02-01T00:00:00+00:00")
    with open_run([old, new]) as connection:
        assert tsa(connection) == [("scripted/observer", 1, 0.0)]
    # A reply that was lost later does not replace one that is there.
    changed(new, error_kind="timeout", take=7)
    with open_run([old, new]) as connection:
        assert tsa(connection) == [("scripted/observer", 1, 1.0)]


def test_directories_without_common_cells_are_read_as_they_are(tmp_path: Path) -> None:
    one = run_of(tmp_path / "one", *scenes(Played(RIGHT), 3))
    other = run_of(tmp_path / "other", *scenes(Played(WRONG, condition="E3"), 3))
    with open_run([one, other]) as connection:
        views = connection.execute("select view_name from duckdb_views() where not internal")
        assert not any(name.startswith("selfid_steps_of") for (name,) in views.fetchall())
        counted = "select run_dir, count(*) from shard.selfid_steps group by all order by all"
        assert connection.execute(counted).fetchall() == [(one, 6), (other, 6)]


@pytest.mark.thorough("the other tests here")
def test_stored_intervals_stand_for_whole_cells_only(tmp_path: Path) -> None:
    runs = [
        run_of(tmp_path / "a", *scenes(Played(RIGHT), 4), *scenes(Played(RIGHT, "E3"), 4)),
        run_of(tmp_path / "b", *[replace(one, run=9) for one in scenes(Played(WRONG), 4)]),
    ]
    for run in runs:
        bootstrap_run(run, draws=50)
        compare_run(run, draws=50)
    with open_run(runs) as connection:
        conditions = "select distinct condition from metric.selfid_bca"
        assert connection.execute(conditions).fetchall() == [("E3",)]
        assert connection.execute("from contrast.pairs").fetchall()
    copied = shutil.copytree(runs[0], tmp_path / "copy")
    with open_run([runs[0], str(copied)]) as twice, open_run(runs[0]) as once:
        for pairs in ("select metric, n, estimate, p from contrast.pairs order by all",):
            seen = twice.execute(pairs).fetchall()
            assert [row[:3] for row in seen] == [row[:3] for row in once.execute(pairs).fetchall()]


def test_a_folder_of_runs_is_refused_with_their_names(two: tuple[str, str]) -> None:
    folder = str(Path(two[0]).parent)
    with pytest.raises(RunDirError, match="2 run directories in it") as caught:
        open_run(folder)
    assert f"name them: {two[0]}" in str(caught.value)


def test_a_folder_of_one_run_is_refused_with_its_name(two: tuple[str, str]) -> None:
    folder = Path(two[0]).parent
    shutil.rmtree(two[1])
    with pytest.raises(RunDirError, match="1 run directory in it") as caught:
        open_run(str(folder))
    assert f"name it: {two[0]}" in str(caught.value)
