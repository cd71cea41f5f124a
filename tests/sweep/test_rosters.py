"""Lists of models that a sweep names as one."""

from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.catalogue import load_catalogue
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.models import expand_models


def test_a_roster_stands_for_its_models_each_once() -> None:
    names = expand_models(
        ["openai/gpt-5.1", "roster/selfid", "hosted_vllm/Qwen/Qwen3-VL-8B-Instruct"],
        load_catalogue(),
        "sweep.yaml",
    )
    assert len(names) == len(set(names)) == 8 + 1
    assert (names[0], names[-1]) == ("openai/gpt-5.1", "hosted_vllm/Qwen/Qwen3-VL-8B-Instruct")


@pytest.mark.parametrize(
    ("roster", "size"), [("selfid", 8), ("metacog", 16), ("textmirror", 5), ("mirrorqa", 3)]
)
def test_the_papers_rosters_are_served(roster: str, size: int) -> None:
    assert len(expand_models([f"roster/{roster}"], load_catalogue(), "sweep.yaml")) == size


def test_a_roster_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("rosters: {small: [scripted/rotator, scripted/egocentric]}\n")
    names = expand_models(["roster/small"], load_catalogue(path), "sweep.yaml")
    assert names == ("scripted/rotator", "scripted/egocentric")


def test_an_unknown_roster_is_refused() -> None:
    with pytest.raises(SweepError, match="did you mean 'roster/metacog'") as caught:
        expand_models(["roster/metacogg"], load_catalogue(), "sweep.yaml")
    assert caught.value.where == "sweep.yaml: models.0"


@pytest.mark.parametrize("said", ["{small: []}", "{small: a}", "[a]", "{small: [3]}"])
def test_what_is_no_roster_is_refused(tmp_path: Path, said: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"rosters: {said}\n")
    with pytest.raises(SweepError, match=r"mine\.yaml"):
        load_catalogue(path)


def test_a_sweep_records_the_models_of_its_roster(tmp_path: Path) -> None:
    path = tmp_path / "sweep.yaml"
    path.write_text(
        "name: r\nout: runs/r\nmodels: [roster/metacog]\n"
        "stages: [{family: metacog, conditions: [exp1], seeds: 2, temperature: [0.0]}]\n"
    )
    plan = load_plan(str(path), ())
    assert len(plan.models) == 16
    assert plan.sweep.resolved["models"][0] == "openrouter/meta-llama/llama-3.1-8b-instruct"
