"""Cuts and flipped bits in a journal and its log: harmless, or reported; never silent."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply
from mirror_ray.records.journal.database import JOURNAL_NAME, Journal
from mirror_ray.records.journal.entry import Entry, read_entry, write_entry

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
