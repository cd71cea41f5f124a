import asyncio
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq
import pytest

from mirror_ray.core.errors import RecordError, RunDirError
from mirror_ray.engine.recorder import actor as recorder_module
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.shards.sealing import SealBounds
from mirror_ray.records.shards.shard_index import finished_episodes
from support.engine.recorder_samples import COST_USD, SCHEMAS, entry, finished, unwritten
from support.shard_names import plain


def opened(out: Path, **bounds) -> Recorder:
    return Recorder(str(out), SCHEMAS, SealBounds(**bounds))


def rows(out: Path, kind: str) -> list[dict]:
    paths = sorted(map(str, (out / kind).rglob("*.parquet")))
    return pads.dataset(paths, format="parquet").to_table().to_pylist() if paths else []


async def test_a_recorded_entry_comes_back_whole(tmp_path):
    first, second = entry("e", 1, "one \ud83d alone"), entry("e", 2, "two")
    recorder = opened(tmp_path)
    assert await recorder.record(first) is first
    await recorder.record(second)
    await recorder.close()
    recorder = opened(tmp_path)
    assert await recorder.prefixes(["e", "other"]) == {"e": (first, second), "other": ()}
    await recorder.close()


async def test_replies_share_transactions(tmp_path):
    recorder = opened(tmp_path)
    await asyncio.gather(*(recorder.record(entry(f"e{i}", 1, "x")) for i in range(200)))
    stats = await recorder.stats()
    assert stats.replies == 200
    assert stats.commits <= 3
    await recorder.close()


async def test_a_reply_is_in_the_file_before_record_returns(tmp_path):
    recorder = opened(tmp_path)
    reads = recorder_module.GroupCommit(str(tmp_path / "journal.sqlite"))
    for ask in (1, 2, 3):
        await recorder.record(entry("e", ask, "x"))
        assert len(reads.run(lambda journal: journal.prefixes(["e"]))["e"]) == ask
    reads.close()
    await recorder.close()


async def test_the_first_final_reply_stands_and_both_are_paid(tmp_path):
    recorder = opened(tmp_path)
    await recorder.record(entry("e", 1, "first"))
    standing = await recorder.record(entry("e", 1, "of a call whose caller died"))
    assert standing.reply.text == "first"
    assert (await recorder.stats()).spent_usd == pytest.approx(2 * COST_USD)
    await recorder.close()


async def test_a_failed_reply_makes_way(tmp_path):
    recorder = opened(tmp_path)
    await recorder.record(entry("e", 1, "one"))
    await recorder.record(entry("e", 2, "", "rate_limit"))
    assert len((await recorder.prefixes(["e"]))["e"]) == 1
    await recorder.record(entry("e", 2, "two"))
    assert [one.reply.text for one in (await recorder.prefixes(["e"]))["e"]] == ["one", "two"]
    await recorder.close()


async def test_other_words_for_the_same_ask_are_refused(tmp_path):
    recorder = opened(tmp_path)
    await recorder.record(entry("e", 1, "one"))
    with pytest.raises(RecordError, match="ask 1 of episode e"):
        await recorder.record(entry("e", 1, "two", prompt="changed"))
    await recorder.close()


async def test_facts_that_are_no_plain_data_are_refused_alone(tmp_path):
    recorder = opened(tmp_path)
    bad = entry("bad", 1, "x")
    bad = type(bad)("bad", 1, "p", None, {"px": object()}, bad.reply)
    results = await asyncio.gather(
        recorder.record(bad), recorder.record(entry("good", 1, "x")), return_exceptions=True
    )
    assert isinstance(results[0], RecordError)
    assert "bad" in str(results[0])
    assert len((await recorder.prefixes(["good"]))["good"]) == 1
    await recorder.close()


async def test_sealed_rows_and_what_the_journal_lets_go(tmp_path):
    recorder = opened(tmp_path)
    entries = {id_: [entry(id_, ask, f"{id_}{ask}") for ask in (1, 2)] for id_ in ("a", "b")}
    for one in [*entries["a"], *entries["b"]]:
        await recorder.record(one)
    await recorder.finish(finished("a", entries["a"]))
    await recorder.finish(finished("b", entries["b"], "rate_limit", family="beta"))
    assert await recorder.finished(["a", "b", "c"]) == {"a": (1, "none"), "b": (1, "rate_limit")}
    assert rows(tmp_path, "episodes") == []
    await recorder.seal()
    assert finished_episodes(str(tmp_path)) == {"a": (1, "none"), "b": (1, "rate_limit")}
    assert {(row["episode_id"], row["take"], row["ask"]) for row in rows(tmp_path, "steps")} == {
        ("a", 1, 1), ("a", 1, 2), ("b", 1, 1), ("b", 1, 2),
    }  # fmt: skip
    kept = await recorder.prefixes(["a", "b"])
    assert kept == {"a": (), "b": tuple(entries["b"])}
    assert (await recorder.stats()).unsealed == 0
    await recorder.close()
    paths = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.parquet"))
    assert [plain(path) for path in paths] == [
        "episodes/family=alpha/part-000001.parquet",
        "episodes/family=beta/part-000001.parquet",
        "steps/family=alpha/part-000001.parquet",
        "steps/family=beta/part-000001.parquet",
    ]
    schema = pq.read_schema(tmp_path / paths[2])
    wanted = SCHEMAS["alpha"][0]
    assert [(f.name, f.nullable) for f in schema] == [(f.name, f.nullable) for f in wanted]
    assert schema.field("ask").type == pa.int32()
    assert schema.metadata == wanted.metadata


async def test_ends_of_one_episode_at_the_same_time_are_takes_of_their_own(tmp_path):
    recorder = opened(tmp_path)
    asked = await recorder.record(entry("e", 1, "one"))
    ends = [finished("e", [asked], kind) for kind in ("timeout", "rate_limit", "server")]
    await asyncio.gather(*map(recorder.finish, ends[:2]))
    await recorder.finish(ends[2])
    assert await recorder.finished(["e"]) == {"e": (3, "server")}
    await recorder.close()
    takes = [(row["take"], row["error_kind"]) for row in rows(tmp_path, "episodes")]
    assert takes == [(1, "timeout"), (2, "rate_limit"), (3, "server")]


async def test_an_episode_played_again_is_the_next_take(tmp_path):
    recorder = opened(tmp_path)
    first = [entry("e", 1, "one"), entry("e", 2, "", "timeout")]
    for one in first:
        await recorder.record(one)
    await recorder.finish(finished("e", first, "timeout"))
    await recorder.close()
    recorder = opened(tmp_path)
    (kept,) = (await recorder.prefixes(["e"])).values()
    second = [*kept, await recorder.record(entry("e", 2, "two"))]
    await recorder.finish(finished("e", second))
    await recorder.close()
    assert finished_episodes(str(tmp_path)) == {"e": (2, "none")}
    assert [(r["take"], r["reply"]) for r in rows(tmp_path, "steps")] == [
        (1, "one"), (1, ""), (2, "one"), (2, "two"),
    ]  # fmt: skip
    recorder = opened(tmp_path)
    assert (await recorder.stats()).spent_usd == pytest.approx(2 * COST_USD)
    await recorder.close()


@pytest.mark.parametrize("reopen", [False, True])
async def test_a_final_end_is_final(tmp_path, reopen):
    recorder = opened(tmp_path)
    await recorder.finish(finished("e", [entry("e", 1, "one")]))
    if reopen:
        await recorder.close()
        recorder = opened(tmp_path)
    late = entry("e", 1, "of a call whose caller died")
    assert await recorder.record(late) is late
    await recorder.finish(finished("e", [late]))
    await recorder.close()
    assert [row["reply"] for row in rows(tmp_path, "steps")] == ["one"]
    recorder = opened(tmp_path)
    assert await recorder.prefixes(["e"]) == {"e": ()}
    assert (await recorder.stats()).spent_usd == pytest.approx(COST_USD)
    await recorder.close()


async def test_batches_are_bounded_by_count(tmp_path):
    recorder = opened(tmp_path, episodes=4)
    for index in range(20):
        await recorder.finish(finished(f"e{index}", [entry(f"e{index}", 1, "x")]))
    await recorder.close()
    sizes = [pq.read_metadata(p).num_rows for p in (tmp_path / "episodes").rglob("*.parquet")]
    assert sum(sizes) == 20
    assert max(sizes) <= 5


async def test_batches_are_bounded_by_size(tmp_path):
    recorder = opened(tmp_path, size_bytes=1)
    for index in range(3):
        await recorder.finish(finished(f"e{index}", [entry(f"e{index}", 1, "x")]))
    await recorder.close()
    assert len(list((tmp_path / "episodes").rglob("*.parquet"))) == 3


async def test_what_is_finished_is_sealed_before_long(tmp_path):
    recorder = opened(tmp_path, age_s=0.01)
    await recorder.finish(finished("e", [entry("e", 1, "x")]))
    while not rows(tmp_path, "episodes"):
        await asyncio.sleep(0.005)
    await recorder.close()


async def test_rows_of_another_schema_version_get_files_of_their_own(tmp_path):
    recorder = opened(tmp_path)
    await recorder.finish(finished("old", [entry("old", 1, "x")]))
    recorder._close_all()  # a crash: nothing is sealed
    steps, episodes = SCHEMAS["alpha"]
    later = {"alpha": (steps.append(pa.field("mood", pa.string())), episodes)}
    recorder = Recorder(str(tmp_path), later)
    new = RowCodec("alpha", *later["alpha"]).write(unwritten("new", [entry("new", 1, "x")]))
    await recorder.finish(new)
    await recorder.close()
    assert set(finished_episodes(str(tmp_path))) == {"old", "new"}
    assert ["mood" in pq.read_schema(p).names for p in sorted(tmp_path.glob("steps/*/*"))] == [
        False,
        True,
    ]


async def test_a_reply_and_its_episodes_end_share_a_transaction(tmp_path):
    recorder = opened(tmp_path)
    one, two = entry("e", 1, "one"), entry("other", 1, "two")
    assert await recorder.keep([one, two], [finished("e", [one])]) == [None] * 3
    assert (await recorder.stats()).commits == 1
    assert await recorder.finished(["e", "other"]) == {"e": (1, "none")}
    await recorder.close()
    recorder = opened(tmp_path)
    assert await recorder.prefixes(["e", "other"]) == {"e": (), "other": (two,)}
    await recorder.close()


async def test_what_stands_already_and_what_cannot_be_kept_is_told_of_each(tmp_path):
    recorder = opened(tmp_path)
    first = entry("e", 1, "first")
    await recorder.record(first)
    odd = entry("odd", 1, "x")
    odd = type(odd)("odd", 1, "p", None, {"px": object()}, odd.reply)
    late, other_words = entry("e", 1, "late"), entry("e", 1, "x", prompt="changed")
    outcomes = await recorder.keep([late, odd, entry("new", 1, "x"), other_words], ())
    assert outcomes[0] == first
    assert "episode odd" in str(outcomes[1])
    assert outcomes[2] is None
    assert "recorded with other words" in str(outcomes[3])
    await recorder.close()


async def test_an_episode_of_another_family_is_refused(tmp_path):
    recorder = opened(tmp_path)
    stranger = replace(finished("e", [entry("e", 1, "x")]), family="gamma")
    with pytest.raises(RecordError, match="episode e: unknown family 'gamma'"):
        await recorder.finish(stranger)
    await recorder.close()


async def test_a_second_recorder_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(recorder_module, "PREDECESSOR_S", 0.1)
    recorder = opened(tmp_path)
    with pytest.raises(RunDirError, match="one writer at a time"):
        opened(tmp_path)
    await recorder.close()
    await opened(tmp_path).close()


async def test_a_lost_journal_learns_the_costs_from_the_shards(tmp_path):
    recorder = opened(tmp_path)
    entries = [entry("e", ask, "x") for ask in (1, 2, 3)]
    await recorder.finish(finished("e", entries[:1], "server"))
    await recorder.finish(finished("e", entries))
    await recorder.close()
    (tmp_path / "journal.sqlite").unlink()
    recorder = opened(tmp_path)
    assert (await recorder.stats()).spent_usd == pytest.approx(3 * COST_USD)
    assert await recorder.sums() == ({"c": pytest.approx(3 * COST_USD)}, {}, [])
    await recorder.close()
