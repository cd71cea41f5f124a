"""How long own servers hold GPUs, and what that costs, before anything is started."""

from dataclasses import replace

import pytest

from mirror_ray.api.forecasting import forecast_of
from mirror_ray.sweep.duration import timetable
from mirror_ray.sweep.estimate import FREE
from mirror_ray.sweep.gpu_hours import LOADING_S, gpu_hours_in_words, gpu_use
from mirror_ray.sweep.load import load_plan

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


@pytest.fixture
def forecast(tmp_path):
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
        assert not use.measured
    assert small.usd.high == pytest.approx(2.0 * small.hours.high)
    assert large.usd is None


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
