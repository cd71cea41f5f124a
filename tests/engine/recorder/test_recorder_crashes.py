"""Processes really killed with SIGKILL: at random moments, and at every point of a small run."""

import asyncio
import multiprocessing
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset as pads
import pytest

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.shards.shard_index import finished_episodes
from support.engine.recorder_samples import COST_USD, SCHEMAS
from support.engine.recorder_victim import ASKS, churn, story
from support.whole import IS_WHOLE

ROUNDS = 25 if IS_WHOLE else 12
"""Kills; the point between any two writes is met by `make test-thorough`, one after another."""


@pytest.fixture(scope="module")
def spawn() -> Callable[..., Any]:
    """Starts a process that has the imports done already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["pytest", "numpy", "mirror_ray.engine.recorder.actor"])

    def start(target: Callable[..., None], *args: object) -> Any:
        process = context.Process(target=target, args=args, daemon=True)
        process.start()
        return process

    return start


@pytest.fixture
def folder(tmp_path) -> Iterator[Path]:
    """In memory where the system has such a place: a killed process loses nothing there either."""
    memory = Path("/dev/shm")  # noqa: S108
    if not memory.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield Path(name)


def table(out: Path, kind: str) -> list[dict[str, Any]]:
    paths = sorted(map(str, (out / kind).rglob("*.parquet")))
    if not paths:
        return []
    names = ["episode_id", "take", "error_kind", *(["ask", "reply"] if kind == "steps" else [])]
    return pads.dataset(paths, format="parquet").to_table(columns=names).to_pylist()


def promised(path: Path) -> tuple[set[str], dict[tuple[str, int], str], list[tuple[str, str]]]:
    """(words tried, (episode, ask) → words acknowledged, ends acknowledged)."""
    tried: set[str] = set()
    replies: dict[tuple[str, int], str] = {}
    ends: list[tuple[str, str]] = []
    for line in path.read_text().splitlines():
        match line.split(" "):
            case ["tried", _, _, words]:
                tried.add(words)
            case ["reply", episode_id, ask, words]:
                assert replies.setdefault((episode_id, int(ask)), words) == words, "bought twice"
            case ["ended", episode_id, kind]:
                ends.append((episode_id, kind))
    return tried, replies, ends


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


async def kept(out: Path, episode_ids: list[str]) -> tuple[dict[str, Any], float]:
    """Opens the run directory, which puts it right; returns prefixes and spending."""
    recorder = Recorder(str(out), SCHEMAS)
    prefixes = await recorder.prefixes(episode_ids)
    spent_usd = (await recorder.stats()).spent_usd
    await recorder.close()
    return prefixes, spent_usd


def check(out: Path, promises: Path) -> None:
    """Nothing that was acknowledged is lost, and nothing is there twice."""
    tried, replies, ends = promised(promises)
    prefixes, spent_usd = asyncio.run(kept(out, sorted({id_ for id_, _ in replies})))
    sealed = finished_episodes(str(out))
    episodes, steps = table(out, "episodes"), table(out, "steps")

    visible = Counter((row["episode_id"], row["take"]) for row in episodes)
    assert set(visible.values()) <= {1}, "an episode is there twice"
    asks = Counter((row["episode_id"], row["take"], row["ask"]) for row in steps)
    assert set(asks.values()) <= {1}, "a step is there twice"
    assert {(id_, take) for id_, take, _ in asks} == set(visible), "steps without an episode"

    latest = {
        (row["episode_id"], row["ask"]): row["reply"]
        for row in steps
        if row["take"] == sealed[row["episode_id"]][0]
    }
    for (episode_id, ask), words in replies.items():
        if episode_id in sealed and sealed[episode_id][1] in FINAL_KINDS:
            assert latest[episode_id, ask] == words
            assert prefixes[episode_id] == ()
        else:
            assert prefixes[episode_id][ask - 1].reply.text == words
    for episode_id, kind in ends:
        take, latest_kind = sealed[episode_id]
        assert latest_kind in (kind, "none")
        assert take == sum(row["episode_id"] == episode_id for row in episodes)
    for episode_id, (_, kind) in sealed.items():
        if kind == "none":
            assert all(latest[episode_id, ask] in tried for ask in range(1, ASKS + 1))

    assert len(replies) * COST_USD - 1e-6 <= spent_usd <= len(tried) * COST_USD + 1e-6
    assert list(out.rglob("*.tmp")) == []


@pytest.mark.timeout(120)
def test_killed_at_random_moments(folder, spawn):
    out, promises = folder / "run", folder / "promises"
    out.mkdir()
    luck = random.Random(7)
    for seed in range(ROUNDS):
        process = spawn(churn, str(out), str(promises), seed)
        goes_on_for = lines(promises) + luck.randrange(1, 60)
        while lines(promises) < goes_on_for:
            assert process.is_alive()
            time.sleep(0.001)
        time.sleep(luck.uniform(0.0, 0.02))
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        check(out, promises)
    assert finished_episodes(str(out))


@pytest.mark.thorough("the kills at random moments")
@pytest.mark.timeout(120)
def test_killed_at_every_point(folder, spawn):
    """Whatever the point, going on ends in the same episodes and replies as an unbroken run."""
    point = 0
    while True:
        point += 1
        out, promises = folder / f"run{point}", folder / f"promises{point}"
        out.mkdir()
        process = spawn(story, str(out), str(promises), point)
        process.join()
        unbroken = process.exitcode == 0
        if not unbroken:
            assert process.exitcode == -signal.SIGKILL
            if promises.exists():
                check(out, promises)
            story(str(out), str(promises), 0)
        check(out, promises)
        assert finished_episodes(str(out)) == {
            "whole": (1, "none"),
            "failing": (2, "none"),
            "late": (1, "none"),
        }
        # At most the one call that was under way had to be made again.
        assert len(promised(promises)[0]) <= 3 * ASKS + (not unbroken)
        if unbroken:
            break
    assert point > 40
