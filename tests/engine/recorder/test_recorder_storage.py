"""The Recorder when its storage fails: what is recorded stays, and goes on once it is mended."""

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.records.storage import home_of
from support.cuttable_wire import wire_to
from support.engine.recorder_samples import COST_USD, SCHEMAS, entry, finished
from support.shard_names import plain
from support.small_disks import enlarge, fill, read_only, small_disk


async def test_a_full_disk_keeps_every_acknowledged_reply(tmp_path):
    with small_disk(tmp_path / "disk", "1m") as out:
        recorder = Recorder(str(out), SCHEMAS)
        kept: list[str] = []

        async def record_on_and_on() -> None:
            while True:
                words = f"{len(kept)}{'x' * 4096}"
                await recorder.record(entry("e", len(kept) + 1, words))
                kept.append(words)

        with pytest.raises(RunDirError, match=r"(?s)disk is full.*fix:"):
            await record_on_and_on()
        assert kept
        recorder._close_all()  # the run ends: sealing would find no room either
        enlarge(out, "8m")
        recorder = Recorder(str(out), SCHEMAS)
        (prefix,) = (await recorder.prefixes(["e"])).values()
        assert [one.reply.text for one in prefix] == kept
        assert (await recorder.stats()).spent_usd == pytest.approx(len(kept) * COST_USD)
        next_ask = len(kept) + 1
        await recorder.record(entry("e", next_ask, "there is room again"))
        await recorder.close()


def test_a_disk_that_is_full_from_the_start_is_said(tmp_path):
    with small_disk(tmp_path / "disk", "256k") as disk:
        fill(disk)
        with (
            RunDir(str(disk / "run"), {}) as run_dir,
            pytest.raises(RunDirError, match=r"(?s)No space left.*make room and run the same"),
        ):
            run_dir.describe("", {})
        with pytest.raises(RunDirError, match=r"(?s)fix: .*make room and run the same"):
            Recorder(str(disk / "run"), SCHEMAS)


async def test_a_disk_too_full_for_a_shard(tmp_path):
    """The shard does not fit, the journal that holds its episodes does."""
    with small_disk(tmp_path / "disk", "1m") as out:
        recorder = Recorder(str(out), SCHEMAS)
        await recorder.finish(finished("e", [entry("e", 1, "x")]))
        ballast = fill(out)
        full = r"(?s)(No space left|disk is full).*make room and run the same"
        with pytest.raises(RunDirError, match=full):
            await recorder.seal()
        ballast.unlink()
        await recorder.close()
        assert finished_episodes(str(out)) == {"e": (1, "none")}
        assert list(out.rglob("*.tmp")) == []


async def test_shards_that_may_not_be_written(tmp_path):
    recorder = Recorder(str(tmp_path), SCHEMAS)
    await recorder.finish(finished("e", [entry("e", 1, "x")]))
    await recorder.seal()
    await recorder.finish(finished("f", [entry("f", 1, "x")]))
    with (
        read_only(tmp_path / "steps"),
        pytest.raises(RunDirError, match=r"(?s)Read-only file system.*nothing is lost"),
    ):
        await recorder.seal()
    await recorder.close()
    assert set(finished_episodes(str(tmp_path))) == {"e", "f"}


def test_a_directory_that_may_only_be_read_is_refused_at_once(tmp_path):
    with read_only(tmp_path), pytest.raises(RunDirError, match=r"Read-only file system"):
        RunDir(str(tmp_path), {})


async def test_a_store_out_of_reach_loses_nothing(bucket, store, monkeypatch):
    out = f"{bucket}/run"
    home = home_of(out)
    home.mkdir(parents=True)
    with wire_to(store.port) as wire:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{wire.port}")
        recorder = Recorder(out, SCHEMAS)
        await recorder.record(entry("e", 1, "x"))
        await recorder.finish(finished("e", [entry("e", 1, "x")]))
        wire.cut()
        with pytest.raises(RunDirError, match=r"(?s)cannot be reached.*nothing is lost"):
            await recorder.seal()
        assert (await recorder.stats()).unsealed == 1
        recorder._close_all()  # the run ends
        with pytest.raises(RunDirError, match="cannot be reached"):
            Recorder(out, SCHEMAS)
        wire.mend()
        recorder = Recorder(out, SCHEMAS)
        await recorder.close()
        assert finished_episodes(out) == {"e": (1, "none")}
    assert [plain(name) for name in store.keys(out) if name.endswith(".parquet")] == [
        "episodes/family=alpha/part-000001.parquet",
        "steps/family=alpha/part-000001.parquet",
    ]
