"""How long own servers hold GPUs, and what that costs, before anything is started."""

from dataclasses import replace

import pytest

from mirror_ray.api.forecasting import forecast_of
from mirror_ray.core.errors import SweepError
from mirror_ray.records.served_models import ready_times
from mirror_ray.records.usage import EpisodeUsage, Usage
from mirror_ray.sweep.duration import timetable
from mirror_ray.sweep.gpu_hours import (
    LOADING_S,
    gpu_hours_as_json,
    gpu_hours_in_words,
    gpu_use,
    paces,
)
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.ranges import FREE, together

CATALOGUE = """\
models:
  small: {serve: {engine: vllm, weights: a/small, gpus: 1, replicas: 3}, usd_per_gpu_hour: 2.0}
  large: {serve: {engine: vllm, weights: a/large, gpus: 4}, concurrency: 1}
  here: {serve: {engine: command, command: [./s, "{port}"], gpus: 0}}
"""
SWEEP = """\
name: gpus
out: {out}
catalogue: my.yaml
models: [small, large, here, scripted/blind]
stages:
  - {{family: selfid, conditions: [E1], seeds: 20, runs: 2, max_steps: 10}}
"""


@pytest.fixture(scope="module")
def forecast(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("gpus")
    (tmp_path / "my.yaml").write_text(CATALOGUE)
    path = tmp_path / "sweep.yaml"
    path.write_text(SWEEP.format(out=tmp_path / "out"))
    return forecast_of(load_plan(str(path)))


def test_gpu_hours_are_the_keys_time_and_the_loading_times_the_gpus(forecast):
    times = forecast.times
    small, large = gpu_use(forecast.plan, forecast.cells, times)
    assert (small.model, small.gpus, large.model, large.gpus) == ("small", 3.0, "large", 4.0)
    for use in (small, large):
        time_s = times.keys[f"{use.model} (served)"].time_s
        hours = (time_s.expected + LOADING_S.expected) * use.gpus / 3600
        assert use.hours.expected == pytest.approx(hours)
        assert use.basis == "assumption"
    assert small.usd.high == pytest.approx(2.0 * small.hours.high)
    assert large.usd is None


def line(model: str, minutes: int, *, ends: bool = True, **more) -> dict:
    """A server that loaded for two minutes and was ready for the rest."""
    ready, ended = "2026-01-01T10:02:00+00:00", "2026-01-01T11:00:00+00:00"
    told = {"model": model, "began_at": "2026-01-01T10:00:00+00:00", "ready_at": ready}
    return {**told, "held_s": 60.0 * minutes, "ended_at": ended if ends else None, **more}


def measured(forecast, *lines, tokens_out: int | None = 100) -> tuple:
    """What is told once the first ten episodes of `small` have made ten asks each."""
    plan = forecast.plan
    mine = [spec for spec in plan.episodes if spec.cell.model == "small"][:10]
    used = EpisodeUsage(10, True, 1_100, tokens_out, 0.0)
    usage = Usage({spec.episode_id: used for spec in mine}, ())
    ready = ready_times({"runs": [{"servers": {"timeline": list(lines)}}]})
    return gpu_use(plan, forecast.cells, forecast.times, paces(plan, usage, ready))


def test_after_minutes_of_answers_hours_follow_from_the_runs_own_pace(forecast):
    small, large = measured(forecast, line("small", 7), line("small", 7))
    # 100 calls in two times 5 minutes of one server; three servers share what is left.
    left = together([one.left for one in forecast.cells if one.cell.model == "small"]).calls
    assert small.hours.expected == pytest.approx(3 * (left.expected * 6.0 / 3 + 120.0) / 3600)
    assert small.hours.low < small.hours.expected < small.hours.high
    assert (small.basis, large.basis) == ("pace", "assumption")
    (told, _) = gpu_hours_as_json((small, large))
    assert told["calls_per_s"] == pytest.approx(1 / 6)
    assert told["tokens_per_s"] == pytest.approx(20.0)
    said = "\n".join(gpu_hours_in_words((small,)))
    assert "by 0.17 calls (20 tokens) a second of one server, measured here over 10 min" in said
    assert "Assumed" not in said


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (line("small", 4),),  # two minutes of answers
        (line("small", 30, ready_at=None),),
        (line("small", 30, held_s="long"), line("small", 30, began_at="2026-01-01T10:00:00")),
        (line("large", 30), {"model": 3}, None),
    ],
)
def test_too_little_or_nonsense_measures_nothing(forecast, lines):
    small, _ = measured(forecast, *lines)
    assert (small.basis, small.pace) == ("assumption", None)


def test_a_server_that_runs_is_noted_by_the_minute_and_tokens_may_be_unknown(forecast):
    small, _ = measured(forecast, line("small", 8, ends=False), tokens_out=None)
    assert small.pace.ready_s == pytest.approx(6 * 60 + 30)
    assert small.pace.tokens_per_s is None


def test_a_budget_of_cells_is_refused_where_gpu_hours_have_a_price(tmp_path):
    (tmp_path / "my.yaml").write_text(CATALOGUE)
    path = tmp_path / "sweep.yaml"
    path.write_text(SWEEP.format(out=tmp_path / "out") + "budget_per_cell_usd: 1.5\n")
    with pytest.raises(SweepError) as refused:
        load_plan(str(path))
    assert refused.value.where.endswith("budget_per_cell_usd")
    assert "small cost GPU hours" in refused.value.got
    assert load_plan(str(path), ["models=[large,here]"]).sweep.budget_per_cell_usd == 1.5


def test_calls_at_once_are_stated_or_assumed(forecast):
    # One call at a time: 40 episodes take 40 times as long as one after the other.
    large = forecast.times.keys["large (served)"]
    small = forecast.times.keys["small (served)"]
    assert large.bound_by == "calls at once"
    assert large.time_s.expected > 10 * small.time_s.expected
    assert forecast.times.unlimited == ()


def test_it_is_said_and_an_unknown_price_makes_the_sum_a_lower_bound(forecast):
    uses = gpu_use(forecast.plan, forecast.cells, forecast.times)
    said = "\n".join(gpu_hours_in_words(uses))
    assert "at least $" in said
    assert "budgets count them as they pass" in said
    assert "large: " in said
    assert gpu_hours_in_words(()) == []
    told = forecast.as_json()["gpu_hours"]
    assert [one["usd"] is None for one in told] == [False, True]


def test_a_sweep_that_is_done_holds_nothing(forecast):
    done = [replace(one, left=FREE) for one in forecast.cells]
    times = timetable(forecast.plan, done, forecast.samples, 1)
    assert [use.hours.high for use in gpu_use(forecast.plan, done, times)] == [0.0, 0.0]
