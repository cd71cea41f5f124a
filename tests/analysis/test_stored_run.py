"""A run in an object store is read as one on disk: the same views, the same rows."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis.bootstrap import bootstrap_run
from mirror_ray.analysis.paired import compare_run
from mirror_ray.analysis.warehouse import open_run, write_views
from mirror_ray.records.storage import storage_of
from support.analysis.synthetic_runs import Played, moments, scenes, write_run
from support.object_store import SECRET

VIEWS = ("stage.selfid_steps", "episode.selfid", "metric.selfid", "metric.selfid_bca")
RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))


def upload(directory: Path, bucket: str) -> str:
    fs, root = storage_of(f"{bucket}/a run")
    for path in directory.rglob("*.parquet"):
        with fs.open_output_stream(f"{root}/{path.relative_to(directory)}") as stream:
            stream.write(path.read_bytes())
    return f"{bucket}/a run"


def test_every_view_says_what_it_says_on_disk(tmp_path, bucket):
    failed = replace(RIGHT, scene_seed=3, error_kind="timeout")
    here = write_run(tmp_path, [*scenes(RIGHT, 3), failed])
    # A second shard, of an older schema.
    (shard,) = tmp_path.glob("steps/**/*.parquet")
    table = pq.ParquetFile(shard).read()
    pq.write_table(table.slice(0, 2), shard)
    older = table.slice(2).drop_columns(["summary", "bumped"])
    pq.write_table(older, shard.with_name("part-000002.parquet"))
    there = upload(tmp_path, bucket)
    bootstrap_run(here, draws=200)
    assert f"{there}/intervals/selfid.parquet" in bootstrap_run(there, draws=200)
    with open_run(here) as on_disk, open_run(there) as stored:
        for view in VIEWS:
            query = f"select * from {view} order by all"  # noqa: S608
            left, right = on_disk.execute(query), stored.execute(query)
            assert left.description == right.description
            rows = left.fetchall()
            assert rows
            assert rows == right.fetchall()


def test_paired_differences_are_kept_in_the_store(tmp_path, bucket):
    slower = replace(RIGHT, model="scripted/slow", moments=moments(*["w red 80"] * 4))
    there = upload(Path(write_run(tmp_path, [*scenes(RIGHT, 3), *scenes(slower, 3)])), bucket)
    assert compare_run(there, draws=50) == f"{there}/intervals/paired_differences.parquet"
    with open_run(there) as stored:
        query = "select difference, p from contrast.pairs where metric = 'ttd'"
        # All three scenes point one way: 2 of their 8 flips are as far.
        assert stored.execute(query).fetchall() == [(1.0, 0.25)]


def test_without_a_shard_every_view_is_there_and_empty(bucket):
    with pytest.raises(NotADirectoryError, match="nothing"):
        open_run(f"{bucket}/nothing")
    write_views(f"{bucket}/bare")
    with open_run(f"{bucket}/bare") as bare:
        for view in VIEWS:
            assert bare.execute(f"select count(*) from {view}").fetchone() == (0,)  # noqa: S608


def test_the_views_name_the_store_and_no_secret(bucket, store):
    assert write_views(f"{bucket}/run/") == f"{bucket}/run/views.sql"
    text = store.read(f"{bucket}/run/views.sql")
    assert f"glob('{bucket}/run/steps/family=selfid/" in text
    assert SECRET not in text
    assert "testing" not in text
