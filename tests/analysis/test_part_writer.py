"""Rows of parts are written beside what else is done, all of them, or the error is raised."""

import gc
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from mirror_ray.analysis.part_writer import PartWriter
from mirror_ray.analysis.shard_parts import ShardPart
from mirror_ray.analysis.shards import ShardFile, Shards

TABLE = "held.scores"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "written"


@pytest.fixture
def connection(folder: Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"temp_directory": str(folder)})


def part(n_steps: int) -> ShardPart:
    made = ShardPart()
    made.add([ShardFile(Shards("selfid", "steps"), "/nowhere", n_steps)])
    return made


def scores(*values: int) -> dict[str, pa.Table]:
    return {TABLE: pa.table({"score": list(values)})}


def test_every_part_is_there_once_it_was_left(connection: duckdb.DuckDBPyConnection) -> None:
    writer = PartWriter(connection, None)
    for number in range(5):
        writer.write(part(2), scores(number, 10 * number))
    files = writer.finish()[TABLE]
    assert len(files) == 5
    found = connection.execute("from read_parquet($1) order by all", [files]).fetchall()
    assert found == [(0,), (0,), (1,), (2,), (3,), (4,), (10,), (20,), (30,), (40,)]


def test_the_files_are_gone_with_the_connection(folder: Path) -> None:
    connection = duckdb.connect(config={"temp_directory": str(folder)})
    writer = PartWriter(connection, None)
    writer.write(part(1), scores(1))
    writer.finish()
    assert folder.stat().st_mode & 0o077 == 0
    assert len(list(folder.glob("*.parquet"))) == 1
    connection.close()
    del connection, writer
    gc.collect()
    assert not folder.exists()


def test_what_cannot_be_written_is_raised_before_the_next_part(
    connection: duckdb.DuckDBPyConnection, folder: Path
) -> None:
    writer = PartWriter(connection, None)
    shutil.rmtree(folder)
    writer.write(part(1), scores(1))
    with pytest.raises(FileNotFoundError):
        writer.write(part(1), scores(1))


def test_what_cannot_be_written_at_last_is_raised(
    connection: duckdb.DuckDBPyConnection, folder: Path
) -> None:
    writer = PartWriter(connection, None)
    shutil.rmtree(folder)
    writer.write(part(1), scores(1))
    with pytest.raises(FileNotFoundError):
        writer.finish()
