"""Heads that are killed and lose their disk: whatever was acknowledged is in the replica."""

import asyncio
import multiprocessing
import os
import random
import shutil
import signal
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records import head_lease
from mirror_ray.records.journal.batch_notes import Batch, BatchedAsk
from mirror_ray.records.journal.charges import Overrun, PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.journal.replica_store import ReplicaStore
from mirror_ray.records.journal.segment import JournalSegment, write_segment
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.shard_index import finished_episodes
from mirror_ray.records.storage import home_of
from support.engine.recorder_samples import COST_USD, SCHEMAS, entry, finished
from support.engine.recorder_victim import churn_replicated
from support.object_store import object_store
from support.shard_rows import rows_of


@pytest.fixture
def places(bucket, monkeypatch) -> tuple[str, str]:
    """The addresses of a run and of a folder for replicas; silence is short."""
    monkeypatch.setattr(head_lease, "SILENT_S", 1.0)
    monkeypatch.setattr(head_lease, "RENEWED_EVERY_S", 0.2)
    return f"{bucket}/run", f"{bucket}/journals"


@pytest.fixture(scope="module")
def spawn() -> Callable[..., Any]:
    """Starts a process that has the imports done already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest", "mirror_ray.engine.recorder.actor", "boto3"])

    def start(target: Callable[..., None], *args: object) -> Any:
        process = context.Process(target=with_environment, args=(dict(os.environ), target, *args))
        process.start()
        return process

    return start


def with_environment(environ: dict[str, str], target: Callable[..., None], *args: object) -> None:
    os.environ.update(environ)
    target(*args)


@contextmanager
def on_new_disk(places: tuple[str, str], disk: Path) -> Iterator[Recorder]:
    """The records of a head whose own disk is empty."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(disk))
        with recording(places) as recorder:
            yield recorder


@contextmanager
def recording(places: tuple[str, str]) -> Iterator[Recorder]:
    out, replicate = places
    with RunDir(out, {}, replicate=replicate) as run_dir:
        run_dir.describe("", {})
        recorder = Recorder(out, SCHEMAS, replicate=replicate)
        try:
            yield recorder
        finally:
            recorder._close_all()


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


async def check(recorder: Recorder, out: str, promises: Path) -> None:
    """Nothing that was acknowledged is lost, and its cost counts."""
    tried, replies, ended = set(), {}, {}
    for line in promises.read_text().splitlines():
        match line.split(" "):
            case ["tried", _, _, words]:
                tried.add(words)
            case ["reply", episode_id, ask, words]:
                assert replies.setdefault((episode_id, int(ask)), words) == words, "bought twice"
            case ["ended", episode_id, kind]:
                ended[episode_id] = kind
    prefixes = await recorder.prefixes(sorted({one for one, _ in replies}))
    spent_usd = (await recorder.stats()).spent_usd
    sealed = finished_episodes(out)
    steps = {
        (row["episode_id"], row["ask"]): row["reply"]
        for row in rows_of(out, "steps")
        if row["take"] == sealed[row["episode_id"]][0]
    }
    for (episode_id, ask), words in replies.items():
        if sealed.get(episode_id, (0, ""))[1] == "none":
            assert steps[episode_id, ask] == words
        else:
            assert prefixes[episode_id][ask - 1].reply.text == words
    assert {episode_id: sealed[episode_id][1] for episode_id in ended}.items() >= {
        (one, kind) for one, kind in ended.items() if kind == "none"
    }
    assert len(replies) * COST_USD - 1e-6 <= spent_usd <= len(tried) * COST_USD + 1e-6


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kills", [2, pytest.param(20, marks=pytest.mark.thorough("two kills"))])
def test_heads_killed_with_their_disks(kills, places, spawn, store, tmp_path):
    out, replicate = places
    promises, luck = tmp_path / "promises", random.Random(7)
    for kill in range(kills):
        disk = tmp_path / f"disk{kill}"
        head = spawn(churn_replicated, out, replicate, str(disk), str(promises), kill)
        goes_on_for = lines(promises) + luck.randrange(20, 80)
        while lines(promises) < goes_on_for:
            assert head.is_alive()
            time.sleep(0.001)
        time.sleep(luck.uniform(0.0, 0.05))
        head.kill()
        head.join()
        assert head.exitcode == -signal.SIGKILL
        shutil.rmtree(disk)
    with on_new_disk(places, tmp_path / "last") as recorder:
        asyncio.run(check(recorder, out, promises))
    assert lines(promises) > 20 * kills
    # All that is left of older segments are the beginnings of terms.
    segments = [name for name in store.keys(replicate) if name[-12:].isdecimal()]
    assert len(segments) < lines(promises) / 2


async def replies(recorder: Recorder, episode_id: str = "e") -> list[str]:
    (found,) = (await recorder.prefixes([episode_id])).values()
    return [one.reply.text for one in found]


async def test_a_head_that_was_taken_for_dead_acknowledges_nothing_more(places, spawn, tmp_path):
    promises, disk = tmp_path / "promises", tmp_path / "disk"
    head = spawn(churn_replicated, *places, str(disk), str(promises), 0)
    while lines(promises) < 40:
        assert head.is_alive()
        time.sleep(0.001)
    with pytest.raises(RunDirError, match=f"in use\n.*lease of process {head.pid} on "):
        RunDir(places[0], {}, replicate=places[1])
    os.kill(head.pid, signal.SIGSTOP)
    with on_new_disk(places, tmp_path / "other") as recorder:
        os.kill(head.pid, signal.SIGCONT)
        head.join(60)
        assert head.exitcode == 1
        await check(recorder, places[0], promises)
        await recorder.record(entry("e", 1, "mine"))
        assert await replies(recorder) == ["mine"]


async def test_a_store_that_fails_for_a_while(places, monkeypatch, tmp_path):
    """What was not confirmed is not lost either, whether or not the segment was created."""
    create = ReplicaStore.create
    with recording(places) as recorder:
        await recorder.record(entry("e", 1, "one"))
        for number, arrives in ((2, False), (3, True)):

            def fail(self, name, body, arrives=arrives):
                if arrives:
                    create(self, name, body)
                raise OSError("Could not connect to the endpoint URL")

            monkeypatch.setattr(ReplicaStore, "create", fail)
            with pytest.raises(RunDirError, match=r"cannot be replicated\n.*cannot be reached"):
                await recorder.record(entry("e", number, str(number)))
            monkeypatch.setattr(ReplicaStore, "create", create)
        await recorder.record(entry("e", 4, "four"))
    with on_new_disk(places, tmp_path / "other") as recorder:
        assert await replies(recorder) == ["one", "2", "3", "four"]
        assert (await recorder.stats()).spent_usd == pytest.approx(4 * COST_USD)


async def test_the_same_disk_is_used_again_at_once_and_with_what_is_in_it(places, monkeypatch):
    monkeypatch.setattr(head_lease, "SILENT_S", 1000.0)
    with recording(places) as recorder:
        await recorder.record(entry("e", 1, "one"))
    journal = home_of(places[0]) / JOURNAL_NAME
    older = journal.read_bytes()
    # Another command, which does not replicate.
    unreplicated = Recorder(places[0], SCHEMAS)
    await unreplicated.record(entry("e", 2, "two"))
    await unreplicated.close()
    with recording(places) as recorder:
        assert await replies(recorder) == ["one", "two"]
    # A copy of the whole disk from before: the replica is further.
    journal.write_bytes(older)
    journal.with_name(f"{JOURNAL_NAME}-count").unlink()
    with recording(places) as recorder:
        assert await replies(recorder) == ["one", "two"]


async def test_a_journal_of_another_history_is_not_replaced(places, tmp_path):
    with on_new_disk(places, tmp_path / "other") as recorder:
        await recorder.record(entry("e", 1, "one"))
    journal = home_of(places[0]) / JOURNAL_NAME
    journal.parent.mkdir(parents=True)
    unreplicated = Recorder(places[0], SCHEMAS)
    await unreplicated.record(entry("e", 1, "other"))
    await unreplicated.close()
    with pytest.raises(RunDirError, match=f"another journal than {journal}"):
        RunDir(places[0], {}, replicate=places[1])
    journal.unlink()
    with recording(places) as recorder:
        assert await replies(recorder) == ["one"]


async def test_ends_and_batches_and_sums_are_restored(places, tmp_path):
    asked = PendingCall("p", 1, "asker", "cell", 0.5)
    batch = Batch("key", "model", "intended", None, 1.0, (BatchedAsk("b", 1, 0, "sha"),))
    with recording(places) as recorder:
        await recorder.begin([asked])
        await recorder.note_batch(batch)
        await recorder.claim_calls("key", 3, 40)
        await recorder.overrun([Overrun("model", 0.7, "p", "cell")])
        first = await recorder.record(entry("e", 1, "one"))
        await recorder.finish(finished("e", [first]))
        sums = await recorder.sums()
    with on_new_disk(places, tmp_path / "other") as recorder:
        assert await recorder.sums() == sums
        assert await recorder.batches() == [batch]
        assert await recorder.claimed_calls({"key": 3}) == {"key": 40}
        assert await recorder.highest_usd() == {"model": 0.7}
        assert await recorder.finished(["e"]) == {"e": (1, "none")}
    assert [row["reply"] for row in rows_of(places[0], "steps")] == ["one"]


def test_stores_without_conditional_writes_are_refused(tmp_path, monkeypatch):
    with object_store("--unconditional") as store:
        for name, value in {**store.env, "XDG_STATE_HOME": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        bucket = store.make_bucket("bucket")
        with pytest.raises(RunDirError, match=r"journal\.replicate: s3://bucket/.*\n.*overwrites"):
            RunDir(f"{bucket}/run", {}, replicate=f"{bucket}/journals")
        assert store.keys(f"{bucket}/run") == []


def segment(number: int, previous: str = "", rows: tuple[tuple, ...] = ()) -> bytes:
    return write_segment(JournalSegment(number, "term", previous, 0, (), number, rows))


BAD = {
    "no compression": b"{}",
    "no JSON": zlib.compress(b"{"),
    "no segment": zlib.compress(b"{}"),
    "cut short": zlib.compress(b'{"number": 4}')[:-4],
    "a row of no table": segment(4, rows=(("sqlite_schema", 1),)),
    "another number": segment(5),
    "another predecessor": segment(4, "x"),
    "no number of a column": segment(4, rows=(("form", 2**80, "", "", "", 1),)),
}


async def test_damaged_segments(places, monkeypatch, tmp_path):
    with recording(places) as recorder:
        await recorder.record(entry("e", 1, "one"))
    replica = ReplicaStore(places[1], places[0])
    last = max(name for name in replica.names() if name.isdecimal())
    assert int(last) == 4
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    for bad, body in BAD.items():
        replica.write(last, body)
        with pytest.raises(RunDirError) as caught:
            RunDir(places[0], {}, replicate=places[1])
        assert f"journal.replicate: {replica.address}{last}" in str(caught.value), bad
    replica.delete([f"{3:012d}"])
    with pytest.raises(RunDirError, match=r"journal\.replicate"):
        RunDir(places[0], {}, replicate=places[1])
