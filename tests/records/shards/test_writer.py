import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs as pafs

from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.storage import storage_of, write_text, write_whole
from support.shard_names import plain, without_marks

LOCAL = pafs.LocalFileSystem()


def table(*values: int) -> pa.Table:
    return pa.table({"x": pa.array(values, pa.int32())})


def test_parts_are_numbered_per_family_and_go_on_after_reopening(tmp_path):
    for _ in range(2):
        shards = ShardWriter(str(tmp_path))
        shards.write("a", table(1, 2), table(3, 4))
        shards.write("b", table(1), table(2))
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.parquet"))
    assert [plain(name) for name in names] == [
        f"{kind}/family={family}/part-00000{part}.parquet"
        for kind in ("episodes", "steps")
        for family in ("a", "b")
        for part in (1, 2)
    ]
    assert len({name.rpartition("-")[2] for name in names}) == 2
    (first,) = tmp_path.glob("steps/family=a/part-000001-*.parquet")
    steps = pq.ParquetFile(first)
    assert steps.read().to_pydict() == {"x": [1, 2]}
    column = steps.metadata.row_group(0).column(0)
    assert column.compression == "ZSTD"
    assert "RLE_DICTIONARY" in column.encodings


def test_leftovers_of_a_crash_go_and_everything_else_stays(tmp_path):
    shards = ShardWriter(str(tmp_path))
    shards.write("a", table(1), table(2))
    shards.write("a", table(3), table(4))
    without_marks(tmp_path)
    (tmp_path / "episodes/family=a/part-000002.parquet").unlink()
    (tmp_path / "steps/family=a/.part-000003.parquet.tmp").write_bytes(b"half")
    (tmp_path / "episodes/family=a/.part-000002.parquet.tmp").write_bytes(b"half")
    ShardWriter(str(tmp_path)).remove_leftovers()
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["episodes/family=a/part-000001.parquet", "steps/family=a/part-000001.parquet"]


def test_a_batch_written_again_replaces_steps_whose_marker_never_came(tmp_path):
    shards = ShardWriter(str(tmp_path))
    (tmp_path / "episodes").write_bytes(b"a file where a folder must be")
    with pytest.raises(OSError, match="episodes"):
        shards.write("a", table(1), table(2))
    (tmp_path / "episodes").unlink()
    shards.write("a", table(1), table(2))
    names = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.parquet"))
    assert [plain(name) for name in names] == [
        f"{kind}/family=a/part-000001.parquet" for kind in ("episodes", "steps")
    ]


def test_what_somebody_else_has_written_is_not_written_over(tmp_path):
    ours, theirs = ShardWriter(str(tmp_path)), ShardWriter(str(tmp_path))
    ours.write("a", table(1), table(2))
    theirs.write("a", table(3), table(4))
    with pytest.raises(FileExistsError, match="somebody else"):
        ours.write("a", table(5), table(6))
    (second,) = tmp_path.glob("episodes/family=a/part-000002-*.parquet")
    assert pq.read_table(second)["x"].to_pylist() == [4]
    ShardWriter(str(tmp_path)).write("a", table(5), table(6))
    assert len(list(tmp_path.glob("episodes/*/*.parquet"))) == 3


def test_shards_of_two_directories_lie_side_by_side_in_one(tmp_path):
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        ShardWriter(str(tmp_path / name)).write("a", table(1), table(2))
        shutil.copytree(tmp_path / name, tmp_path / "both", dirs_exist_ok=True)
    assert len(list((tmp_path / "both").rglob("*.parquet"))) == 4
    ShardWriter(str(tmp_path / "both")).remove_leftovers()
    ShardWriter(str(tmp_path / "both")).write("a", table(3), table(4))
    assert len(list((tmp_path / "both").glob("steps/*/part-000002-*.parquet"))) == 1


def test_a_run_of_before_there_were_marks_goes_on(tmp_path):
    ShardWriter(str(tmp_path)).write("a", table(1), table(2))
    without_marks(tmp_path)
    shards = ShardWriter(str(tmp_path))
    shards.remove_leftovers()
    shards.write("a", table(3), table(4))
    assert sorted(plain(path.name) for path in tmp_path.glob("episodes/*/*")) == [
        "part-000001.parquet",
        "part-000002.parquet",
    ]


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
