"""A run's own counts are those of the run that plays, whole and recent, or none."""

import json
from dataclasses import astuple, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.records.live_counts import (
    LIVE_COUNTS_NAME,
    LiveCounts,
    ModelCount,
    live_counts,
    remove_live_counts,
    write_live_counts,
)

BEGAN = "2026-05-01T10:00:00+00:00"
COUNTS = LiveCounts(
    {
        "lab/a": ModelCount(10, 4, 1, 2, 3, 0.5, 0.25, None, 1.5),
        "lab/b": ModelCount(10, 0, 0, 0, 0, 0.0, 0.0, 2.0, None),
    },
    budget_usd=5.0,
    presumed_usd=0.125,
)


def test_what_was_written_is_there_until_it_is_removed(tmp_path: Path) -> None:
    assert live_counts(tmp_path, BEGAN) is None
    write_live_counts(tmp_path, BEGAN, COUNTS)
    assert live_counts(tmp_path, BEGAN) == COUNTS
    assert list(live_counts(tmp_path, BEGAN).models) == ["lab/a", "lab/b"]  # type: ignore[union-attr]
    assert [path.name for path in tmp_path.iterdir()] == [LIVE_COUNTS_NAME]
    remove_live_counts(tmp_path)
    remove_live_counts(tmp_path)
    assert not list(tmp_path.iterdir())


def test_counts_of_another_run_or_of_long_ago_are_none(tmp_path: Path) -> None:
    write_live_counts(tmp_path, BEGAN, COUNTS)
    assert live_counts(tmp_path, "2026-05-01T11:00:00+00:00") is None
    now = datetime.now(UTC)
    assert live_counts(tmp_path, BEGAN, now + timedelta(seconds=100)) == COUNTS
    assert live_counts(tmp_path, BEGAN, now + timedelta(seconds=200)) is None


def row(**changed: Any) -> list[Any]:
    return list(astuple(replace(COUNTS.models["lab/a"], **changed)))


@pytest.mark.parametrize(
    "changed",
    [
        {"models": {}},
        {"models": [row()]},
        {"models": {"m": row()[1:]}},
        {"models": {"m": row(), "n": "10"}},
        {"models": {"m": row(done=11)}},
        {"models": {"m": row(done=-1, planned=-5)}},
        {"models": {"m": row(spent_usd=-0.5)}},
        {"models": {"m": row(spent_usd=None)}},
        {"models": {"m": row(reserved_usd="1")}},
        {"models": {"\x1b[2J": row()}},
        {"at": "yesterday"},
        {"at": None},
    ],
)
def test_a_file_that_no_run_wrote_counts_nothing(tmp_path: Path, changed: dict[str, Any]) -> None:
    path = tmp_path / LIVE_COUNTS_NAME
    written = {"at": datetime.now(UTC).isoformat(), "started_at": BEGAN, "models": {"m": row()}}
    path.write_text(json.dumps(written))
    assert live_counts(tmp_path, BEGAN) is not None
    path.write_text(json.dumps(written | changed))
    assert live_counts(tmp_path, BEGAN) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"a":1,"a":2}'])
def test_a_damaged_file_counts_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / LIVE_COUNTS_NAME).write_bytes(content)
    assert live_counts(tmp_path, BEGAN) is None


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.write_text("theirs")
    (home / LIVE_COUNTS_NAME).symlink_to(outside)
    (home / f".{LIVE_COUNTS_NAME}.tmp").symlink_to(outside)
    write_live_counts(home, BEGAN, COUNTS)
    assert live_counts(home, BEGAN) == COUNTS
    assert outside.read_text() == "theirs"


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    write_live_counts(tmp_path / "missing", BEGAN, COUNTS)
    assert live_counts(tmp_path / "missing", BEGAN) is None
