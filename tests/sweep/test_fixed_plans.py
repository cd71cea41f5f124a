"""Which plans are known before the first reply, and for each episode of one model."""

from dataclasses import replace

import pytest

from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.stages import is_fixed
from support.staged_run import staged_plan

A, B = "scripted/self-finder", "scripted/other-taker"
DYAD = {"family": "dyad", "conditions": ["talk"], "seeds": 2}


@pytest.fixture(scope="module")
def quickstart():
    return load_plan("sweeps/quickstart.yaml")


def test_a_sweep_of_one_family_is_fixed(quickstart):
    assert is_fixed(quickstart)


def test_a_part_of_a_run_s_plan_is_not(quickstart):
    assert not is_fixed(replace(quickstart, is_part=True))


def test_a_sweep_that_may_end_early_is_not(tmp_path):
    until = load_plan("sweeps/quickstart.yaml", ["until.verdict=0.99"], str(tmp_path / "run"))
    assert until.sweep.until is not None
    assert not is_fixed(until)


def test_stages_that_follow_from_replies_are_not(tmp_path):
    assert not is_fixed(load_plan("sweeps/textmirror.yaml", [], str(tmp_path / "run")))


def test_episodes_of_two_models_are_not_and_those_of_one_with_itself_are(tmp_path):
    assert not is_fixed(staged_plan(tmp_path / "two", [A], {**DYAD, "partner": [B]}))
    assert is_fixed(staged_plan(tmp_path / "one", [A], {**DYAD, "partner": [A]}))
