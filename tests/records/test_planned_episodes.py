"""The planned episodes as a file: whole, of this sweep, or as if it were not there."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.records.planned_episodes import (
    PLANNED_NAME,
    planned_there,
    table_of_planned,
    write_planned,
)
from support.recorded_run import plan_for


@pytest.fixture
def episodes(tmp_path):
    return plan_for(tmp_path / "run", conditions=("E2", "E1"), runs=3).episodes


def test_what_was_written_is_read_in_its_order(tmp_path, episodes):
    write_planned(tmp_path, "abc", episodes)
    rows = planned_there(tmp_path, "abc").to_pylist()
    assert [row["episode_id"] for row in rows] == [spec.episode_id for spec in episodes]
    assert {(row["family"], row["condition"], row["model"]) for row in rows} == {
        ("selfid", condition, "scripted/blind") for condition in ("E1", "E2")
    }
    assert planned_there(tmp_path, "abc").equals(table_of_planned(episodes))


def test_another_sweep_s_plan_is_not_this_one_s(tmp_path, episodes):
    assert planned_there(tmp_path, "abc") is None
    write_planned(tmp_path, "abc", episodes)
    assert planned_there(tmp_path, "abd") is None


def test_it_is_written_again_only_if_it_differs(tmp_path, episodes):
    path = tmp_path / PLANNED_NAME
    write_planned(tmp_path, "abc", episodes)
    before = path.stat().st_ino
    write_planned(tmp_path, "abc", episodes)
    assert path.stat().st_ino == before
    write_planned(tmp_path, "abc", episodes[1:])
    assert planned_there(tmp_path, "abc").num_rows == len(episodes) - 1


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_flipped_bit_makes_it_as_if_it_were_not_there(tmp_path, episodes, share):
    write_planned(tmp_path, "abc", episodes)
    path = tmp_path / PLANNED_NAME
    content = bytearray(path.read_bytes())
    content[int(share * len(content))] ^= 1
    path.write_bytes(content)
    assert planned_there(tmp_path, "abc") is None


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"episode_id": None},
        {"episode_id": [1]},
        {"episode_id": ["../x"]},
        {"family": ["'; drop"]},
        {"condition": [None]},
        {"model": ["m\n"]},
    ],
)
def test_a_stranger_s_file_is_read_only_if_it_is_like_ours(tmp_path, other):
    ours = {"episode_id": ["x"], "family": ["selfid"], "condition": ["E1"], "model": ["m"]}
    columns = {name: values for name, values in {**ours, **other}.items() if values is not None}
    table = pa.table(columns).replace_schema_metadata({"sweep_sha": "abc"})
    pq.write_table(table, tmp_path / PLANNED_NAME)
    assert (planned_there(tmp_path, "abc") is None) == bool(other)


def test_one_without_metadata_and_text_are_not_read(tmp_path):
    path = tmp_path / PLANNED_NAME
    with pq.ParquetWriter(path, pa.schema([("n", pa.int32())]), store_schema=False) as writer:
        writer.write_table(pa.table({"n": pa.array([1], pa.int32())}))
    assert pq.read_metadata(path).metadata is None
    assert planned_there(tmp_path, "abc") is None
    path.write_text("PAR1 and so on")
    assert planned_there(tmp_path, "abc") is None
