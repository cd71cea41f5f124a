"""Parts are computed several at once, each given in its turn, and an error or a stop ends them."""

from collections.abc import Iterator
from pathlib import Path
from threading import active_count

import duckdb
import pytest

from mirror_ray.analysis import part_workers
from mirror_ray.analysis.part_catalog import PartCatalog
from mirror_ray.analysis.part_rows import PartRows
from mirror_ray.analysis.part_workers import PartQueries, computed_parts
from mirror_ray.analysis.shard_parts import ShardPart
from mirror_ray.analysis.shards import ShardFile, Shards
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))
SOURCES = [file for file in sql_files() if file.view == "stage.selfid_trajectories"]
QUERIES = PartQueries("selfid", "*", SOURCES, {SOURCES[0].view: "held.found"}, "held.astray")


@pytest.fixture
def parts(tmp_path: Path) -> list[ShardPart]:
    """A directory's shards each; the first has one episode, the next the same and another."""
    made = []
    for number in range(1, 7):
        run = tmp_path / f"run-{number}"
        write_run(run, scenes(RIGHT, number))
        part = ShardPart()
        for kind in ("steps", "episodes"):
            paths = (run / kind).rglob("*.parquet")
            part.add(ShardFile(Shards("selfid", kind), str(path), number) for path in paths)
        made.append(part)
    return made


@pytest.fixture
def run(tmp_path: Path, parts: list[ShardPart]) -> Iterator[duckdb.DuckDBPyConnection]:
    runs = [str(tmp_path / f"run-{number}") for number in range(1, 7)]
    assert len(runs) == len(parts)
    with open_run(runs, config={"threads": 3}) as connection:
        parts[0].read(connection)
        yield connection


def catalog(run: duckdb.DuckDBPyConnection, parts: list[ShardPart]) -> PartCatalog | None:
    paths = [file.path for part in parts for some in part.files.values() for file in some]
    return PartCatalog.of(run, "selfid", SOURCES, sql_files(), paths)


@pytest.mark.parametrize("at_once", [1, 2, 8])
def test_each_part_is_given_in_its_turn(
    at_once: int,
    run: duckdb.DuckDBPyConnection,
    parts: list[ShardPart],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(part_workers, "MOST_AT_ONCE", at_once)
    expected = []
    for part in parts:
        part.read(run)
        query = "select episode_id from stage.selfid_trajectories"
        expected += [[one for (one,) in run.execute(query).fetchall()]]
    before = active_count()
    found = list(computed_parts(run, catalog(run, parts), QUERIES, parts))
    assert [part for part, _ in found] == parts
    assert [rows["held.found"]["episode_id"].to_pylist() for _, rows in found] == expected
    # Each directory has the episodes of those before it, which count there, and one more.
    assert len({episode_id for ids in expected for episode_id in ids}) == 6
    assert {rows["held.astray"].num_rows for _, rows in found} == {0}
    assert active_count() == before


def test_without_memory_for_two_there_is_one_connection(
    run: duckdb.DuckDBPyConnection, parts: list[ShardPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    used = set()
    take = PartRows.take

    def noted(rows: PartRows, part: ShardPart) -> None:
        used.add(rows._connection)
        take(rows, part)

    monkeypatch.setattr(PartRows, "take", noted)
    monkeypatch.setattr(part_workers, "_PART_BYTES", 2**60)
    assert len(list(computed_parts(run, catalog(run, parts), QUERIES, parts))) == 6
    assert used == {run}


def test_an_error_in_a_part_is_raised_in_its_turn_and_ends_the_others(
    run: duckdb.DuckDBPyConnection, parts: list[ShardPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    take, before = PartRows.take, active_count()

    def broken(rows: PartRows, part: ShardPart) -> None:
        if part is parts[2]:
            raise OSError("the disk")
        take(rows, part)

    monkeypatch.setattr(PartRows, "take", broken)
    given = []
    with pytest.raises(OSError, match="the disk"):
        given.extend(part for part, _ in computed_parts(run, catalog(run, parts), QUERIES, parts))
    assert active_count() == before


def test_whoever_stops_early_waits_for_no_further_part(
    run: duckdb.DuckDBPyConnection, parts: list[ShardPart], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = []
    take, before = PartRows.take, active_count()

    def noted(rows: PartRows, part: ShardPart) -> None:
        taken.append(part)
        take(rows, part)

    monkeypatch.setattr(PartRows, "take", noted)
    computed = computed_parts(run, catalog(run, parts), QUERIES, parts)
    first, _ = next(computed)
    computed.close()
    assert first is parts[0]
    assert parts[5] not in taken
    assert active_count() == before


def test_a_connection_reads_the_shards_and_nothing_else(
    run: duckdb.DuckDBPyConnection, parts: list[ShardPart], tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n")
    made = catalog(run, parts[:1])
    assert made is not None
    with made.connection(threads=1, memory_bytes=2**30) as connection:
        assert connection.execute("select count(*) from shard.selfid_steps").fetchall()
        for query in (f"from '{other}'", "set threads = 2", f"copy (select 1) to '{other}'"):
            with pytest.raises(duckdb.Error):
                connection.execute(query)
