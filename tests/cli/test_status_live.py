"""While a large run plays, `status` shows the counts that it writes, and reads no rows."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirror_ray.cli import main
from mirror_ray.core.types import Reply
from mirror_ray.records.live_counts import LiveCounts, ModelCount, write_live_counts
from mirror_ray.records.lock import Lock
from mirror_ray.records.run_log import RunLog
from mirror_ray.records.rundir import LOCK_NAME
from support.recorded_run import plan_for, record_run

BEGAN = "2026-05-01T10:00:00+00:00"


@pytest.fixture
def lock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Lock]:
    """The lock of a run whose own counts differ from its rows."""
    out = tmp_path / "run"
    plan = plan_for(out, conditions=("E1", "E2"), runs=2)
    record_run(plan, lambda _: Reply("no JSON", cost_usd=0.25))
    RunLog(out).note("progress", started_at=BEGAN, pid=1, host="box", done=70, planned=90)
    models = {
        "lab/a": ModelCount(50, 40, 3, 0, 0, 2.0, 0.0, 9.0, 4.0),
        "lab/b": ModelCount(40, 30, 0, 2, 1, 1.0, 0.0, None, 3.0),
    }
    write_live_counts(out, BEGAN, LiveCounts(models, 8.0, 0.5))
    held = Lock(out / LOCK_NAME, what="the run")
    capsys.readouterr()
    yield held
    held.close()


def status(tmp_path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main(["status", str(tmp_path / "run"), *words])
    return capsys.readouterr().out


def test_a_run_that_plays_shows_its_own_counts(
    tmp_path: Path, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = status(tmp_path, capsys).splitlines()
    head, first, second = (line.split() for line in lines[:3])
    assert head == ["model", "done", "errors", "unpaid", "spent", "budget", "in", "all"]
    assert first == ["lab/a", "40/50", "3", "$2.00", "$9.00", "$4.00"]
    assert second == ["lab/b", "30/40", "2", "≥$1.00", "≥$3.00"]
    said = " ".join(" ".join(lines).split())
    assert "Spent at least $3.00 (1 request of unknown price) of $8.00" in said
    assert "Up to $0.50 more" in said
    assert "70 of 90 episodes done, 3 with an error, 2 unpaid, 15 to play" in said
    assert "These are the run's own counts; --json counts its rows, by condition." in said


def test_json_counts_rows_and_so_does_a_run_that_has_ended(
    tmp_path: Path, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = json.loads(status(tmp_path, capsys, "--json"))
    assert {row["condition"] for row in rows} == {"E1", "E2"}
    assert {row["state"] for row in rows} == {"running"}
    assert "40/50" in status(tmp_path, capsys)
    lock.close()
    said = status(tmp_path, capsys)
    assert "40/50" not in said
    assert "own counts" not in said


def test_a_run_that_began_again_has_no_counts_yet(
    tmp_path: Path, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    RunLog(tmp_path / "run").note("started", started_at="2026-05-01T11:00:00+00:00", pid=2)
    assert "40/50" not in status(tmp_path, capsys)


def test_its_own_counts_load_no_reader_of_rows_or_sweeps(tmp_path: Path, lock: Lock) -> None:
    code = (
        "import sys; from mirror_ray.cli import main; main(sys.argv[1:]); "
        "print('MODULES', *sys.modules)"
    )
    command = [sys.executable, "-c", code, "status", str(tmp_path / "run")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "40/50" in said
    modules = set(said.rpartition("MODULES")[2].split())
    assert not modules & {"duckdb", "pydantic", "pyarrow.compute", "pyarrow.parquet"}
