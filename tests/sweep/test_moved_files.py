"""A file that a stage reads is known by what it holds, wherever it lies."""

import json
from pathlib import Path

import pytest
import yaml

from mirror_ray.core.errors import RunDirError, SweepError
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

SEEDS = "prompt\nA cat.\nA dog.\n"
BANK = json.dumps(
    {
        "question_text": "What is 1 + 1?",
        "correct_answer": "2",
        "domain": "arithmetic",
        "subcategory": "sums",
    }
)
FAMILIES = [
    ("seed_file", SEEDS, {"family": "textmirror", "conditions": ["story"]}, "scripted/terse"),
    ("bank", BANK, {"family": "metacog", "conditions": ["exp1"]}, "scripted/calibrated"),
]
each_family = pytest.mark.parametrize(("key", "content", "stage", "model"), FAMILIES)


def plan_of(folder: Path, stage: dict[str, object], model: str) -> Plan:
    keys = {"name": "s", "models": [model], "stages": [{**stage, "seeds": 1}], "out": "o"}
    folder.mkdir(exist_ok=True)
    (folder / "sweep.yaml").write_text(yaml.safe_dump(keys))
    return load_plan(str(folder / "sweep.yaml"), [], str(folder.parent / "run"))


def open_run(plan: Plan) -> None:
    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        run_dir.describe(yaml.safe_dump(dict(plan.sweep.resolved)), {"protocols": {}})


@each_family
def test_a_moved_and_renamed_file_makes_the_same_episodes_of_the_same_sweep(
    tmp_path, key, content, stage, model
):
    for folder, name in (("here", "first.csv"), ("there", "renamed.txt")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(content)
    before = plan_of(tmp_path / "here", {**stage, key: "first.csv"}, model)
    after = plan_of(tmp_path / "there", {**stage, key: "renamed.txt"}, model)
    assert [one.episode_id for one in after.episodes] == [one.episode_id for one in before.episodes]
    open_run(before)
    open_run(after)


@each_family
def test_another_content_is_another_sweep_wherever_it_lies(tmp_path, key, content, stage, model):
    file = tmp_path / "file"
    file.write_text(content)
    open_run(plan_of(tmp_path / "sweeps", {**stage, key: "../file"}, model))
    file.write_text(content.replace("A dog.", "A horse.").replace("1 + 1", "1 + 2"))
    with pytest.raises(RunDirError, match=rf"stages\.0\.{key}_sha256 = "):
        open_run(plan_of(tmp_path / "sweeps", {**stage, key: "../file"}, model))
    # The run's own copy of its sweep says what the file has to hold.
    says = rf"stages\.0\.{key}_sha256\n(?:.*\n)*  got: .*/file with SHA"
    with pytest.raises(SweepError, match=says):
        load_plan(str(tmp_path / "run" / "sweep.yaml"))


@each_family
def test_a_runs_own_copy_of_its_sweep_can_be_run(tmp_path, key, content, stage, model):
    (tmp_path / "file").write_text(content)
    plan = plan_of(tmp_path / "sweeps", {**stage, key: "../file"}, model)
    open_run(plan)
    open_run(load_plan(str(tmp_path / "run" / "sweep.yaml")))


def test_a_hash_of_no_option_is_an_unknown_key(tmp_path):
    stage = {"family": "textmirror", "conditions": ["story"], "per_pair_sha256": "x"}
    with pytest.raises(SweepError, match="per_pair_sha256"):
        plan_of(tmp_path / "sweeps", stage, "scripted/terse")
