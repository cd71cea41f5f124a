"""Cuts and flipped bits in a journal and its log: harmless, or reported; never silent."""

import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply
from mirror_ray.records.journal.batch_notes import Batch, BatchedAsk
from mirror_ray.records.journal.charges import Overrun, PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.entry import Entry, read_entry, write_entry
from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.rows.finished import PackedForm

_FILES = (JOURNAL_NAME, f"{JOURNAL_NAME}-wal", f"{JOURNAL_NAME}-count")
_REPLIES = 12
_DAMAGES = 114
"""Flips, and as many cuts."""

Replies = dict[str, list[Entry]]


def _add(journal: Journal, number: int) -> None:
    reply = Reply(f"answer {number} " * 20, cost_usd=0.5)
    written = write_entry(Entry(f"e{number}", 1, "p", None, {"x": number}, reply))
    journal.commit([lambda journal: journal.add(written, 0.5)])


def _all(journal: Journal) -> tuple[Replies, float]:
    found = journal.prefixes([f"e{number}" for number in range(_REPLIES)])
    replies = {one: [read_entry(written) for written in rows] for one, rows in found.items()}
    return replies, journal.charges.spent_usd()


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Replies, float]]:
    """The files that a killed process leaves, and what they hold."""
    folder = tmp_path_factory.mktemp("killed")
    (folder / "open").mkdir()
    journal = Journal(str(folder / "open" / JOURNAL_NAME))
    for number in range(_REPLIES):
        _add(journal, number)
    for name in _FILES:
        shutil.copy(folder / "open" / name, folder / name)
    yield folder, *_all(journal)
    journal.close()


def _opened(source: Path, folder: Path, name: str, damaged: bytes) -> tuple[Replies, float] | None:
    """What is read where one file is damaged; None if that is reported."""
    for one in _FILES:
        shutil.copy(source / one, folder / one)
    (folder / name).write_bytes(damaged)
    try:
        journal = Journal(str(folder / JOURNAL_NAME))
    except RunDirError as error:
        is_told = JOURNAL_NAME in error.where and bool(error.fix)
        return None if is_told else ({}, 0.0)
    try:
        return _all(journal)
    finally:
        journal.close()


@pytest.mark.parametrize("name", _FILES[1:])
@pytest.mark.parametrize("how", ["flip", "cut"])
def test_no_damage_to_the_log_loses_replies_in_silence(
    killed: tuple[Path, Replies, float], tmp_path: Path, name: str, how: str
) -> None:
    source, *expected = killed
    whole = (source / name).read_bytes()
    chance = random.Random(f"{name} {how}")
    n_reported = 0
    for number in range(_DAMAGES if name.endswith("-wal") else 20):
        damaged = bytearray(whole)
        place = chance.randrange(len(whole))
        if how == "flip":
            damaged[place] ^= 1 << chance.randrange(8)
        else:
            del damaged[place:]
        folder = tmp_path / str(number)
        folder.mkdir()
        found = _opened(source, folder, name, bytes(damaged))
        n_reported += found is None
        assert found is None or list(found) == expected, f"{how} at {place}"
        shutil.rmtree(folder)
    assert (n_reported > 0) == name.endswith("-wal")


def test_an_emptied_journal_is_reported_and_a_removed_one_begins_again(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_NAME
    journal = Journal(str(path))
    _add(journal, 0)
    journal.close()
    path.write_bytes(b"")
    with pytest.raises(RunDirError, match="transactions"):
        Journal(str(path))
    path.unlink()
    for _ in range(2):
        Journal(str(path)).close()


def test_a_deleted_folder_is_said_to_be_deleted(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    journal = Journal(str(folder / JOURNAL_NAME))
    _add(journal, 0)
    shutil.rmtree(folder)
    with pytest.raises(RunDirError, match="deleted or moved"):
        _add(journal, 1)


def test_an_altered_reply_is_left_out_with_those_after_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / JOURNAL_NAME
    journal = Journal(str(path))
    entries = {
        one: [Entry(one, ask, "p", None, {}, Reply(f"answer {ask}", cost_usd=0.5)) for ask in asks]
        for one, asks in {"damaged": (1, 2, 3), "sound": (1, 2)}.items()
    }
    written = [write_entry(each) for some in entries.values() for each in some]
    journal.commit([lambda journal, one=one: journal.add(one, 0.5) for one in written])
    journal.close()
    for number, altered in enumerate(
        (
            "reply = replace(reply, 'answer', 'answes')",
            "reply = cast(reply as blob)",
            "facts = '{\"x\":1}'",
            "frame_sha = 'f'",
            "prompt_sha = 'q'",
            "ask_index = 9",
            "final = 0",
            "episode_id = cast(x'ff64' as text)",
        )
    ):
        copy = tmp_path / f"{number}.sqlite"
        shutil.copy(path, copy)
        with closing(sqlite3.connect(copy)) as db, db:
            db.execute(f"update reply set {altered} where episode_id = 'damaged' and ask_index = 2")  # noqa: S608
        journal = Journal(str(copy))
        found = journal.prefixes(list(entries))
        kept = {one: [read_entry(each) for each in some] for one, some in found.items()}
        assert kept == {"damaged": entries["damaged"][:1], "sound": entries["sound"]}, altered
        assert journal.charges.spent_usd() == 2.5
        # A later reply to the question that is asked again would stand in its place.
        assert (
            write_entry(entries["damaged"][2])
            == journal.commit(
                [lambda journal: journal.add(write_entry(entries["damaged"][2]), 0.5)]
            )[0]
        )
        assert journal.charges.spent_usd() == 3.0
        journal.close()
        assert "was damaged and is left out" in capsys.readouterr().err


@pytest.mark.parametrize(
    "altered",
    [
        "update ledger set spent_usd = 0.75",
        "update ledger set cell_id = 'd'",
        "update begun set at_most_usd = 0.1",
        "update highest_cost set usd = 1.0",
        "update claimed set calls = 3",
        "update batch set state = 'out'",
        "update batch_ask set place = 1",
        "update form set family = 'beta'",
    ],
)
def test_other_altered_rows_are_refused(tmp_path: Path, altered: str) -> None:
    path = tmp_path / JOURNAL_NAME
    journal = Journal(str(path))
    asks = (BatchedAsk("e", 1, 0, "sha"),)
    works: list[Callable[[Journal], object]] = [
        lambda journal: journal.charges.begin([PendingCall("e", 1, "a", "c", 0.5)]),
        lambda journal: journal.charges.spend({"e": 0.5}),
        lambda journal: journal.charges.overrun([Overrun("m", 2, "e", "c")]),
        lambda journal: journal.claim_calls("key", 1, 2),
        lambda journal: journal.batches.note(Batch("b", "m", "intended", None, 1, asks)),
        lambda journal: journal.ended.form_id(PackedForm("alpha", b"1", b"2")),
    ]
    journal.commit(works)
    journal.close()
    Journal(str(path)).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(altered)
    table = altered.split()[1]
    with pytest.raises(RunDirError, match=f"of the table {table} was altered"):
        Journal(str(path))
    with pytest.raises(RunDirError, match=f"of the table {table} was altered"):
        journal_rows(tmp_path, f"select count(*) from {table}")  # noqa: S608


def test_tables_of_another_meaning_are_refused(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_NAME
    Journal(str(path)).close()
    content = path.read_bytes()
    assert content.count(b"calls integer not null") == 1
    path.write_bytes(content.replace(b"calls integer not null", b"callt integer not null"))
    with pytest.raises(RunDirError, match="claimed is not as it was made"):
        Journal(str(path))
