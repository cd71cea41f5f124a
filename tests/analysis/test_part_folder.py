"""A temporary folder lasts as long as its connection, or until another process finds it left."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis.part_folder import part_folder

HOLD = (
    "import sys, time, duckdb; from mirror_ray.analysis.part_folder import part_folder; "
    "held = duckdb.connect(config={'temp_directory': sys.argv[1]}); "
    "(part_folder(held) / 'rows.parquet').write_bytes(b'rows'); print('held', flush=True); "
    "time.sleep(600)"
)


def made_old(folder: Path) -> None:
    os.utime(folder, (1.0, 1.0))


@pytest.fixture
def of_another(tmp_path: Path) -> "Iterator[subprocess.Popen[str]]":
    folder = tmp_path / "duckdb-other"
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    made_old(folder)
    yield process
    process.kill()
    process.communicate()


def folder_of_own(tmp_path: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"temp_directory": str(tmp_path / "duckdb-own")})
    assert part_folder(connection) == tmp_path / "duckdb-own"
    return connection


def test_the_folder_of_a_killed_process_is_removed_and_that_of_a_live_one_is_not(
    tmp_path: Path, of_another: "subprocess.Popen[str]"
) -> None:
    other = tmp_path / "duckdb-other"
    first = folder_of_own(tmp_path)
    assert (other / "rows.parquet").exists()
    first.close()
    of_another.kill()
    of_another.wait()
    assert (other / "rows.parquet").exists()
    del first
    gc.collect()
    assert not (tmp_path / "duckdb-own").exists()
    second = folder_of_own(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["duckdb-own"]
    second.close()


def test_a_new_folder_and_those_of_others_are_left_alone(tmp_path: Path) -> None:
    new, links, foreign = (tmp_path / name for name in ("duckdb-new", "duckdb-link", "foreign"))
    for folder in (new, foreign):
        folder.mkdir()
        (folder / "parts.lock").touch()
    (tmp_path / "duckdb-spilled").mkdir()
    links.symlink_to(foreign)
    made_old(foreign)
    made_old(tmp_path / "duckdb-spilled")
    connection = folder_of_own(tmp_path)
    left = {"duckdb-new", "duckdb-link", "foreign", "duckdb-spilled", "duckdb-own"}
    assert {path.name for path in tmp_path.iterdir()} == left
    assert (foreign / "parts.lock").exists()
    connection.close()


def test_a_connection_has_one_folder(tmp_path: Path) -> None:
    connection = folder_of_own(tmp_path)
    assert part_folder(connection) == tmp_path / "duckdb-own"
    connection.close()
