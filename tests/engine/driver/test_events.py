"""What of a run is logged, and of what a person is notified: each once."""

from dataclasses import replace

import pytest

from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.events import FEWEST_ENDED, RunEvents
from mirror_ray.engine.limiter.circuit_breaker import Unreachable
from mirror_ray.engine.limiter.messages import LimiterStats
from mirror_ray.records.live_counts import LIVE_COUNTS_NAME, ModelCount, live_counts
from mirror_ray.records.run_log import RunLog, last_lines
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.notify import Notify

MODEL = "scripted/blind"


@pytest.fixture
def events(tmp_path):
    plan = load_plan("quickstart", [f"models={MODEL}"], str(tmp_path / "out"))
    notify = Notify(("true",), on=("budget",), failures_above=0.5)
    made = RunEvents(replace(plan, sweep=replace(plan.sweep, notify=notify)), RunLog(tmp_path))
    made.started({"pid": 1, "host": "box", "versions": {}})
    return made


def counted(done: int, failed: int) -> RunCounters:
    return RunCounters({MODEL: 100}, {MODEL: done}, {MODEL: failed})


def logged(tmp_path) -> list[str]:
    return [line["event"] for line in last_lines(tmp_path) if line["event"] != "progress"]


def unreachable(counters: RunCounters, *models: str) -> RunCounters:
    down = {model: Unreachable("connection", 1.0, 2.0) for model in models}
    counters.limiter_read(LimiterStats(0.0, 0.0, 0.0, {}, {}, {}, down))
    return counters


def test_counts_by_model_are_written_with_the_progress_and_removed_at_the_end(events, tmp_path):
    events.observe(counted(3, 2))
    assert not (tmp_path / LIVE_COUNTS_NAME).exists()
    plan = load_plan("quickstart", [f"models={MODEL}"], str(tmp_path / "out"))
    large = RunEvents(plan, RunLog(tmp_path), tmp_path)
    large.started({"pid": 1, "host": "box", "versions": {}})
    large.observe(counted(3, 2))
    began = last_lines(tmp_path)[-1]["started_at"]
    counts = live_counts(tmp_path, began)
    assert counts.models == {MODEL: ModelCount(100, 3, 2, 0, 0, 0.0, 0.0, None, None)}
    large.observe(counted(4, 2))
    assert live_counts(tmp_path, began) == counts, "they change with the logged progress alone"
    large.ended(counted(4, 2), 0)
    assert not (tmp_path / LIVE_COUNTS_NAME).exists()


def test_an_event_is_noted_when_it_begins_and_when_it_is_over(events, tmp_path):
    counters = counted(0, 0)
    for down in ((), (MODEL,), (MODEL,), (), (MODEL,)):
        events.observe(unreachable(counters, *down), ("sweep",))
    assert logged(tmp_path) == ["started", "budget", "unreachable", "reachable", "unreachable"]


def test_a_share_of_failures_is_said_once_and_not_of_a_few_episodes(events, tmp_path):
    few = FEWEST_ENDED - 1
    events.observe(counted(0, few))
    events.observe(counted(FEWEST_ENDED, FEWEST_ENDED))
    assert "failures" not in logged(tmp_path)
    for _ in range(3):
        events.observe(counted(9, 11))
    assert logged(tmp_path).count("failures") == 1


@pytest.mark.parametrize(
    ("counts", "ended", "said"),
    [
        ((100, 0), (0, ""), ("finished", "")),
        ((90, 10), (1, ""), ("finished", "")),
        ((90, 0), (130, ""), ("stopped", "interrupted")),
        ((90, 0), (3, ""), ("stopped", "out of budget")),
        ((90, 0), (1, ""), ("stopped", "10 episodes are left")),
        ((90, 0), (1, "LostError: a host"), ("stopped", "LostError: a host")),
    ],
)
def test_an_end_says_how(events, tmp_path, counts, ended, said):
    events.ended(counted(*counts), *ended)
    last = last_lines(tmp_path)[-1]
    assert (last["event"], last["outcome"], last["why"]) == ("ended", *said)
    assert (last["pid"], last["host"]) == (1, "box")


def test_an_end_names_the_models_whose_servers_do_not_answer(events, tmp_path):
    events.ended(unreachable(counted(99, 0), MODEL), 1)
    assert last_lines(tmp_path)[-1]["why"] == f"1 episode is left, and {MODEL} cannot be reached"
