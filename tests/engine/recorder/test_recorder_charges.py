"""What replies cost, or may cost, is on disk with them, and outlives the Recorder."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.records.run_log import RunLog
from support.engine.recorder_samples import COST_USD, FORMS, SCHEMAS, entry, finished, unwritten


def opened(out: Path) -> Recorder:
    return Recorder(str(out), SCHEMAS)


async def test_the_same_reply_recorded_again_is_paid_once(tmp_path):
    recorder = opened(tmp_path)
    for _ in range(2):
        assert (await recorder.record(entry("e", 1, "one"))).reply.text == "one"
    assert (await recorder.stats()).spent_usd == pytest.approx(COST_USD)
    await recorder.close()


async def test_what_unknown_costs_may_come_to_outlives_the_recorder(tmp_path):
    recorder = opened(tmp_path)
    told = entry("e", 1, "one")
    timed_out = replace(told, reply=replace(told.reply, cost_usd=None, presumed_usd=0.5))
    await recorder.record(timed_out)
    await recorder.record(entry("e", 2, "two"))
    await recorder.close()
    recorder = opened(tmp_path)
    assert await recorder.ledger() == {"e": pytest.approx(COST_USD)}
    assert await recorder.sums() == ({None: pytest.approx(COST_USD)}, {None: 0.5}, [])
    await recorder.close()


async def test_what_has_begun_is_settled_with_its_reply_and_else_outlives_the_recorder(tmp_path):
    recorder = opened(tmp_path)
    asks = [
        PendingCall("e", 1, "me", "c", 0.5),
        PendingCall("e", 1, "another", "c", 0.5),
        PendingCall("e", 2, "me", "c", 0.5),
    ]
    await recorder.begin(asks)
    await recorder.record(entry("e", 1, "one"), "me")
    # Recorded once more, because its actor died before it could say so.
    await recorder.record(entry("e", 1, "one"), "me")
    await recorder.close()
    recorder = opened(tmp_path)
    assert await recorder.sums() == ({"c": pytest.approx(COST_USD)}, {}, sorted(asks[1:]))
    await recorder.write_off_pending()
    assert await recorder.sums() == ({"c": pytest.approx(COST_USD)}, {"c": 1.0}, [])
    await recorder.close()


async def test_an_episode_that_has_ended_settles_what_it_had_begun(tmp_path):
    recorder = opened(tmp_path)
    one = entry("e", 1, "one")
    await recorder.record(one)
    await recorder.finish(finished("e", [one]))
    await recorder.begin([PendingCall("e", 1, "late", "c", 0.5)])
    await recorder.record(entry("e", 1, "late"), "late")
    assert await recorder.sums() == ({"c": pytest.approx(2 * COST_USD)}, {}, [])
    await recorder.close()


async def test_a_new_journal_learns_what_was_spent_though_it_could_not_at_first(tmp_path):
    recorder = opened(tmp_path)
    one = entry("e", 1, "one")
    await recorder.record(one)
    await recorder.finish(finished("e", [one]))
    await recorder.close()
    (tmp_path / "journal.sqlite").unlink()
    (shard,) = (tmp_path / "steps").rglob("*.parquet")
    whole = shard.read_bytes()
    shard.write_bytes(b"half of it")
    with pytest.raises(RunDirError, match="cannot be read"):
        opened(tmp_path)
    shard.write_bytes(whole)
    for _ in range(2):
        recorder = opened(tmp_path)
        assert await recorder.sums() == ({"c": pytest.approx(COST_USD)}, {}, [])
        await recorder.close()


async def test_an_older_copy_of_the_journal_learns_what_the_shards_cost(tmp_path, capfd):
    first, second = entry("e", 1, "one"), entry("e", 2, "two")
    recorder = opened(tmp_path)
    await recorder.record(first)
    await recorder.close()
    for name in ("journal.sqlite", "journal.sqlite-count"):
        shutil.copy(tmp_path / name, tmp_path / f"{name}.old")
    recorder = opened(tmp_path)
    await recorder.record(second)
    ended = unwritten("e", [first, second])
    ended.episode["cost_usd"] = 2 * COST_USD
    await recorder.finish(FORMS["alpha"].write(ended))
    await recorder.close()
    assert capfd.readouterr().err == ""
    for name in ("journal.sqlite", "journal.sqlite-count"):
        (tmp_path / f"{name}.old").rename(tmp_path / name)
    for said in (f"lacked {COST_USD:.4f} USD", ""):
        recorder = opened(tmp_path)
        assert await recorder.ledger() == {"e": pytest.approx(2 * COST_USD)}
        await recorder.close()
        err = capfd.readouterr().err
        assert said in err if said else not err


async def test_a_log_that_counted_more_than_the_journal_is_said(tmp_path, capfd):
    for spent_usd, is_said in ((0.0, False), (COST_USD, False), (0.51, False), (0.6, True)):
        RunLog(tmp_path).note("progress", spent_usd=spent_usd)
        recorder = opened(tmp_path)
        await recorder.record(entry("e", 1, "one"))
        # What was under way when the log was written may be in neither sum.
        await recorder.begin([PendingCall("e", 2, "a", "c", 0.5)])
        recorder._close_all()
        err = capfd.readouterr().err
        assert ("run.log has counted" in err) == is_said, spent_usd
