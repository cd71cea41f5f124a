"""What a run directory has used so far, wherever it stands: shards, journal, finished or not."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.entry import Entry, write_entry
from mirror_ray.records.rows.arrow import table_of
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import FinishedEpisode, Sealable
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.usage import NO_USAGE, AskUsage, EpisodeUsage, usage_of

SWEEP = {"name": "small", "models": ["a/b"]}
IDENTITY = {
    "sweep": "small",
    "family": "selfid",
    "condition": "E1",
    "model": "a/b",
    "cell_id": "c",
    "scene_seed": 0,
    "run": 0,
    "variant": "paper",
}


FORM = RowCodec("selfid", STEPS, EPISODES)


def rows(episode_id: str, take: int, error_kind: str, tokens: list[int]) -> FinishedEpisode:
    identity = {**IDENTITY, "episode_id": episode_id, "take": take}
    steps = tuple(
        {
            **identity,
            "ask": ask,
            "step": ask,
            "role": "subject",
            "system": "12345",
            "user": "678",
            "superseded": False,
            "error_kind": "none",
            "tokens_in": tokens_in,
            "latency_s": 0.5,
        }
        for ask, tokens_in in enumerate(tokens, start=1)
    )
    episode = {
        **identity,
        "n_steps": len(tokens),
        "n_asks": len(tokens),
        "terminated": error_kind == "none",
        "truncated": False,
        "error_kind": error_kind,
        "tokens_in": sum(tokens),
        "tokens_out": 7,
        "cost_usd": None,
        "finished_at": "2026-01-01",
    }
    return FinishedEpisode("selfid", episode, steps)


def tables(episode_id: str, take: int, error_kind: str, tokens: list[int]) -> tuple[pa.Table, ...]:
    finished = rows(episode_id, take, error_kind, tokens)
    steps = table_of(finished.steps, STEPS, of="steps")
    return steps, table_of([finished.episode], EPISODES, of="episode")


def sealable(episode_id: str, take: int, error_kind: str, tokens: list[int]) -> Sealable:
    written = FORM.write(rows(episode_id, take, error_kind, tokens))
    return Sealable(episode_id, take, error_kind, written.rows)


@pytest.fixture
def out(tmp_path: Path) -> str:
    with RunDir(str(tmp_path / "run"), SWEEP) as run_dir:
        run_dir.describe("name: small\n", {})
    return str(tmp_path / "run")


@pytest.fixture
def journal(out: str) -> Iterator[Journal]:
    """Open all the while, as in a run in progress."""
    opened = Journal(str(Path(out) / JOURNAL_NAME))
    yield opened
    opened.close()


def test_no_run_has_used_nothing(tmp_path: Path) -> None:
    assert usage_of(str(tmp_path / "nowhere"), SWEEP) == NO_USAGE
    assert list(tmp_path.iterdir()) == []


def test_reading_leaves_nothing_behind(out: str) -> None:
    Journal(str(Path(out) / JOURNAL_NAME)).close()
    before = sorted(Path(out).iterdir())
    assert usage_of(out, SWEEP) == NO_USAGE
    assert sorted(Path(out).iterdir()) == before


def test_another_sweep_tells_nothing_about_this_one(out: str) -> None:
    assert usage_of(out, {**SWEEP, "models": ["c/d"]}) is None
    assert usage_of(out, {**SWEEP, "budget_usd": 5.0}) == NO_USAGE


def test_sealed_episodes_count_by_their_latest_take(out: str) -> None:
    first, second = tables("e", 1, "server", [100]), tables("e", 2, "none", [100, 200])
    shards = ShardWriter(out)
    for steps, episode in (first, second):
        shards.write("selfid", steps, episode)
    usage = usage_of(out, SWEEP)
    assert usage is not None
    assert usage.episodes == {"e": EpisodeUsage(2, True, 300, 7, None)}
    assert AskUsage("e", 8, 200, None, 0.5, model="a/b") in usage.asks


def test_a_run_in_progress_is_read_beside_its_writer(out: str, journal: Journal) -> None:
    def entry(ask: int, reply: Reply) -> Entry:
        return Entry("under-way", ask, "p", None, {}, reply)

    answers = [
        entry(1, Reply("x", tokens_in=90, tokens_out=5, cost_usd=0.25, latency_s=2.0)),
        entry(2, Reply("y", tokens_in=110, tokens_out=6, cost_usd=0.5, latency_s=3.0)),
    ]
    form_id = journal.ended.form_id(FORM.packed)
    journal.commit(
        [
            *(lambda j, one=one: j.add(write_entry(one), None) for one in answers),
            lambda j: j.ended.finish(form_id, sealable("ended", 1, "none", [10, 20, 30])),
            lambda j: j.ended.finish(form_id, sealable("to-repeat", 1, "budget", [40])),
        ]
    )
    usage = usage_of(out, SWEEP)
    assert usage is not None
    assert usage.episodes == {
        "ended": EpisodeUsage(3, True, 60, 7, None),
        "to-repeat": EpisodeUsage(1, False, 40, 7, None),
        "under-way": EpisodeUsage(2, False, 200, 11, 0.75),
    }
    # Their texts are kept with their episode's end only.
    assert AskUsage("under-way", None, 110, None, 3.0) in usage.asks
    assert AskUsage("ended", 8, 30, None, 0.5, model="a/b") in usage.asks


def test_an_unanswered_ask_tells_nothing_of_the_model(out: str, journal: Journal) -> None:
    failed = Entry("e", 1, "p", None, {}, Reply("", error_kind="timeout", latency_s=120.0))
    journal.commit([lambda j: j.add(write_entry(failed), None)])
    usage = usage_of(out, SWEEP)
    assert usage is not None
    assert usage.asks == ()
    assert usage.episodes["e"].tokens_in is None


def test_a_damaged_journal_is_named(out: str) -> None:
    (Path(out) / JOURNAL_NAME).write_bytes(b"not a database, but longer than its header" * 9)
    with pytest.raises(RunDirError, match="cannot be read"):
        usage_of(out, SWEEP)
