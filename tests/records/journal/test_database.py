import asyncio
import sqlite3
from dataclasses import replace

import pytest

from mirror_ray.core.error_kinds import ERROR_KINDS, FINAL_KINDS
from mirror_ray.core.errors import RecordError, RunDirError
from mirror_ray.core.types import Attempt, Reply
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.entry import Entry, read_entry, write_entry
from mirror_ray.records.journal.group_commit import GroupCommit
from mirror_ray.records.rows.finished import PackedForm, Sealable

ENTRY = Entry(
    episode_id="e",
    ask_index=1,
    prompt_sha="p",
    frame_sha=None,
    facts={"px": [1, 2], "share": 1e-300, "far": float("inf")},
    reply=Reply(
        text='{"a": "\u2028 \ud83d"}',
        tokens_in=3,
        cost_usd=0.1 + 0.2,
        retry_after_s=1.5,
        attempts=2,
    ),
)

FORM = PackedForm("f", b"columns of steps", b"columns of episodes")


@pytest.fixture
def journal(tmp_path):
    opened = Journal(str(tmp_path / "journal.sqlite"))
    yield opened
    opened.close()


def add(entry: Entry):
    return lambda journal: journal.add(write_entry(entry), entry.reply.cost_usd)


def test_an_entry_comes_back_bit_exact():
    assert read_entry(write_entry(ENTRY)) == ENTRY
    turn = read_entry(write_entry(ENTRY)).turn
    assert (turn.observation.images, turn.observation.facts) == ((), ENTRY.facts)
    assert turn.reply == ENTRY.reply


def test_facts_must_be_plain():
    with pytest.raises(RecordError, match="request 1 of episode e"):
        write_entry(replace(ENTRY, facts={"px": {1, 2}}))


@pytest.mark.parametrize("kind", ERROR_KINDS)
def test_only_final_replies_enter_a_prefix(journal, kind):
    journal.commit([add(replace(ENTRY, reply=Reply("x", error_kind=kind)))])
    assert len(journal.prefixes(["e"])["e"]) == (kind in FINAL_KINDS)


def test_what_failed_before_a_reply_comes_back_with_it(journal):
    tried = (
        Attempt("then", 1.5, "timeout", "late", None),
        Attempt("now", 0.5, "server", "x", 0.25),
    )
    said = replace(ENTRY, reply=Reply("x", cost_usd=0.5, attempts=3, failed_attempts=tried))
    journal.commit([add(said)])
    assert [read_entry(row) for row in journal.prefixes(["e"])["e"]] == [said]


def test_a_prefix_ends_at_the_first_gap(journal):
    journal.commit([add(replace(ENTRY, ask_index=ask)) for ask in (1, 2, 4)])
    assert [row.ask_index for row in journal.prefixes(["e"])["e"]] == [1, 2]


def test_prefixes_of_many_episodes(journal):
    ids = [f"e{index}" for index in range(1203)]
    journal.commit([add(replace(ENTRY, episode_id=episode_id)) for episode_id in ids])
    found = journal.prefixes([*ids, "e0", "none"])
    assert list(found) == [*ids, "none"]
    assert {len(found[episode_id]) for episode_id in ids} == {1}
    assert found["none"] == ()


def test_each_key_has_a_day_of_its_own(journal):
    for key, day, calls in (("a", 7, 30), ("a", 7, 20), ("a", 8, 5), ("b", 8, 9)):
        journal.commit([lambda journal, of=(key, day, calls): journal.claim_calls(*of)])
    assert journal.claimed_calls({"a": 7, "b": 8, "c": 8}) == {"a": 30, "b": 9}
    assert journal.claimed_calls({"a": 8, "b": 7}) == {"a": 5}


def test_a_failing_work_undoes_its_whole_transaction(journal):
    def fail(_: Journal) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with pytest.raises(RunDirError, match="disk I/O error"):
        journal.commit([add(ENTRY), fail])
    assert journal.prefixes(["e"]) == {"e": ()}
    journal.commit([add(ENTRY)])
    assert len(journal.prefixes(["e"])["e"]) == 1


def test_a_batch_is_bounded_and_never_empty(journal):
    form_id = journal.ended.form_id(FORM)
    for number in range(5):
        finished = Sealable(f"e{4 - number}", 1, "none", b"r" * 100)
        journal.commit([lambda journal, finished=finished: journal.ended.finish(form_id, finished)])
    assert journal.ended.backlog() == (5, 500)
    assert len(journal.ended.unsealed(form_id, 10, 10)) == 1
    assert [one.episode_id for one in journal.ended.unsealed(form_id, 10, 250)] == ["e3", "e4"]
    assert len(journal.ended.unsealed(form_id, 3, 10**6)) == 3
    assert journal.ended.unsealed(form_id + 1, 10, 10**6) == []


def test_a_form_has_one_number_and_is_sealed_where_something_waits(journal):
    later = FORM._replace(steps=b"more columns")
    other = PackedForm("a", b"", b"")
    numbers = [journal.ended.form_id(form) for form in (FORM, later, other, FORM)]
    assert len(set(numbers)) == 3
    assert numbers[0] == numbers[3]
    assert journal.ended.unsealed_forms() == {}
    for number in numbers[:3]:
        journal.ended.finish(number, Sealable(f"e{number}", 1, "none", b""))
    # By family, the oldest form first.
    assert list(journal.ended.unsealed_forms().items()) == [
        (numbers[2], other), (numbers[0], FORM), (numbers[1], later),
    ]  # fmt: skip


def test_a_file_of_something_else_is_refused(tmp_path):
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(RunDirError, match="not a database"):
        GroupCommit(str(path))


def test_a_journal_of_another_version_is_refused(tmp_path):
    path = tmp_path / "journal.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 99")
    with pytest.raises(RunDirError, match="version 99"):
        Journal(str(path))


def test_every_commit_is_flushed(tmp_path):
    """What makes a reply durable against a power cut is SQLite's setting; it must not slip."""
    journal = Journal(str(tmp_path / "journal.sqlite"))
    assert journal._db.execute("pragma synchronous").fetchone() == (2,)
    assert journal._db.execute("pragma journal_mode").fetchone() == ("wal",)
    journal.close()


def test_room_is_used_again_and_given_back(tmp_path):
    """However many episodes pass through, the file is no larger than its largest backlog."""
    path = tmp_path / "journal.sqlite"
    journal = Journal(str(path))
    largest = []
    for batch in range(10):
        ids = [f"e{batch}-{number}" for number in range(50)]
        for episode_id in ids:
            finished = Sealable(episode_id, 1, "none", b"r" * 11_000)
            journal.commit(
                [
                    add(replace(ENTRY, episode_id=episode_id)),
                    lambda journal, finished=finished: journal.ended.finish(1, finished),
                ]
            )
        journal.commit(
            [lambda journal, ids=ids: journal.ended.prune((one, 1, "none") for one in ids)]
        )
        largest.append(path.stat().st_size)
    assert largest[-1] <= 1.1 * largest[1]
    assert largest[-1] > 500_000
    journal.close()
    assert path.stat().st_size < 100_000
    assert {one.name for one in tmp_path.iterdir()} == {"journal.sqlite", "journal.sqlite-count"}


async def test_a_failed_group_fails_all_its_members_and_no_others(tmp_path):
    group = GroupCommit(str(tmp_path / "journal.sqlite"))

    def fail(_: Journal) -> None:
        raise sqlite3.OperationalError("disk full")

    together = await asyncio.gather(
        group.submit(add(ENTRY)), group.submit(fail), return_exceptions=True
    )
    assert [type(one) for one in together] == [RunDirError, RunDirError]
    await group.submit(add(ENTRY))
    assert len((await group.submit(lambda journal: journal.prefixes(["e"])))["e"]) == 1
    group.close()


async def test_a_cancelled_caller_does_not_take_its_reply_back(tmp_path):
    group = GroupCommit(str(tmp_path / "journal.sqlite"))
    task = asyncio.create_task(group.submit(add(ENTRY)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len((await group.submit(lambda journal: journal.prefixes(["e"])))["e"]) == 1
    group.close()
