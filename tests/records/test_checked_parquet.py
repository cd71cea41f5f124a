"""A flipped bit or a cut in a Parquet file is reported, wherever it is."""

import random
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest
from pyarrow import fs as pafs

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.checked_parquet import checked_format, parquet_of, refuse_altered
from mirror_ray.records.storage import write_whole

_FLIPS = 60
_LOCAL = pafs.LocalFileSystem()
_WHOLE = pa.table({"n": list(range(500)), "text": [f"reply {n * n}" for n in range(500)]})


def _written(path: Path, table: pa.Table = _WHOLE) -> bytes:
    write_whole(_LOCAL, str(path), parquet_of(table))
    return path.read_bytes()


def test_arrow_finds_every_flip_in_a_page(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    sound = _written(path)
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
        assert read.equals(_WHOLE)


@pytest.mark.parametrize("how", ["flip", "cut"])
def test_no_damage_anywhere_in_a_file_changes_what_duckdb_reads(tmp_path: Path, how: str) -> None:
    path = tmp_path / "part.parquet"
    sound = _written(path)
    chance = random.Random(how)
    reported = 0
    for _ in range(_FLIPS * 5):
        damaged, place = bytearray(sound), chance.randrange(len(sound))
        if how == "flip":
            damaged[place] ^= 1 << chance.randrange(8)
        else:
            del damaged[place:]
        path.write_bytes(damaged)
        try:
            refuse_altered(_LOCAL, [str(path)])
            read = duckdb.execute("from read_parquet($1)", [str(path)]).to_arrow_table()
        except RunDirError as error:
            reported += str(path) in error.where
        except duckdb.Error:
            continue
        else:
            assert read.equals(_WHOLE), f"{how} at {place}"
    assert reported > _FLIPS or how == "cut"


def test_an_unaltered_file_is_read_once_and_an_altered_one_again(tmp_path: Path) -> None:
    path = tmp_path / "part.parquet"
    sound = _written(path)
    refuse_altered(_LOCAL, [str(path)])
    path.write_bytes(sound.replace(b"PAR1", b"PAR2", 1))
    for _ in range(2):
        with pytest.raises(RunDirError, match=r"part\.parquet"):
            refuse_altered(_LOCAL, [str(path)])
    path.write_bytes(sound)
    refuse_altered(_LOCAL, [str(path)])
    with pytest.raises(FileNotFoundError):
        refuse_altered(_LOCAL, [str(path), str(tmp_path / "absent.parquet")])


def test_of_several_altered_files_the_first_is_named(tmp_path: Path) -> None:
    paths = [tmp_path / f"part-{number}.parquet" for number in range(9)]
    for path in paths:
        sound = _written(path)
    refuse_altered(_LOCAL, map(str, paths))
    for number, first in ((7, 7), (3, 3), (6, 3)):
        paths[number].write_bytes(sound.replace(b"PAR1", b"PAR2", 1))
        with pytest.raises(RunDirError, match=rf"part-{first}\."):
            refuse_altered(_LOCAL, map(str, paths))


def test_a_file_without_checksums_is_read(tmp_path: Path) -> None:
    path = tmp_path / "old.parquet"
    pq.write_table(pa.table({"n": [1]}), path)
    refuse_altered(_LOCAL, [str(path)])
    read = pads.dataset([str(path)], format=checked_format()).to_table()
    assert read["n"].to_pylist() == [1]


@pytest.mark.parametrize("columns", [{}, {"n": []}])
def test_a_table_without_rows_is_written(tmp_path: Path, columns: dict[str, list[int]]) -> None:
    path = tmp_path / "empty.parquet"
    _written(path, pa.table(columns))
    refuse_altered(_LOCAL, [str(path)])
    assert pq.read_table(path).num_rows == 0
