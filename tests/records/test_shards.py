import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs as pafs

from mirror_ray.records.shards import Shards
from mirror_ray.records.storage import storage_of, write_text, write_whole

LOCAL = pafs.LocalFileSystem()


def table(*values: int) -> pa.Table:
    return pa.table({"x": pa.array(values, pa.int32())})


def test_parts_are_numbered_per_family_and_go_on_after_reopening(tmp_path):
    for _ in range(2):
        shards = Shards(str(tmp_path))
        shards.write("a", table(1, 2), table(3, 4))
        shards.write("b", table(1), table(2))
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.parquet"))
    assert names == [
        f"{kind}/family={family}/part-00000{part}.parquet"
        for kind in ("episodes", "steps")
        for family in ("a", "b")
        for part in (1, 2)
    ]
    steps = pq.ParquetFile(tmp_path / "steps/family=a/part-000001.parquet")
    assert steps.read().to_pydict() == {"x": [1, 2]}
    column = steps.metadata.row_group(0).column(0)
    assert column.compression == "ZSTD"
    assert "RLE_DICTIONARY" in column.encodings


def test_leftovers_of_a_crash_go_and_everything_else_stays(tmp_path):
    shards = Shards(str(tmp_path))
    shards.write("a", table(1), table(2))
    shards.write("a", table(3), table(4))
    (tmp_path / "episodes/family=a/part-000002.parquet").unlink()
    (tmp_path / "steps/family=a/.part-000003.parquet.tmp").write_bytes(b"half")
    (tmp_path / "episodes/family=a/.part-000002.parquet.tmp").write_bytes(b"half")
    Shards(str(tmp_path)).remove_leftovers()
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == [
        "episodes/family=a/part-000001.parquet",
        "steps/family=a/part-000001.parquet",
    ]


def test_a_batch_written_again_replaces_steps_whose_marker_never_came(tmp_path):
    shards = Shards(str(tmp_path))
    (tmp_path / "episodes").write_bytes(b"a file where a folder must be")
    with pytest.raises(OSError, match="episodes"):
        shards.write("a", table(1), table(2))
    (tmp_path / "episodes").unlink()
    shards.write("a", table(1), table(2))
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.parquet"))
    assert names == [f"{kind}/family=a/part-000001.parquet" for kind in ("episodes", "steps")]


def test_what_somebody_else_has_written_is_not_written_over(tmp_path):
    ours, theirs = Shards(str(tmp_path)), Shards(str(tmp_path))
    ours.write("a", table(1), table(2))
    theirs.write("a", table(3), table(4))
    with pytest.raises(FileExistsError, match="somebody else"):
        ours.write("a", table(5), table(6))
    assert pq.read_table(tmp_path / "episodes/family=a/part-000002.parquet")["x"].to_pylist() == [4]
    Shards(str(tmp_path)).write("a", table(5), table(6))
    assert len(list(tmp_path.glob("episodes/*/*.parquet"))) == 3


def test_a_file_that_fails_half_way_never_shows(tmp_path):
    def fail(stream) -> None:
        stream.write(b"half")
        raise OSError("disk full")

    path = f"{tmp_path}/whole.txt"
    with pytest.raises(OSError, match="disk full"):
        write_whole(LOCAL, path, fail)
    assert list(tmp_path.iterdir()) == []
    write_text(LOCAL, path, "first")
    with pytest.raises(OSError, match="disk full"):
        write_whole(LOCAL, path, fail)
    assert (tmp_path / "whole.txt").read_text() == "first"


def test_a_relative_path_is_understood(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert storage_of("runs/x")[1] == f"{tmp_path}/runs/x"
