"""A flipped bit in a page of a shard is reported, wherever it is."""

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest

from mirror_ray.records.checked_parquet import checked_format, parquet_of

_FLIPS = 60


def test_no_flip_in_a_page_goes_unnoticed(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    whole = pa.table({"n": list(range(500)), "text": [f"reply {n * n}" for n in range(500)]})
    parquet_of(whole)(path)
    sound = path.read_bytes()
    footer = int.from_bytes(sound[-8:-4], "little") + 8
    chance = random.Random(22)
    for _ in range(_FLIPS):
        flipped = bytearray(sound)
        flipped[chance.randrange(4, len(sound) - footer)] ^= 1 << chance.randrange(8)
        path.write_bytes(flipped)
        try:
            read = pads.dataset([str(path)], format=checked_format()).to_table()
        except (pa.ArrowException, OSError):
            continue
        assert read.equals(whole)


def test_a_file_without_checksums_is_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": [1]}), tmp_path / "old.parquet")
    read = pads.dataset([str(tmp_path / "old.parquet")], format=checked_format()).to_table()
    assert read["n"].to_pylist() == [1]


@pytest.mark.parametrize("columns", [{}, {"n": []}])
def test_a_table_without_rows_is_written(tmp_path: Path, columns: dict[str, list[int]]) -> None:
    parquet_of(pa.table(columns))(tmp_path / "empty.parquet")
    assert pq.read_table(tmp_path / "empty.parquet").num_rows == 0
