"""Flipped bits and cuts in the files of a run: harmless, repaired or reported; never silent."""

import asyncio
import json
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hostile.changes import shards
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.errors import RunDirError
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.journal.batch_notes import Batch, BatchedAsk
from mirror_ray.records.journal.charges import Overrun, PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.shards.reader import sealed_batches
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.records.so_far import spent_so_far
from support.engine.recorder_samples import SCHEMAS, entry, finished
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says
from support.shard_rows import rows_of

CASES = {"journal": 84, "log": 60, "steps": 32, "episodes": 22, "manifest": 30}
"""File → how many times it is damaged: 228 in all."""
_EVERY_NTH_IS_CUT = 5
_IDS = tuple(f"e{number}" for number in range(8))
_DAYS = {"key": 20_000}

Read = Callable[[Path], Any]


async def _fill(recorder: Recorder) -> None:
    for one in _IDS:
        asked = [entry(one, ask, f"answer {ask} of {one} " * 9) for ask in (1, 2, 3)]
        await recorder.begin([PendingCall(one, ask, "a", "c", 0.5) for ask in (1, 2, 3, 4)])
        for each in asked:
            await recorder.record(each, "a")
        if one < "e3":
            await recorder.finish(finished(one, asked))
    await recorder.overrun([Overrun("m", 2.5, "e1", "c")])
    await recorder.claim_calls("key", _DAYS["key"], 17)
    asks = tuple(BatchedAsk(one, 4, place, "sha") for place, one in enumerate(_IDS[:2]))
    await recorder.note_batch(Batch("b", "m", "intended", None, 1e9, asks))
    await recorder.note_batch(Batch("b", "m", "out", "made", 1e9, ()))


async def _continued(out: Path) -> dict[str, Any]:
    """What the next run takes over, and what it seals."""
    recorder = Recorder(str(out), SCHEMAS)
    try:
        seen = {
            "finished": await recorder.finished(_IDS),
            "replies": await recorder.prefixes(_IDS),
            "ledger": await recorder.ledger(),
            "sums": await recorder.sums(),
            "highest": await recorder.highest_usd(),
            "claimed": await recorder.claimed_calls(_DAYS),
            "batches": await recorder.batches(),
        }
    finally:
        await recorder.close()
    return {**seen, **{kind: rows_of(out, kind) for kind in ("steps", "episodes")}}


def _journal_says(out: Path) -> Any:
    return asyncio.run(_continued(out))


def _shards_say(out: Path) -> Any:
    """What `sql`, `status` and `rescore` read."""
    with open_run(str(out)) as connection:
        said = [
            connection.execute(f"from shard.selfid_{kind} order by all").fetchall()
            for kind in ("episodes", "steps")
        ]
    read = sealed_columns(str(out), "steps", ("episode_id", "take", "reply", "cost_usd"))
    batches = [(one.steps, one.episodes) for one in sealed_batches(str(out), schemas=row_schemas())]
    return said, read.to_pylist(), [[table.to_pylist() for table in both] for both in batches]


def _spending_says(out: Path) -> Any:
    return spent_so_far(str(out))


def _manifest_says(out: Path) -> Any:
    return read_manifest(str(out))


READS: dict[str, tuple[Read, ...]] = {
    "journal": (_spending_says, _journal_says),
    "log": (_spending_says, _journal_says),
    "steps": (_shards_say,),
    "episodes": (_shards_say,),
    "manifest": (_manifest_says,),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Kind of file → a run directory, and the file's path there."""
    killed, checkpointed, ended = (tmp_path_factory.mktemp(name) for name in "kce")

    async def record() -> None:
        recorder = Recorder(str(killed), SCHEMAS)
        await _fill(recorder)
        journal = killed / JOURNAL_NAME
        for suffix in ("-wal", "-count"):
            shutil.copy(f"{journal}{suffix}", f"{journal}{suffix}.kept")
        shutil.copy(journal, f"{journal}.kept")
        with closing(sqlite3.connect(journal)) as db:
            db.execute("pragma wal_checkpoint(truncate)")
        for suffix in ("", "-count"):
            shutil.copy(f"{journal}{suffix}", checkpointed)
        # What closing it does is undone, as if it had been killed.
        recorder._close_all()

    asyncio.run(record())
    for path in killed.iterdir():
        if path.name.endswith(".kept"):
            path.rename(path.with_name(path.name.removesuffix(".kept")))
    record_run(plan_for(ended / "run", conditions=("E1", "E5"), runs=2), lambda _: says("w"))
    out = ended / "run"
    (steps, *_), (episodes, *_) = shards(out, "steps"), shards(out, "episodes")
    return {
        "journal": (checkpointed, JOURNAL_NAME),
        "log": (killed, f"{JOURNAL_NAME}-wal"),
        "steps": (out, str(steps.relative_to(out))),
        "episodes": (out, str(episodes.relative_to(out))),
        "manifest": (out, "manifest.json"),
    }


@pytest.mark.parametrize("kind", CASES)
def test_no_damage_is_silent(
    kind: str, runs: dict[str, tuple[Path, str]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    source, name = runs[kind]
    whole = (source / name).read_bytes()
    shutil.copytree(source, tmp_path / "whole")
    expected = [read(tmp_path / "whole") for read in READS[kind]]
    assert capfd.readouterr().err == ""
    chance = random.Random(f"flipped bits in {kind}")
    verdicts: Counter[str] = Counter()
    silent = []
    for number in range(CASES[kind]):
        damaged, place, bit = bytearray(whole), chance.randrange(len(whole)), chance.randrange(8)
        is_cut = number % _EVERY_NTH_IS_CUT == _EVERY_NTH_IS_CUT - 1
        if is_cut:
            del damaged[place:]
        else:
            damaged[place] ^= 1 << bit
        out = tmp_path / str(number)
        shutil.copytree(source, out)
        (out / name).write_bytes(damaged)
        for read, sound in zip(READS[kind], expected, strict=True):
            verdict = _verdict(read, out, sound, capfd)
            verdicts[verdict] += 1
            if verdict == "silent":
                how = "cut" if is_cut else f"bit {bit} flipped"
                silent.append(f"{read.__name__}: {name} {how} at {place:,} of {len(whole):,}")
        shutil.rmtree(out)
    print(kind, json.dumps(verdicts))
    assert not silent, "\n".join(silent)
    assert verdicts["reported"] > CASES[kind] / 4, verdicts


def _verdict(read: Read, out: Path, sound: Any, capfd: pytest.CaptureFixture[str]) -> str:
    try:
        found = read(out)
    except RunDirError as error:
        return "reported" if str(out) in error.where and error.fix else "silent"
    if capfd.readouterr().err:
        return "repaired"
    return "harmless" if found == sound else "silent"


def test_they_are_as_many_as_it_says() -> None:
    assert sum(CASES.values()) == 228
