"""Programs for processes that are killed in the middle of recording.

Every acknowledgement is one line, written with a single system call, so that the test can read what
had been promised when the process died.
"""

import asyncio
import os
import random
import signal
from pathlib import Path
from typing import Any

from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records import head_lease, storage
from mirror_ray.records.journal import replica
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.sealing import SealBounds
from support.engine.recorder_samples import SCHEMAS, entry, finished

BOUNDS = SealBounds(episodes=12, age_s=0.05)
ASKS = 3


class Promises:
    """What the recorder has acknowledged, one line each: tries, replies and ends."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, *words: object) -> None:
        os.write(self._file, (" ".join(map(str, words)) + "\n").encode())


async def play(recorder: Recorder, promises: Promises, episode_id: str, fails_at: int) -> None:
    """Plays an episode from its prefix on; its first take fails at one ask, if `fails_at` > 0."""
    ended = await recorder.finished([episode_id])
    take, kind = ended.get(episode_id, (0, ""))
    if kind == "none":
        return
    entries: list[Entry] = list((await recorder.prefixes([episode_id]))[episode_id])
    for ask in range(len(entries) + 1, ASKS + 1):
        if ask == fails_at and take == 0:
            failed = await recorder.record(entry(episode_id, ask, "", "rate_limit"))
            await recorder.finish(finished(episode_id, [*entries, failed], "rate_limit"))
            promises.write("ended", episode_id, "rate_limit")
            return
        words = f"{episode_id}.{ask}.{os.urandom(6).hex()}"
        promises.write("tried", episode_id, ask, words)
        standing = await recorder.record(entry(episode_id, ask, words))
        promises.write("reply", episode_id, ask, standing.reply.text)
        entries.append(standing)
    await recorder.finish(finished(episode_id, entries))
    promises.write("ended", episode_id, "none")


def churn(out: str, promises_path: str, seed: int, replicate: str | None = None) -> None:
    """Records until killed, many episodes at a time."""
    promises = Promises(Path(promises_path))
    luck = random.Random(seed)

    async def main() -> None:
        recorder = Recorder(out, SCHEMAS, BOUNDS, replicate=replicate)
        number = 0
        while True:
            batch = range(number, number + 8)
            number += 4  # half of them once more, for those whose first take failed
            await asyncio.gather(*(play(recorder, promises, f"e{i:04d}", i % 5) for i in batch))
            if luck.random() < 0.2:
                await recorder.seal()

    promises.write("began")
    asyncio.run(main())


def churn_replicated(out: str, replicate: str, home: str, promises_path: str, seed: int) -> None:
    """As `churn`, as a head with a disk of its own whose journal is replicated."""
    os.environ["XDG_STATE_HOME"] = home
    head_lease.SILENT_S, head_lease.RENEWED_EVERY_S = 1.0, 0.2
    replica.WHOLE_EVERY = 5
    run_dir = RunDir(out, {}, replicate=replicate)
    run_dir.describe("", {})
    churn(out, promises_path, seed, replicate)


def story(out: str, promises_path: str, crash_at: int) -> None:
    """One small run with everything in it; killed at the `crash_at`-th point, if there is one."""
    if crash_at:
        _crash_at(crash_at)
    promises = Promises(Path(promises_path))

    async def main() -> None:
        recorder = Recorder(out, SCHEMAS, SealBounds(episodes=100))
        await play(recorder, promises, "whole", 0)
        await play(recorder, promises, "failing", 2)
        await recorder.seal()
        await play(recorder, promises, "failing", 2)
        await play(recorder, promises, "late", 0)
        await recorder.close()

    asyncio.run(main())


def _crash_at(point: int) -> None:
    """Dies before and after each commit, and wherever a file or a name is about to be durable."""
    passed = 0

    def reach() -> None:
        nonlocal passed
        passed += 1
        if passed == point:
            os.kill(os.getpid(), signal.SIGKILL)

    commit, flush = Journal.commit, storage.flush_to_disk

    def mortal_commit(journal: Journal, works: Any) -> Any:
        reach()
        results = commit(journal, works)
        reach()
        return results

    def mortal_flush(*args: Any) -> None:
        reach()
        flush(*args)

    storage.flush_to_disk = mortal_flush
    Journal.commit = mortal_commit
