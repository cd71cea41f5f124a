"""A Recorder whose disk or sealing fails: it says so, and what was paid is kept."""

import asyncio
from pathlib import Path

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.lock import Lock
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.records.shards.shard_index import finished_episodes
from support.engine.recorder_samples import SCHEMAS, entry, finished


def opened(out: Path, **bounds) -> Recorder:
    return Recorder(str(out), SCHEMAS, SealBounds(**bounds))


async def test_a_full_disk_is_reported_and_loses_nothing(tmp_path):
    recorder = opened(tmp_path)
    (tmp_path / "steps").write_bytes(b"a file where a folder must be")
    await recorder.finish(finished("e", [entry("e", 1, "x")]))
    with pytest.raises(RunDirError, match="nothing is lost"):
        await recorder.seal()
    (tmp_path / "steps").unlink()
    await recorder.close()
    assert finished_episodes(str(tmp_path)) == {"e": (1, "none")}


async def test_a_journal_that_cannot_be_opened_leaves_no_lock_behind(tmp_path):
    (tmp_path / JOURNAL_NAME).mkdir()
    with pytest.raises(RunDirError, match=JOURNAL_NAME):
        opened(tmp_path)
    (tmp_path / JOURNAL_NAME).rmdir()
    Lock(tmp_path / ".recorder.lock", what="its journal").close()


async def test_a_failure_in_the_background_is_raised_by_the_next_finish(tmp_path):
    recorder = opened(tmp_path, episodes=1)
    (tmp_path / "steps").write_bytes(b"a file where a folder must be")
    await recorder.finish(finished("e", [entry("e", 1, "x")]))

    async def go_on_finishing() -> None:
        while True:
            await recorder.finish(finished("f", [entry("f", 1, "x")]))
            await asyncio.sleep(0.005)

    with pytest.raises(RunDirError, match="nothing is lost"):
        await go_on_finishing()
    (tmp_path / "steps").unlink()
    await recorder.close()
    assert "e" in finished_episodes(str(tmp_path))


async def test_a_reply_is_recorded_though_nothing_can_be_sealed(tmp_path):
    recorder = opened(tmp_path, episodes=1)
    (tmp_path / "steps").write_bytes(b"a file where a folder must be")
    await recorder.finish(finished("e", [entry("e", 1, "x")]))
    await asyncio.wait({recorder._sealer._background})
    paid = entry("f", 1, "paid")
    assert await recorder.record(paid) is paid
    with pytest.raises(RunDirError, match="nothing is lost"):
        await recorder.finish(finished("f", [paid]))
    (tmp_path / "steps").unlink()
    await recorder.close()
