"""A run directory in an object store, over a real S3 API: whole files, clear refusals."""

import json
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.storage import files_below, home_of, storage_of, write_text, write_whole
from mirror_ray.records.storage_fault import storage_fault
from support.object_store import SECRET, ObjectStore, object_store
from support.shard_names import plain

SWEEP = {"name": "quick", "models": ["scripted/observer"], "out": "anywhere"}


def steps(*ids: str) -> pa.Table:
    return pa.table({"episode_id": ids})


def episodes(*ids: str) -> pa.Table:
    takes = pa.array([1] * len(ids), pa.int32())
    return pa.table({"episode_id": ids, "take": takes, "error_kind": ["none"] * len(ids)})


def make(out: str, **about) -> None:
    with RunDir(out, SWEEP) as run_dir:
        run_dir.describe("name: quick\n", about)


def test_it_is_made_described_and_leaves_nothing_else(bucket, store):
    out = f"{bucket}/deep/down/run"
    make(out, host="first")
    make(f"{out}/", host="second")
    assert store.keys(out) == ["manifest.json", "sweep.yaml"]
    assert [run["host"] for run in read_manifest(out)["runs"]] == ["first", "second"]
    assert SECRET not in store.read(f"{out}/manifest.json")
    with pytest.raises(RunDirError, match="another sweep"):
        RunDir(out, {**SWEEP, "name": "other"})


def test_the_journal_has_one_home_per_address(bucket, tmp_path, monkeypatch):
    out = f"{bucket}/run"
    assert home_of(out) == home_of(f"{out}/")
    assert home_of(out) != home_of(f"{bucket}/ruN")
    assert home_of(out).parent == tmp_path / "state" / "mirror-ray"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert home_of(out).parent == Path("/home/somebody/.local/state/mirror-ray")
    assert home_of("runs/x") == Path("runs/x").absolute()


def test_a_journal_that_stayed_elsewhere_is_said(bucket, tmp_path, monkeypatch):
    out = f"{bucket}/run"
    with RunDir(out, SWEEP) as run_dir:
        assert run_dir.notes() == [f"Journal of {out}: {home_of(out)}"]
        run_dir.describe("", {})
        (run_dir.home / "journal.sqlite").write_bytes(b"")
    with RunDir(out, SWEEP) as run_dir:
        assert len(run_dir.notes()) == 1
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another head"))
    with RunDir(out, SWEEP) as run_dir:
        where, lost = run_dir.notes()
    assert "another head" in where
    assert "No journal" in lost


def test_shards_are_whole_and_their_marker_comes_last(bucket, store):
    out = f"{bucket}/run"
    ShardWriter(out).write("a", steps("x"), episodes("x"))
    ShardWriter(out).write("a", steps("y"), episodes("y"))
    assert [plain(name) for name in store.keys(out)] == [
        "episodes/family=a/part-000001.parquet",
        "episodes/family=a/part-000002.parquet",
        "steps/family=a/part-000001.parquet",
        "steps/family=a/part-000002.parquet",
    ]
    fs, root = storage_of(out)
    fs.delete_file(f"{root}/{store.keys(out)[1]}")
    ShardWriter(out).remove_leftovers()
    assert [plain(name) for name in store.keys(out) if name.startswith("steps")] == [
        "steps/family=a/part-000001.parquet"
    ]
    assert finished_episodes(out) == {"x": (1, "none")}


def test_what_fails_half_way_is_never_put(bucket, store):
    fs, root = storage_of(f"{bucket}/run")

    def fail(stream) -> None:
        stream.write(b"half" * 2**22)
        raise OSError("cannot go on")

    with pytest.raises(OSError, match="cannot go on"):
        write_whole(fs, f"{root}/whole.txt", fail)
    assert store.keys(f"{bucket}/run") == []
    write_text(fs, f"{root}/whole.txt", "first")
    with pytest.raises(OSError, match="cannot go on"):
        write_whole(fs, f"{root}/whole.txt", fail)
    assert store.read(f"{bucket}/run/whole.txt") == "first"


def test_a_file_larger_than_one_part_is_whole(bucket):
    fs, root = storage_of(f"{bucket}/run")
    table = pa.table({"x": np.random.default_rng(0).integers(2**60, size=3 * 2**20)})
    write_whole(fs, f"{root}/large.parquet", partial(pq.write_table, table))
    assert fs.get_file_info(f"{root}/large.parquet").size > 20 * 2**20
    assert pq.read_table(f"{root}/large.parquet", filesystem=fs).equals(table)


def test_more_files_than_a_listing_has(bucket, monkeypatch):
    """A listing has 1,000 names at most; the rest comes page by page."""
    with object_store("--many", "run/episodes/family=a/part-", "1101") as full:
        monkeypatch.setenv("AWS_ENDPOINT_URL", full.env["AWS_ENDPOINT_URL"])
        fs, root = storage_of("s3://many/run")
        assert len(list(files_below(fs, f"{root}/episodes", ".parquet"))) == 1101
        ShardWriter("s3://many/run").write("a", steps("y"), episodes("y"))
        assert plain(full.keys("s3://many/run")[-1]) == "steps/family=a/part-001102.parquet"


def test_a_folder_of_something_else_is_left_alone(bucket, store):
    fs, root = storage_of(f"{bucket}/mine")
    write_text(fs, f"{root}/notes.txt", "mine")
    with pytest.raises(RunDirError, match=r"contains notes\.txt"):
        RunDir(f"{bucket}/mine", SWEEP)
    assert store.keys(f"{bucket}/mine") == ["notes.txt"]


def refusal(out: str) -> str:
    with pytest.raises(RunDirError) as caught:
        RunDir(out, SWEEP)
    text = str(caught.value)
    assert all(word in text for word in ("got:", "allowed:", "fix:"))
    assert SECRET not in text
    return text


def test_a_missing_bucket_is_named(bucket):
    text = refusal("s3://nowhere-at-all/run")
    assert "no such bucket" in text
    assert "AWS_ENDPOINT_URL (now http://127.0.0.1:" in text


def test_who_may_read_google_is_asked_for_by_its_own_name(monkeypatch):
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    told = storage_fault("gs://bucket/run", OSError("PERMISSION_DENIED: Permission denied"), "x")
    assert "set now: none of GOOGLE_APPLICATION_CREDENTIALS" in str(told)


def test_a_store_that_does_not_answer_is_named(bucket, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://someone:{SECRET}@127.0.0.1:1")
    text = refusal(f"{bucket}/run")
    assert "cannot be reached" in text
    assert "http://127.0.0.1:1" in text


@pytest.mark.parametrize(
    "out",
    [
        f"s3://key:{SECRET}@bucket/run",
        f"s3://bucket/run?secret_key={SECRET}",
        f"ftp://{SECRET}/run",
        "s3://",
        "s3://bucket//run",
    ],
)
def test_an_address_holds_a_bucket_and_a_prefix_only(out, bucket, tmp_path):
    assert "s3://bucket/prefix" in refusal(out)
    assert not (tmp_path / "state").exists()


def test_no_manifest_is_no_run_directory(bucket):
    with pytest.raises(RunDirError, match=r"no manifest\.json"):
        read_manifest(f"{bucket}/run")


def test_a_damaged_manifest_is_reported(bucket):
    fs, root = storage_of(f"{bucket}/run")
    write_text(fs, f"{root}/manifest.json", json.dumps({"sweep_sha": "x"}))
    with pytest.raises(RunDirError, match=r"damaged manifest\.json"):
        RunDir(f"{bucket}/run", SWEEP)


@pytest.fixture
def guarded(monkeypatch) -> Iterator[ObjectStore]:
    """A store that asks who calls: the bucket is there, a user's keys are, no policy is."""
    monkeypatch.setenv("INITIAL_NO_AUTH_ACTION_COUNT", "3")
    with object_store() as running:
        running.make_bucket("guarded")
        iam = running.client("iam")
        iam.create_user(UserName="somebody")
        key = iam.create_access_key(UserName="somebody")["AccessKey"]
        for name, value in running.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key["AccessKeyId"])
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key["SecretAccessKey"])
        yield running


def test_no_permission_is_said_with_what_is_needed(guarded, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    text = refusal("s3://guarded/run")
    assert "no permission" in text
    assert "may list, read, write and delete" in text
    assert "set now: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY of" in text
    assert os.environ["AWS_SECRET_ACCESS_KEY"] not in text

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAUNKNOWN")
    assert "no permission" in refusal("s3://guarded/run")
    with pytest.raises(RunDirError, match="no permission"):
        read_manifest("s3://guarded/run")
