"""`until` of a sweep file: what it takes and refuses, and that a sweep without it is as before."""

import pytest
import yaml

from mirror_ray.core.errors import RunDirError, SweepError
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.growth import Joining
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Until

STAGE = {"family": "selfid", "conditions": ["E1"], "seeds": 3}
MODELS = ["scripted/blind", "scripted/observer"]


def plan(tmp_path, *stages, models=MODELS, **keys):
    sweep = {
        "name": "s",
        "models": models,
        "stages": list(stages) or [STAGE],
        "out": str(tmp_path / "run"),
        **keys,
    }
    path = tmp_path / "sweep.yaml"
    path.write_text(yaml.safe_dump(sweep))
    return load_plan(str(path))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"verdict": 0.99}, Until("verdict", 0.99, 5, 5)),
        ({"best_of": 0.95, "round": 10}, Until("best_of", 0.95, 10, 10)),
        ({"half_width": 0.1}, Until("half_width", 0.1, 20, 5)),
        ({"half_width": 0.1, "min": 30, "round": 7}, Until("half_width", 0.1, 30, 7)),
    ],
)
def test_one_rule_with_its_defaults(tmp_path, keys, expected):
    assert plan(tmp_path, until=keys).sweep.until == expected


@pytest.mark.parametrize(
    ("keys", "where", "got"),
    [
        ({}, "until", "no rule"),
        ({"round": 5}, "until", "no rule"),
        ({"verdict": 0.99, "half_width": 0.1}, "until", "verdict and half_width at once"),
        ({"verdict": 1.0}, "until.verdict", "1.0"),
        ({"verdict": 0.5}, "until.verdict", "0.5"),
        ({"half_width": 0.0}, "until.half_width", "0.0"),
        ({"verdict": 0.99, "round": 0}, "until.round", "0"),
        ({"verdict": 0.99, "units": 5}, "until.units", "'units'"),
    ],
)
def test_what_is_no_rule_is_refused_with_its_key(tmp_path, keys, where, got):
    with pytest.raises(SweepError) as refused:
        plan(tmp_path, until=keys)
    assert refused.value.where.endswith(f"sweep.yaml: {where}")
    assert refused.value.got == got


@pytest.mark.parametrize("rule", ["verdict", "best_of"])
def test_a_single_model_is_compared_with_none(tmp_path, rule):
    with pytest.raises(SweepError, match="two models or more"):
        plan(tmp_path, models=["scripted/blind"], until={rule: 0.99})


def test_a_family_without_a_score_to_decide_by_is_refused(tmp_path):
    stage = {"family": "metacog", "conditions": ["exp1"], "seeds": 3}
    with pytest.raises(SweepError, match=r"stages\.1") as refused:
        plan(tmp_path, STAGE, stage, until={"verdict": 0.99})
    assert refused.value.got == "metacog together with until"


def test_episodes_that_follow_from_others_are_refused(tmp_path):
    branch = {"family": "selfid", "conditions": ["E1-removed"]}
    with pytest.raises(SweepError) as refused:
        plan(tmp_path, STAGE, branch, until={"verdict": 0.99})
    assert refused.value.got == "selfid E1-removed together with until"


def test_a_run_directory_keeps_the_rule_that_it_was_begun_with(tmp_path):
    ruled = plan(tmp_path, until={"verdict": 0.99})
    with RunDir(ruled.sweep.out, ruled.sweep.resolved) as run_dir:
        run_dir.describe("", {"protocols": {}})
    for changed in (plan(tmp_path), plan(tmp_path, until={"verdict": 0.95})):
        with pytest.raises(RunDirError, match="until"):
            RunDir(changed.sweep.out, changed.sweep.resolved, Joining(changed))
