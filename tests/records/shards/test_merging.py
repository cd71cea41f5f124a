"""Merging a run's shards: whatever moment a kill comes at, readers see every row once."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import fs as pafs

from mirror_ray.analysis.readable import readable
from mirror_ray.analysis.shard_views import shard_tables, shard_views
from mirror_ray.analysis.shards import mentioned_shards
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply
from mirror_ray.engine.driver.merging_at_end import merge_if_many
from mirror_ray.records.shard_files import shard_files
from mirror_ray.records.shards import merging
from mirror_ray.records.shards.merging import ShardCount, merge_shards
from mirror_ray.records.shards.reader import sealed_batches, sealed_episode
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.storage import storage_of
from mirror_ray.viewer.live_shards import ShardsRead
from support.mortal_storage import KilledError, Killer, mortal
from support.recorded_run import plan_for, record_run
from support.tampering import flip_byte

SHARDS = 3
DUCKDB = Path(sys.executable).with_name("duckdb")


def flip_a_bit(path: Path) -> None:
    flip_byte(path, random.Random(0))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of five episodes in three shards."""
    folder = tmp_path_factory.mktemp("merging") / "out"
    record_run(plan_for(folder, runs=5), lambda request: Reply("no JSON", cost_usd=0.1))
    return folder


@pytest.fixture
def run(recorded: Path, tmp_path: Path) -> str:
    return str(shutil.copytree(recorded, tmp_path / "run"))


def everything(out: str) -> list[Any]:
    """All rows, by each of the ways of reading them."""
    batches = [episode for batch in sealed_batches(out) for episode in batch.each()]
    columns = [
        sorted(sealed_columns(out, kind, ("episode_id", "cost_usd")).to_pylist(), key=str)
        for kind in ("steps", "episodes")
    ]
    with open_run(out, only=frozenset({"stage.asked"})) as connection:
        counted = [
            connection.sql(f"from {view} select count(*), sum(cost_usd)::decimal(9, 3)").fetchall()
            for view in ("shard.selfid_steps", "shard.selfid_episodes")
        ]
    return [sorted(batches, key=lambda each: each[0]["episode_id"]), columns, counted]


def steps_by_command_line(out: str) -> list[Any]:
    """All steps, as the plain DuckDB binary counts them."""
    query = "select count(*) as n from shard.selfid_steps"
    command = [DUCKDB, "-init", "views.sql", "-json", "-c", query]
    done = subprocess.run(command, cwd=out, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def merged_by_a_process_that_is_killed(
    out: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], bool]]:
    """Merging that is killed before its first change, its second, and so on to the end."""
    for n in range(1_000):

        def is_killed(n: int = n) -> bool:
            killer = Killer(n)
            with monkeypatch.context() as patch:
                fs, root = storage_of(out)
                patch.setattr(merging, "storage_of", lambda _: (mortal(fs, killer), root))
                try:
                    merge_shards(out)
                except KilledError:
                    return True
            return False

        yield is_killed


def test_a_kill_at_any_moment_neither_loses_nor_repeats_a_row(recorded, tmp_path, monkeypatch):
    out = str(tmp_path / "run")
    before = everything(str(recorded))
    n_kills = 0
    for is_killed in merged_by_a_process_that_is_killed(out, monkeypatch):
        shutil.copytree(recorded, out)
        if not is_killed():
            break
        n_kills += 1
        assert everything(out) == before
        ShardWriter(out).remove_leftovers()
        merge_shards(out)
        assert everything(out) == before
        assert len(list(Path(out).rglob("*.parquet"))) == 2
        shutil.rmtree(out)
    # Two files are written and renamed, and those of three shards removed.
    assert n_kills == 4 + 2 * SHARDS
    assert everything(out) == before
    assert [path.name.rpartition("-")[0] for path in Path(out).rglob("*.parquet")] == [
        "part-000001-to-000003"
    ] * 2


def test_a_kill_in_an_object_store_neither_loses_nor_repeats_a_row(
    recorded, bucket, store, monkeypatch
):
    before = everything(str(recorded))
    for number, is_killed in enumerate(
        merged_by_a_process_that_is_killed(f"{bucket}/run", monkeypatch)
    ):
        out = f"{bucket}/run"
        fs, root = storage_of(out)
        fs.delete_dir_contents(root, missing_dir_ok=True)
        pafs.copy_files(str(recorded), root, pafs.LocalFileSystem(), fs)
        if not is_killed():
            break
        # Between two deletions much is alike.
        if number in (1, 2 + SHARDS):
            assert everything(out) == before
            ShardWriter(out).remove_leftovers()
            assert everything(out) == before
    assert everything(out) == before
    assert len([key for key in store.keys(out) if key.endswith(".parquet")]) == 2


def test_the_command_line_of_duckdb_skips_what_a_killed_merge_left(run, monkeypatch):
    shards = mentioned_shards(["from shard.selfid_steps"])
    statements = (*shard_tables(shards, None, "views.sql"), *shard_views(shards))
    Path(run, "views.sql").write_text("\n".join(("create schema shard;", *statements)))
    n_steps = sealed_columns(run, "steps", ("episode_id",)).num_rows
    kills = merged_by_a_process_that_is_killed(run, monkeypatch)
    is_killed = next(each for n, each in enumerate(kills) if n == 4)
    assert is_killed()
    assert steps_by_command_line(run) == [{"n": n_steps}]


def test_merging_again_takes_new_shards_and_small_merged_ones(run):
    before = everything(run)
    assert merge_shards(run) == ShardCount(3, 1)
    assert merge_shards(run) == ShardCount(1, 1)
    steps, episodes = (
        pq.read_table(next(Path(run).glob(f"{kind}/*/*.parquet"))) for kind in ("steps", "episodes")
    )
    takes = pa.array([2] * len(steps), pa.int32()), pa.array([2] * len(episodes), pa.int32())
    next_take = [
        table.set_column(table.column_names.index("take"), table.schema.field("take"), [column])
        for table, column in zip((steps, episodes), takes, strict=True)
    ]
    ShardWriter(run).write("selfid", *next_take)
    (name,) = {path.name.rpartition("-")[0] for path in Path(run).rglob("part-000004-*")}
    assert name == "part-000004"
    assert merge_shards(run) == ShardCount(2, 1)
    after = everything(run)
    assert len(after[0]) == len(before[0])
    assert {episode["take"] for episode, _ in after[0]} == {2}
    assert after[2][0][0][0] == 2 * before[2][0][0][0]


def test_merged_shards_are_bounded_and_read_by_their_groups(run, monkeypatch):
    before = everything(run)
    n_steps = sealed_columns(run, "steps", ("episode_id",)).num_rows
    monkeypatch.setattr(merging, "MOST_STEPS", n_steps // 2)
    monkeypatch.setattr(merging, "_GROUP_STEPS", 1)
    assert merge_shards(run) == ShardCount(3, 2)
    files = list(Path(run).rglob("part-*-to-*"))
    assert sorted(pq.read_metadata(path).num_row_groups for path in files) == [2, 2]
    assert everything(run) == before
    listed = sealed_columns(run, "episodes", ("episode_id", "take"), shard_as="shard").to_pylist()
    for row in listed:
        episode, asks = sealed_episode(run, row["shard"], row["episode_id"], row["take"])
        assert (episode, asks) in before[0]
    # They are large for these bounds.
    assert merge_shards(run) == ShardCount(2, 2)


def test_a_damaged_shard_is_named_and_nothing_is_removed(run):
    (path,) = Path(run).glob("steps/*/part-000003.parquet")
    flip_a_bit(path)
    with pytest.raises(RunDirError, match="part-000003"):
        merge_shards(run)
    assert len(list(Path(run).rglob("part-00000?.parquet"))) == 2 * SHARDS


def test_a_damaged_merged_shard_replaces_nothing(run, monkeypatch):
    kills = merged_by_a_process_that_is_killed(run, monkeypatch)
    assert next(each for n, each in enumerate(kills) if n == 4)()
    (merged,) = Path(run).glob("episodes/*/*-to-*")
    flip_a_bit(merged)
    with pytest.raises(RunDirError, match="-to-"):
        ShardWriter(run).remove_leftovers()
    assert len(list(Path(run).rglob("part-00000?.parquet"))) == 2 * SHARDS


def test_another_runs_shards_in_the_same_folder_stay(run, recorded):
    merge_shards(run)
    for kind in ("steps", "episodes"):
        folder = Path(run, kind, "family=selfid")
        shutil.copy(
            recorded / kind / "family=selfid/part-000002.parquet", folder / "part-2-ab.parquet"
        )
    fs, root = storage_of(run)
    assert len(shard_files(fs, f"{root}/steps")) == 2
    ShardWriter(run).remove_leftovers()
    assert len(shard_files(fs, f"{root}/steps")) == 2


def read_all(live: ShardsRead) -> None:
    live.read()
    while live.n_left:
        live.read()


def test_a_page_that_is_open_starts_over(run):
    live = ShardsRead(run)
    read_all(live)
    count = "select count(*), count(distinct shard) from ended"
    assert live.connection.execute(count).fetchall() == [(5, 3)]
    merge_shards(run)
    read_all(live)
    assert live.connection.execute(count).fetchall() == [(5, 1)]


def test_a_query_that_was_overtaken_says_so(run):
    def overtaken() -> None:
        with readable([run], "the run cannot be read"), open_run(run) as connection:
            merge_shards(run)
            connection.execute("from shard.selfid_steps").fetchall()

    with pytest.raises(RunDirError, match="merges its shards"):
        overtaken()


def test_the_end_of_a_run_merges_many_shards_and_leaves_sealed_ones(run, capsys, monkeypatch):
    said: list[str] = []
    merge_if_many(run, said.append)
    assert len(list(Path(run).rglob("part-00000?.parquet"))) == 2 * SHARDS
    monkeypatch.setattr("mirror_ray.engine.driver.merging_at_end._MANY", SHARDS)
    Path(run, "seal-2.json").touch()
    merge_if_many(run, said.append)
    assert len(list(Path(run).rglob("part-00000?.parquet"))) == 2 * SHARDS
    assert main(["compact", run]) == 2
    assert "seal-2.json" in capsys.readouterr().err
    Path(run, "seal-2.json").unlink()
    (path,) = Path(run).glob("steps/*/part-000003.parquet")
    content = path.read_bytes()
    flip_a_bit(path)
    merge_if_many(run, said.append)
    assert "mirror-ray compact" in said[0]
    path.write_bytes(content)
    merge_if_many(run, said.append)
    assert len(said) == 1
    assert len(list(Path(run).rglob("*.parquet"))) == 2


def test_compact_prints_files_and_refuses_what_is_no_run(run, tmp_path, capsys):
    assert main(["compact", run, "--json"]) == 0
    assert '"files_after": 2' in capsys.readouterr().out
    assert main(["verify", run, "--all"]) in (0, 1)
    assert main(["compact", str(tmp_path / "nothing")]) == 2
