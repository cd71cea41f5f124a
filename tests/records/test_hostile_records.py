"""What a hostile or damaged record holds costs its own entry or episode, and no money is lost."""

import asyncio
import json
import math
import sqlite3
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.errors import RecordError, RunDirError
from mirror_ray.core.types import Attempt, Quota, Reply
from mirror_ray.records.journal.charges import Overrun, PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.entry import (
    Entry,
    WrittenEntry,
    read_entry,
    reply_of_written,
    write_entry,
)
from mirror_ray.records.journal.group_commit import GroupCommit
from mirror_ray.records.rows.arrow import table_of
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import FinishedEpisode
from mirror_ray.records.schemas import STEPS
from mirror_ray.records.shards.shard_index import sealed_costs_usd
from mirror_ray.records.so_far import spent_so_far
from support.journal_rows import rewritten

NO_COSTS = [float("nan"), float("inf"), -float("inf"), -1e-9, -1000.0, 1e300, 2**70, "1", True]

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(st.characters(exclude_categories=())),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
)
REPLY_COLUMNS = {
    "text": "reply",
    **{
        name: name
        for name in (
            "reasoning", "finish_reason", "native_finish_reason", "error_kind", "error",
            "tokens_in", "tokens_out", "tokens_cached", "tokens_image", "cost_usd", "latency_s",
            "attempts", "model_version", "started_at",
        )
    },
}  # fmt: skip


def entry(reply: Reply, episode_id: str = "e") -> Entry:
    return Entry(episode_id, 1, "p", None, {"px": 1}, reply)


def add(one: Entry):
    return lambda journal: journal.add(write_entry(one), one.reply.cost_usd)


@given(st.dictionaries(st.sampled_from([*REPLY_COLUMNS, "failed_attempts", "other"]), anything))
def test_every_recorded_reply_fits_its_columns(plain):
    """As an earlier release may have journaled it."""
    reply = reply_of_written(json.dumps(plain))
    wanted = pa.schema([STEPS.field(column) for column in REPLY_COLUMNS.values()])
    row = {column: getattr(reply, name) for name, column in REPLY_COLUMNS.items()}
    assert table_of([row], wanted, of="a reply").num_rows == 1
    assert reply.cost_usd is None or 0 <= reply.cost_usd < math.inf
    assert reply_of_written(write_entry(entry(reply)).reply) == reply


@pytest.mark.parametrize("text", ["", "5", "[]", "{", "null", '"x"', '{"failed_attempts": 5}'])
def test_a_record_that_cannot_be_read_is_a_failed_reply(text):
    found = read_entry(WrittenEntry("e", 1, "p", 5, text, text, True))
    assert (found.reply.error_kind, found.frame_sha) == ("internal", None)
    assert isinstance(found.facts, dict)
    assert found.reply.error


def test_what_fits_is_kept_as_it_is():
    reply = Reply(
        "x",
        tokens_in=2**63 - 1,
        tokens_out=3.0,
        cost_usd=0,
        attempts=0,
        failed_attempts=(Attempt("t", 1.5, "timeout", "late", None),),
        quota=Quota(rpm=60.0),
    )
    assert (reply.tokens_in, reply.tokens_out, reply.cost_usd) == (2**63 - 1, 3, 0.0)
    assert (reply.attempts, reply.quota) == (0, Quota(rpm=60.0))
    assert reply.failed_attempts[0].latency_s == 1.5
    assert Attempt("t", math.nan, "odd", 5, -1.0) == Attempt("t", 0.0, "internal", None, None)
    assert Quota(0.0, -1, math.nan, 1e-300, 5, 1e999) == Quota(tokens_left=5)


@pytest.mark.parametrize("usd", NO_COSTS)
def test_what_is_no_cost_is_refused_before_anything_is_added(tmp_path, usd):
    journal = Journal(str(tmp_path / JOURNAL_NAME))
    for attempt in (
        lambda: journal.charges.spend({"e": usd}),
        lambda: journal.charges.spend({"e": 1.0}, {"e": usd}),
        lambda: journal.charges.begin([PendingCall("e", 1, "a", "c", usd)]),
        lambda: journal.charges.overrun([Overrun("m", usd, "e", "c")]),
    ):
        with pytest.raises(RecordError, match="cannot be counted"):
            attempt()
    assert journal.charges.sums() == ({}, {}, [])
    journal.close()


@pytest.mark.parametrize(
    "bad",
    [
        lambda journal: journal.charges.spend({"e": math.nan}),
        lambda journal: journal.claim_calls("k", 2**70, 1),
        lambda journal: journal.claim_calls("k", 1, {}),
        lambda journal: journal.ended.form_id((None, b"", b"")),
        lambda journal: journal.add(WrittenEntry(None, 1, "p", None, "{}", "{}", True), 0.5),
        lambda journal: (journal.add(write_entry(entry(Reply("half"), "bad")), 0.5), 1 / 0),
    ],
)
async def test_one_of_a_group_that_cannot_be_kept_fails_alone_and_nothing_is_done_twice(
    tmp_path, bad
):
    group = GroupCommit(str(tmp_path / JOURNAL_NAME))
    good = [entry(Reply("x", cost_usd=0.25), f"e{number}") for number in range(4)]
    works = [add(good[0]), add(good[1]), bad, add(good[2]), bad, add(good[3])]
    told = await asyncio.gather(*map(group.submit, works), return_exceptions=True)
    assert [type(one) is RecordError for one in told] == [0, 0, 1, 0, 1, 0]
    assert [one.episode_id for one in told if isinstance(one, WrittenEntry)] == [
        "e0",
        "e1",
        "e2",
        "e3",
    ]
    sums = await group.submit(lambda journal: journal.charges.sums())
    found = await group.submit(lambda journal: journal.prefixes(["e0", "e3", "bad"]))
    assert sums == ({None: 1.0}, {}, [])
    assert [len(found[name]) for name in ("e0", "e3", "bad")] == [1, 1, 0]
    with pytest.raises(RecordError):
        group.run(bad)
    group.close()


async def test_a_full_disk_is_everybody_s_trouble(tmp_path):
    group = GroupCommit(str(tmp_path / JOURNAL_NAME))

    def fail(_: Journal) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    works = [add(entry(Reply("x"))), lambda journal: journal.charges.spend({"e": -1.0}), fail]
    told = await asyncio.gather(*map(group.submit, works), return_exceptions=True)
    assert [type(one) for one in told] == [RunDirError] * 3
    assert await group.submit(lambda journal: journal.prefixes(["e"])) == {"e": ()}
    group.close()


def test_what_others_wrote_for_costs_is_unknown_and_swallows_nothing(tmp_path: Path):
    path = tmp_path / JOURNAL_NAME
    Journal(str(path)).close()
    with rewritten(path) as db:
        db.executemany(
            "insert into ledger values (?, 'c', ?, ?, 0)",
            [
                ("good", 0.5, 0.25),
                ("refunded", -1000.0, -5.0),
                ("endless", math.inf, math.inf),
                ("huge", 1e300, 0.0),
                ("word", "much", 0.0),
            ],
        )
        db.execute("insert into begun values ('b', 1, 'a', 'c', -7.0, 0)")
    assert spent_so_far(str(tmp_path)) == {"good": 0.5}
    journal = Journal(str(path))
    assert journal.charges.sums() == ({"c": 0.5}, {"c": 0.25}, [("b", 1, "a", "c", 0.0)])
    journal.commit([lambda journal: journal.charges.spend({"refunded": 0.125})])
    journal.commit([lambda journal: journal.charges.overrun([Overrun("m", 2.0, "free", "d")])])
    journal.commit([lambda journal: journal.charges.overrun([Overrun("m", 1.0, "free", "d")])])
    journal.commit([lambda journal: journal.charges.spend({"free": 3.0})])
    assert journal.charges.ledger() == {"free": 3.0, "good": 0.5, "refunded": 0.125}
    assert journal.charges.sums().spent_usd == {"c": 0.625, "d": 3.0}
    journal.close()
    journal = Journal(str(path))
    assert journal.charges.highest_usd() == {"m": 2.0}
    journal.close()


def test_what_shards_tell_of_costs_never_shrinks_a_sum(tmp_path):
    for name, costs in (("a", [0.5, -3.0, None]), ("b", [math.nan]), ("c", [math.inf, 0.25])):
        folder = tmp_path / "steps" / f"family={name}"
        folder.mkdir(parents=True)
        table = pa.table(
            {"episode_id": [name] * len(costs), "take": pa.array([1] * len(costs), pa.int32()),
             "cost_usd": pa.array(costs, pa.float64())}
        )  # fmt: skip
        pq.write_table(table, folder / "part-000001.parquet")
    assert sealed_costs_usd(str(tmp_path)) == {"a": 0.5, "c": 0.25}


COLUMNS = pa.schema(
    [
        pa.field("episode_id", pa.string(), nullable=False),
        pa.field("error_kind", pa.string(), nullable=False),
        pa.field("take", pa.int32(), nullable=False),
        pa.field("count", pa.int64()),
        pa.field("seed", pa.int64(), nullable=False),
        pa.field("done", pa.bool_(), nullable=False),
        pa.field("share", pa.float64(), nullable=False),
        pa.field("words", pa.list_(pa.string())),
    ]
)


@given(st.dictionaries(st.sampled_from(COLUMNS.names[3:]), anything | st.just(10**5000)))
def test_what_is_fitting_can_be_written_whatever_it_was(values):
    form = RowCodec("f", COLUMNS, COLUMNS)
    row = {"episode_id": "e", "error_kind": "none", "odd": object(), **values}
    fitting = form.fitting(FinishedEpisode("f", row, (row, row)))
    steps, episodes = form.read([(1, form.write(fitting).rows)])
    assert (steps.num_rows, episodes.num_rows) == (2, 1)
    plain = {"count": 5, "seed": 6, "done": True, "share": 0.5, "words": ["a"]}
    (kept,) = (form.fitting(FinishedEpisode("f", {**row, **plain}, ())).episode,)
    assert {name: kept[name] for name in plain} == plain


def test_rows_that_nobody_wrote_are_known_from_those_that_were():
    form = RowCodec("f", COLUMNS, COLUMNS)
    row = {"episode_id": "e", "error_kind": "none", "seed": 1, "done": True, "share": 0.5}
    good = form.write(FinishedEpisode("f", row, (row,))).rows
    assert form.is_readable(1, good)
    other = RowCodec("f", COLUMNS, COLUMNS.remove(3)).write(FinishedEpisode("f", row, ()))
    for take, rows in ((1, b""), (1, b"junk"), (1, good[:-9]), (2**40, good), (1, other.rows)):
        assert not form.is_readable(take, rows)
