"""Running, stopped, killed or finished: from the lock and the log."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from mirror_ray.records.lock import Lock, is_held
from mirror_ray.records.run_log import RUN_LOG, RunLog
from mirror_ray.records.run_state import run_state, state_columns, state_lines
from mirror_ray.records.rundir import LOCK_NAME

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
MANIFEST = {"runs": [{"started_at": "2026-05-01T09:00:00+00:00"}]}
BEGAN = {"started_at": "2026-05-01T10:00:00+00:00", "pid": 4711, "host": "box"}
COUNTED = {
    "done": 130,
    "planned": 768,
    "failed": 2,
    "calls": 400,
    "eta_s": 3600.0,
    "last_reply_at": "2026-05-01T11:59:57+00:00",
    "models": {"m": {"waiting": 36, "unreachable": "connection"}, "n": {"waiting": 1}},
}


def log(home, *lines) -> None:
    with (home / RUN_LOG).open("a") as file:
        for at, event, facts in lines:
            said = {"at": f"2026-05-01T{at}:00+00:00", "event": event, **facts}
            file.write(json.dumps(said) + "\n")


def state_of(home, left=10):
    return run_state(str(home), MANIFEST, left=left, now=NOW)


def test_a_held_lock_is_a_running_run(tmp_path):
    log(tmp_path, ("10:00", "started", BEGAN), ("11:59", "progress", BEGAN | COUNTED))
    lock = Lock(tmp_path / LOCK_NAME, what="it")
    state = state_of(tmp_path)
    assert (state.state, state.elapsed_s, state.process) == (
        "running",
        7200.0,
        "process 4711 on box",
    )
    assert state.ends_at == NOW + timedelta(minutes=59)
    said = " ".join(state_lines(state, NOW))
    assert "2:00:00 so far" in said
    assert "last reply 3 s ago" in said
    assert "about 0:59:00 left, until" in said
    assert "By its own count 60 s ago: 130/768 episodes, 2 with an error" in said
    assert "Unreachable: m (connection, 36 waiting)." in said
    columns = state_columns(state)
    assert columns["since"] == "2026-05-01T10:00:00+00:00"
    assert columns["ends_at"] == "2026-05-01T12:59:00+00:00"
    lock.close()
    assert state_of(tmp_path).state == "killed"


def test_a_run_that_ended_in_order_says_how(tmp_path):
    log(tmp_path, ("10:00", "started", BEGAN), ("11:00", "ended", {"why": "interrupted"}))
    state = state_of(tmp_path)
    assert (state.state, state.why, state.elapsed_s) == ("stopped", "interrupted", 3600.0)
    # Of runs before it nothing is known here.
    assert "its last run took 1:00:00" in state_lines(state, NOW)[0]
    assert state_of(tmp_path, left=0).state == "finished"
    # While the plan is still being read, the log's own word counts.
    assert state_of(tmp_path, left=None).state == "stopped"
    log(tmp_path, ("11:10", "ended", {"outcome": "finished", "why": ""}))
    assert state_of(tmp_path, left=None).state == "finished"
    log(tmp_path, ("11:30", "started", BEGAN))
    assert state_of(tmp_path).state == "killed"


def test_a_log_whose_beginning_has_gone_still_tells_when_and_who(tmp_path):
    written = RunLog(tmp_path)
    for number in range(3_000):
        written.note("progress", **BEGAN, number=number, models={"m": "x" * 200})
    state = state_of(tmp_path)
    assert (state.state, state.process) == ("killed", "process 4711 on box")


def test_a_directory_of_an_earlier_release_has_no_log(tmp_path):
    assert state_of(tmp_path, left=0).state == "finished"
    assert state_of(tmp_path).state == "stopped"


@pytest.mark.parametrize(
    "said",
    [
        {"started_at": "yesterday", "pid": True, "host": 7},
        {"started_at": None, "eta_s": 1e300, "models": 7},
        {"started_at": "9999-12-31T23:59:59+00:00", "eta_s": -1.0, "last_reply_at": [1]},
        {"started_at": "2026-05-01T10:00:00", "models": {"m": {"unreachable": {}}, "n": 3}},
        {"started_at": "9999-12-31T23:59:59-12:00", "eta_s": 1e9, "done": 1, "planned": "x"},
    ],
)
def test_whatever_the_log_says_there_is_a_state(tmp_path, said):
    log(tmp_path, ("10:00", "progress", said))
    (tmp_path / RUN_LOG).open("a").write(json.dumps({"event": "progress", "at": 3, **said}) + "\n")
    lock = Lock(tmp_path / LOCK_NAME, what="it")
    for state in (state_of(tmp_path), run_state(str(tmp_path), {"runs": [7]}, left=1, now=NOW)):
        assert state.state == "running"
        assert state_lines(state, NOW)
        json.dumps(state_columns(state))
    lock.close()


def test_looking_at_a_lock_keeps_nobody_from_taking_it(tmp_path):
    path = tmp_path / LOCK_NAME
    assert is_held(path) is False
    lock = Lock(path, what="it")
    assert is_held(path) is True
    assert path.read_text().startswith("process ")
    lock.close()
    assert is_held(path) is False
    Lock(path, what="it").close()
