"""The ends of Parquet files: the same as Arrow says of them, whoever wrote the files."""

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.footers import read_footers
from mirror_ray.contract.columns import columns_of
from mirror_ray.records.schemas import STEPS, with_family_columns


def written(path: Path, table: pa.Table, **options: object) -> str:
    pq.write_table(table, path, **options)
    return str(path)


def test_rows_and_columns_are_those_that_arrow_reads(tmp_path: Path) -> None:
    schema = with_family_columns(STEPS, columns_of("selfid").steps)
    nested = pa.table({"a": [[{"b": 1, "c": [True]}]] * 300})
    of_duckdb = str(tmp_path / "of_duckdb.parquet")
    with duckdb.connect() as connection:
        connection.sql("select range as a from range(70000)").write_parquet(of_duckdb)
    paths = [
        written(tmp_path / "none.parquet", schema.empty_table()),
        written(tmp_path / "some.parquet", pa.table({"a": [1, 2, 3]})),
        written(tmp_path / "others.parquet", pa.table({"a": list(range(200))}), compression="zstd"),
        written(tmp_path / "text.parquet", pa.table({"a": ["x"]})),
        written(tmp_path / "many.parquet", pa.table({f"column_{i}": [i] for i in range(300)})),
        written(tmp_path / "nested.parquet", nested, row_group_size=7),
        written(tmp_path / "again.parquet", pa.table({"a": [4]})),
        of_duckdb,
    ]
    found = read_footers(paths)
    assert found.n_rows == {path: pq.read_metadata(path).num_rows for path in paths}
    assert found.n_bytes == {path: Path(path).stat().st_size for path in paths}
    # Two files have the columns of one before.
    assert found.samples == [path for path in paths if Path(path).stem not in ("others", "again")]


def test_what_is_no_parquet_file_is_refused(tmp_path: Path) -> None:
    whole = Path(written(tmp_path / "a.parquet", pa.table({"a": [1, 2, 3]}))).read_bytes()
    length = int.from_bytes(whole[-8:-4], "little")
    for name, content in {
        "empty": b"",
        "short": b"PAR1",
        "cut off": whole[:-20],
        "a footer longer than the file": whole[:-8] + (2**31).to_bytes(4, "little") + b"PAR1",
        "an empty footer": whole[:4] + bytes(4) + b"PAR1",
        "nothing but zeros": whole[: -8 - length] + bytes(length) + whole[-8:],
        "numbers without an end": whole[: -8 - length] + b"\xff" * length + whole[-8:],
        # A list of lists of lists, and one of more items than there are bytes.
        "deep": whole[: -8 - length] + b"\x15\x04\x19" + b"\x19" * (length - 3) + whole[-8:],
        "many": whole[: -8 - length]
        + b"\x15\x04\x19\xf1\xff\xff\xff\x7f".ljust(length, b"\0")
        + whole[-8:],
    }.items():
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(content)
        with pytest.raises(pa.ArrowInvalid):
            read_footers([str(path)])


def test_no_change_of_a_byte_ends_in_another_error(tmp_path: Path) -> None:
    whole = Path(written(tmp_path / "a.parquet", pa.table({"a": [1], "b": ["x"]}))).read_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / "changed.parquet"
    n_refused = 0
    for place in range(len(whole) - 250, len(whole)):
        changed = bytearray(whole)
        changed[place] = int(rng.integers(256))
        path.write_bytes(changed)
        try:
            assert isinstance(read_footers([str(path)]).n_rows[str(path)], int)
        except pa.ArrowInvalid:
            n_refused += 1
    assert n_refused
