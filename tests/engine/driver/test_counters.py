"""The figures of a run."""

from collections import Counter
from contextlib import ExitStack
from io import StringIO

import pytest
from rich.console import Console

from mirror_ray.core.types import Reply
from mirror_ray.engine.driver import model_counts, progress
from mirror_ray.engine.driver.cost_forecast import Paid
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.model_counts import MOST_DRAWN, ResettableCounter
from mirror_ray.engine.driver.progress import Progress
from mirror_ray.engine.limiter.budget import AccountStats
from mirror_ray.engine.limiter.messages import KeyStats, LimiterStats
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.sweep.ranges import Range


def counted(*replies: Reply, calls: int) -> ModelCounters:
    counted = ModelCounters(calls=calls)
    for reply in replies:
        counted.count(reply)
    return counted


def test_counter_goes_on_where_a_dead_process_stood():
    counter = ResettableCounter()
    for source, value in [("a", 5), ("b", 2), ("a", 7), ("a", 1), ("a", 4)]:
        counter.read(source, value)
    assert counter.total == 7 + 4 + 2


def test_episodes_are_done_failed_or_left():
    counters = RunCounters({"m": 5, "n": 2}, done={"m": 1}, failed={"n": 1})
    counters.episode_ended("m", "none", None)
    counters.episode_ended("m", "timeout", "too slow")
    assert (counters.planned, counters.done, counters.failed) == (7, 2, 2)
    line = counters.lines[0]
    assert (line.done, line.failed, line.errors) == (2, 1, {"timeout": 1})


def test_an_error_is_said_once_per_model_and_kind():
    counters = RunCounters({"m": 5}, {}, {})
    failing = counted(Reply("", error_kind="server", error="503"), calls=5)
    counters.provider_read(0, {"m": failing})
    counters.provider_read(1, {"m": failing})
    counters.episode_ended("m", "server", "503")
    counters.episode_ended("m", "auth", "wrong key")
    assert counters.news() == ["m: server: 503", "m: auth: wrong key"]
    assert counters.news() == []
    assert counters.lines[0].errors == {"server": 2, "auth": 1}


def test_what_no_money_was_left_for_is_unpaid_and_no_error():
    counters = RunCounters({"m": 5}, {}, {})
    refused = Reply("", error_kind="budget", error="its budget is spent", attempts=0)
    counters.provider_read(0, {"m": counted(refused, calls=0)})
    counters.episode_ended("m", "budget", "its budget is spent")
    (line,) = counters.lines
    assert (line.unpaid, line.failed, line.errors) == (1, 0, {})
    assert (counters.unpaid, counters.unplayed) == (1, 4)
    # What was not sent took no time.
    assert line.latency_s is None
    assert counters.news() == ["m: budget: its budget is spent"]


def test_calls_costs_and_latency_add_up_over_providers():
    counters = RunCounters({"m": 5}, {}, {})
    reply = Reply("x", cost_usd=0.5, latency_s=2.0)
    counters.provider_read(0, {"m": counted(reply, calls=3)})
    counters.provider_read(1, {"m": counted(reply, reply, calls=2)})
    assert (counters.calls, counters.cost_usd) == (5, 1.5)
    assert counters.lines[0].latency_s == 2.0


def test_a_model_that_only_a_later_stage_asks_has_no_line_yet():
    counters = RunCounters({"m": 5}, {}, {})
    counters.provider_read(0, {"m": counted(Reply("x"), calls=1), "judge": counted(calls=0)})
    assert [(line.model, counters.calls) for line in counters.lines] == [("m", 1)]


def test_no_time_is_promised_before_there_is_a_pace():
    counters = RunCounters({"m": 5}, {}, {})
    counters.simulators.read(0, 10)
    assert counters.left_s is None
    assert counters.left_s is None


def test_the_time_left_is_a_range_and_the_bar_moves_with_the_steps(monkeypatch):
    now_s = 100.0
    monkeypatch.setattr("mirror_ray.engine.driver.counters.monotonic", lambda: now_s)
    counters = RunCounters({"m": 10}, {"m": 4}, {}, longest={"m": 30})
    with counters.playing("m", "one"), counters.playing("m", "two"):
        counters.provider_read("p", {"m": ModelCounters(waiting=2)})
        start = counters.share_done
        now_s = 110.0
        counters.provider_read("p", {"m": ModelCounters(waiting=2, answers=40)})
        # Both are at step 20 of at most 30, at 4 steps a second; 4 episodes are waiting.
        assert start < counters.share_done < 1
        before = counters.left_s
        assert before.holds((2 * 10 + 4 * 30) / 4)
        assert counters.lines[0].left_s == before
        # It is drawn again every few seconds, and counts down meanwhile.
        now_s = 111.0
        counters.provider_read("p", {"m": ModelCounters(waiting=2, answers=40)})
        assert counters.left_s.high == before.high - 1


def test_the_times_left_of_many_models_are_drawn_some_at_a_time(monkeypatch):
    now_s, drawn = 100.0, Counter[float]()

    def draw(load):
        drawn[load.longest] += 1
        return Range(1.0, 2.0, 3.0)

    monkeypatch.setattr("mirror_ray.engine.driver.counters.monotonic", lambda: now_s)
    monkeypatch.setattr("mirror_ray.engine.driver.model_counts.seconds_left", draw)
    models = [f"m{index}" for index in range(2 * MOST_DRAWN + 1)]
    longest = {model: float(index) for index, model in enumerate(models)}
    counters = RunCounters(dict.fromkeys(models, 10), {}, {}, longest=longest)

    def refresh():
        counters.provider_read("p", {one: ModelCounters(answers=int(now_s)) for one in models})
        return [line.left_s for line in counters.lines]

    with ExitStack() as stack:
        for model in models:
            stack.enter_context(counters.playing(model, model))
        refresh()
        totals = []
        for _ in range(4):
            now_s += 1.0
            shown_s = refresh()
            totals.append(drawn.total())
            assert (counters.left_s is None) == (None in shown_s)
    # Every model is estimated once before any a second time; the last one is in the third refresh.
    assert totals == [MOST_DRAWN, 2 * MOST_DRAWN, len(models), len(models)]
    assert set(drawn.values()) == {1}
    assert [shown_s[0], shown_s[-1]] == [Range(0.0, 0.0, 0.0), Range(0.0, 1.0, 2.0)]


def shown(counters: RunCounters, *, term: str = "xterm", **options) -> str:
    screen = StringIO()
    console = Console(file=screen, width=120, _environ={"TERM": term}, **options)
    display = Progress(counters, console, plain=False)
    with display.shown():
        display.refresh()
    return screen.getvalue()


def test_a_log_file_gets_lines_and_a_terminal_a_table():
    counters = RunCounters({"scripted/observer": 5}, {"scripted/observer": 2}, {})
    counters.say("Simulator 1 failed")
    in_file = shown(counters)
    assert "Simulator 1 failed" in in_file
    assert "2/5 episodes" in in_file
    assert "\x1b" not in in_file
    on_screen = shown(counters, force_terminal=True)
    assert "waiting" in on_screen
    assert "scripted/observer" in on_screen


def test_a_terminal_that_moves_no_cursor_gets_lines(monkeypatch):
    monkeypatch.setattr(progress, "PLAIN_EVERY_S", 0.0)
    counters = RunCounters({"scripted/observer": 5}, {"scripted/observer": 2}, {})
    on_screen = shown(counters, force_terminal=True, term="dumb")
    # One while it runs, and the last.
    assert on_screen.count("2/5 episodes") == 2


def stats_of(**stated) -> LimiterStats:
    idle = {"calls": 0, "refused": 0, "waiting": 0, "in_flight": 0, "paused_s": 0.0}
    pace = {"per_minute": 60.0, "ceiling_per_minute": 60.0}
    return LimiterStats(
        spent_usd=2.0,
        presumed_usd=0.0,
        reserved_usd=1.0,
        keys={"key": KeyStats(**{**idle, **pace, **stated})},
        accounts={
            "sweep": AccountStats(10.0, 2.0, 0.0, 1.0),
            "model:m": AccountStats(4.0, 2.0, 0.0, 1.0),
        },
        breakers={},
    )


def test_money_and_limits_are_shown_as_the_limiter_tells_them():
    counters = RunCounters(
        {"m": 4}, {}, {}, limit_key_of={"m": "key"}, paid={"m": Paid(spent_usd=1.5)}
    )
    counters.provider_read(0, {"m": counted(Reply("x", cost_usd=0.5), calls=1)})
    counters.limiter_read(stats_of(paused_s=7.0))
    assert counters.projected_usd is None
    assert "$2.00 of $10.00 ·" in shown(counters)
    counters.episode_ended("m", "none", None, 0.75)
    counters.episode_ended("m", "timeout", "too slow", 0.25)
    # Of four episodes one has come to a final end, for 0.75.
    assert counters.projected_usd == 3.0
    (line,) = counters.lines
    assert (line.costs.spent_usd, line.costs.reserved_usd, line.paused_s) == (2.0, 1.0, 7.0)
    on_screen = shown(counters, force_terminal=True)
    assert "paused 7 s" in on_screen
    assert "$4.00" in on_screen


def test_the_recent_rate_spans_a_pause_between_readings(monkeypatch):
    now_s = 0.0
    monkeypatch.setattr(model_counts, "monotonic", lambda: now_s)
    counts = model_counts.SimulatorCounts()
    # Two Simulators are read at once, after a minute and again after another.
    for now_s in (60.0, 120.0):
        for index in range(2):
            counts.read(index, int(now_s))
    assert counts.steps_per_s == pytest.approx(2.0, rel=0.6)
