"""Rows of parts are written beside what else is done, all of them, or the error is raised."""

from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest

from mirror_ray.analysis import part_writer
from mirror_ray.analysis.part_writer import PartWriter
from mirror_ray.analysis.shard_parts import ShardPart
from mirror_ray.analysis.shards import ShardFile, Shards

TABLE = "held.scores"


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        made.execute("attach ':memory:' as held (compress)")
        made.execute(f"create table {TABLE} (score bigint)")
        yield made


def part(n_steps: int) -> ShardPart:
    made = ShardPart()
    made.add([ShardFile(Shards("selfid", "steps"), "/nowhere", n_steps)])
    return made


def scores(*values: object) -> dict[str, pa.Table]:
    return {TABLE: pa.table({"score": list(values)})}


@pytest.mark.parametrize("steps_per_checkpoint", [1, 3, 1_000])
def test_every_part_is_there_once_it_was_left(
    steps_per_checkpoint: int,
    connection: duckdb.DuckDBPyConnection,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(part_writer, "STEPS_PER_CHECKPOINT", steps_per_checkpoint)
    with PartWriter(connection, None) as writer:
        for number in range(5):
            writer.write(part(2), scores(number, 10 * number), is_new=True)
            # Views of the next part may read what is held.
            connection.execute(f"from {TABLE}").fetchall()
    found = connection.execute(f"from {TABLE} order by all").fetchall()
    assert found == [(0,), (0,), (1,), (2,), (3,), (4,), (10,), (20,), (30,), (40,)]


def test_what_cannot_be_written_is_raised_before_the_next_part(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    def written() -> None:
        with PartWriter(connection, None) as writer:
            writer.write(part(1), scores("no number"), is_new=True)
            writer.write(part(1), scores(1), is_new=True)

    with pytest.raises(duckdb.Error):
        written()
    assert connection.execute(f"from {TABLE}").fetchall() == []


def test_what_cannot_be_written_at_last_is_raised(connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(duckdb.Error), PartWriter(connection, None) as writer:
        writer.write(part(1), scores("no number"), is_new=True)


def test_an_error_of_the_reader_is_not_hidden(connection: duckdb.DuckDBPyConnection) -> None:
    def written() -> None:
        with PartWriter(connection, None) as writer:
            writer.write(part(1), scores("no number"), is_new=True)
            raise RuntimeError("damaged")

    with pytest.raises(RuntimeError, match="damaged"):
        written()
