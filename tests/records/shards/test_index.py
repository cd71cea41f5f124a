import numpy as np
import pyarrow as pa
import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.shards.shard_index import finished_episodes, sealed_costs_usd
from mirror_ray.records.shards.writer import ShardWriter


def episodes(*ends: tuple[str, int, str]) -> pa.Table:
    ids, takes, kinds = zip(*ends, strict=True)
    return pa.table(
        {"episode_id": ids, "take": pa.array(takes, pa.int32()), "error_kind": kinds, "other": ids}
    )


def steps(*costs: tuple[str, int, float | None]) -> pa.Table:
    ids, takes, usd = zip(*costs, strict=True)
    return pa.table(
        {
            "episode_id": ids,
            "take": pa.array(takes, pa.int32()),
            "cost_usd": pa.array(usd, pa.float64()),
        }
    )


def test_an_empty_run_directory_has_nothing(tmp_path):
    assert finished_episodes(str(tmp_path)) == {}
    assert sealed_costs_usd(str(tmp_path)) == {}


def test_the_latest_take_counts_whatever_the_order_of_the_files(tmp_path):
    shards = ShardWriter(str(tmp_path))
    one = steps(("x", 1, None))
    shards.write("b", one, episodes(("x", 2, "none"), ("y", 1, "budget")))
    shards.write("a", one, episodes(("x", 1, "timeout")))
    shards.write("a", one, episodes(("y", 3, "refusal"), ("y", 2, "server")))
    assert finished_episodes(str(tmp_path)) == {"x": (2, "none"), "y": (3, "refusal")}


def test_costs_are_those_of_the_latest_takes(tmp_path):
    """x: 0.25 + 0.5 in take 2, its first take's 0.25 is the same reply; y: unknown and 0.125."""
    shards = ShardWriter(str(tmp_path))
    end = episodes(("x", 1, "none"))
    shards.write("a", steps(("x", 1, 0.25), ("y", 1, None), ("y", 1, 0.125)), end)
    shards.write("a", steps(("x", 2, 0.25), ("x", 2, 0.5)), end)
    assert sealed_costs_usd(str(tmp_path)) == {"x": 0.75, "y": 0.125}


def test_a_damaged_shard_is_reported(tmp_path):
    ShardWriter(str(tmp_path)).write("a", steps(("x", 1, None)), episodes(("x", 1, "none")))
    (path,) = tmp_path.glob("episodes/family=a/part-000001-*.parquet")
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(RunDirError, match="part-000001"):
        finished_episodes(str(tmp_path))


@pytest.mark.parametrize("column", ["episode_id", "error_kind"])
def test_bytes_that_are_no_text_are_reported(tmp_path, column):
    """Arrow reads and writes them without looking."""
    ends = episodes(("x", 1, "none"))
    place = ends.column_names.index(column)
    no_text = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xfe")]
    )
    ends = ends.set_column(place, column, no_text)
    ShardWriter(str(tmp_path)).write("a", steps(("x", 1, None)), ends)
    with pytest.raises(RunDirError, match=f"part-000001.*\n.*{column}.*UTF8"):
        finished_episodes(str(tmp_path))


def test_two_hundred_thousand_episodes(tmp_path):
    """Only three columns are read, so that a large run resumes at once."""
    shards = ShardWriter(str(tmp_path))
    for part in range(20):
        ids = [f"{part:08x}{number:08x}" for number in range(10_000)]
        table = pa.table(
            {
                "episode_id": ids,
                "take": pa.array(np.ones(10_000), pa.int32()),
                "error_kind": ["none"] * 10_000,
            }
        )
        shards.write("a", steps(("x", 1, None)), table)
    assert len(finished_episodes(str(tmp_path))) == 200_000
