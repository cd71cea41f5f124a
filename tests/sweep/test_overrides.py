"""Overrides that mean more than their YAML: paths from the current folder, added models."""

from pathlib import Path

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.sweep.load import load_plan

SWEEP = """\
models: [scripted/observer, mine]
catalogue: mine.yaml
stages:
  - {family: flipset, conditions: [L2], seeds: 1, runs: 1}
"""
ENTRY = "models: {mine: {agent: %s}}"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("sweeps", "here"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("../sweeps/s.yaml").write_text(SWEEP)
    Path("../sweeps/mine.yaml").write_text(ENTRY % "blind")


def agent_with(*overrides: str) -> str:
    return load_plan("../sweeps/s.yaml", overrides).models["mine"].target


def test_a_path_on_the_command_line_is_relative_to_the_current_folder() -> None:
    assert agent_with() == agent_with("catalogue=mine.yaml") == "blind"
    Path("mine.yaml").write_text(ENTRY % "observer")
    assert agent_with() == "blind"
    for words in ("catalogue=mine.yaml", "catalogue=[mine.yaml]", "catalogue=./mine.yaml"):
        assert agent_with(words) == "observer"
    with pytest.raises(SweepError, match=r"here/none\.yaml"):
        agent_with("catalogue=none.yaml")


def test_a_path_of_a_stage_is_relative_to_the_current_folder() -> None:
    Path("../sweeps/m.yaml").write_text(
        "models: [scripted/observer]\nstages:\n"
        "  - {family: metacog, conditions: [exp1], seeds: 1, bank: bank.json}\n"
    )
    for words in ("bank=bank.json", "stages.0.bank=bank.json"):
        with pytest.raises(SweepError, match=r"here/bank\.json"):
            load_plan("../sweeps/m.yaml", [words])


def test_models_are_added_to_those_of_the_sweep() -> None:
    plan = load_plan("../sweeps/s.yaml", ["models=+scripted/blind, scripted/observer"])
    assert [cell.model for cell in plan.cells] == ["scripted/observer", "mine", "scripted/blind"]
    plan = load_plan("../sweeps/s.yaml", ["models=mine", "models=+scripted/blind"])
    assert {cell.model for cell in plan.cells} == {"mine", "scripted/blind"}
    with pytest.raises(SweepError, match="obsrver"):
        load_plan("../sweeps/s.yaml", ["models=+scripted/obsrver"])
