"""A run directory in Google Cloud Storage, over its API on loopback."""

from pathlib import Path

import pyarrow as pa
import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.storage import files_below, home_of, storage_of
from support.shard_names import plain

SWEEP = {"name": "quick", "models": ["scripted/observer"], "out": "anywhere"}
NOBODY = "gs://no-such-bucket/run"


def make(out: str, **about) -> None:
    with RunDir(out, SWEEP) as run_dir:
        run_dir.describe("name: quick\n", about)


def below(out: str) -> list[str]:
    fs, root = storage_of(out)
    return [path.removeprefix(f"{root}/") for path in files_below(fs, root, "")]


def test_it_is_made_and_gone_on_with(google_bucket):
    out = f"{google_bucket}/deep/down/run"
    make(out, host="first")
    make(f"{out}/", host="second")
    assert below(out) == ["manifest.json", "sweep.yaml"]
    assert [run["host"] for run in read_manifest(out)["runs"]] == ["first", "second"]
    assert not home_of(out).is_relative_to(Path.cwd())


def test_one_head_at_a_time(google_bucket, monkeypatch, tmp_path):
    out = f"{google_bucket}/run"
    make(out)
    with RunDir(out, SWEEP):
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another-head"))
        with pytest.raises(RunDirError, match="in use"):
            RunDir(out, SWEEP)
    make(out)


def test_shards_are_read_back_and_steps_without_a_marker_removed(google_bucket):
    out = f"{google_bucket}/run"
    make(out)
    shards = ShardWriter(out)
    steps = pa.table({"episode_id": ["e1"]})
    takes = pa.array([1], pa.int32())
    episodes = pa.table({"episode_id": ["e1"], "take": takes, "error_kind": ["none"]})
    shards.write("selfid", steps, episodes)
    fs, root = storage_of(out)
    with fs.open_output_stream(f"{root}/steps/family=selfid/part-000002.parquet") as stream:
        stream.write(b"half")
    ShardWriter(out).remove_leftovers()
    assert finished_episodes(out) == {"e1": (1, "none")}
    assert [plain(name) for name in below(out) if name.startswith("steps/")] == [
        "steps/family=selfid/part-000001.parquet"
    ]


def test_a_missing_bucket_is_told(google_bucket):
    with pytest.raises(RunDirError, match="no-such-bucket"):
        make(NOBODY)
