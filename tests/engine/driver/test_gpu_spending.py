"""GPUs of a run's own servers cost as they are held, and end budgets that they are part of."""

from dataclasses import replace

import pytest

from mirror_ray.engine.driver.gpu_spending import GpuSpending, gpu_spending
from mirror_ray.engine.limiter.budget import free_models
from mirror_ray.records.served_models import earlier_gpu_s
from support.engine.play_served import plan_at, served


def test_a_models_gpus_cost_by_the_hour_earlier_runs_included():
    spending = GpuSpending({"a": 3.6, "b": 7.2}, earlier_s={"a": 1000.0, "c": 5.0})
    assert spending.usd({"a": 500.0, "b": 100.0}) == pytest.approx({"a": 1.5, "b": 0.2})
    assert spending.unpriced({"d": 1.0, "a": 1.0}) == ["c", "d"]
    assert GpuSpending({"a": 1.0}).unpriced({"a": 9.0}) == []


def test_calls_and_gpus_together_end_a_budget():
    spending = GpuSpending({"a": 3600.0}, {"sweep": 10.0, "model:a": 5.0, "model:b": 0.5})
    assert spending.ended({"a": 3.0}, {"a": 1.0, "b": 1.0}) == []
    assert spending.ended({"a": 4.0}, {"a": 1.0, "b": 1.0}) == ["model:a"]
    assert spending.ended({"a": 4.0}, {"a": 0.5, "b": 5.5}) == ["sweep"]
    # What calls alone have spent is the Limiter's to say.
    assert spending.ended({}, {"b": 99.0}) == []


def test_only_models_that_the_run_serves_have_a_price(tmp_path):
    priced = replace(served("blind", "mark", gpus=1.0), usd_per_gpu_hour=2.0)
    plan = plan_at(tmp_path / "out", [priced, served("observer", "mark")])
    assert gpu_spending(plan, {}).usd_per_gpu_hour == {"own/blind": 2.0}
    assert free_models(plan) == {"own/observer"}


def test_what_a_manifest_says_was_held_is_added_up_and_may_be_anything():
    line = {"model": "a", "holds": {"GPU": 2.0, "h100": 1.0}, "held_s": 30.0}
    odd = [
        {**line, "held_s": -5.0},
        {**line, "held_s": "long"},
        {**line, "held_s": float("nan")},
        {**line, "holds": [2]},
        {**line, "model": None},
        {**line, "holds": {"GPU": 1e300}},
        None,
        7,
    ]
    runs = [
        {"servers": {"timeline": [line, {**line, "model": "b"}, *odd]}},
        {"servers": {"timeline": [line]}},
        {"servers": {"timeline": "none"}},
        {"servers": 3},
        None,
    ]
    assert earlier_gpu_s({"runs": runs}) == {"a": 120.0, "b": 60.0}
    assert earlier_gpu_s({}) == earlier_gpu_s({"runs": 3}) == {}
