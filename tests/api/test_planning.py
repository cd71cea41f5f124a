"""`plan` says what the command says, and refuses what it refuses."""

import json
from pathlib import Path

import pytest

import mirror_ray
from mirror_ray.cli import main
from mirror_ray.core.errors import SweepError
from support.recorded_run import plan_for, record_run
from support.selfid_by_hand import says

SMALL = ("stages.0.seeds=1", "stages.0.runs=1", "stages.0.max_steps=4", "stages.0.conditions=E1")
PRICED = "models=openai/gpt-5.1"
MEASURED = ("time_s", "samples", "keys", "machine")
"""What depends on how busy this machine is."""


def test_it_is_the_commands_forecast(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "run")
    forecast = mirror_ray.plan("quickstart", *SMALL, PRICED, out=Path(out))
    assert main(["plan", "quickstart", *SMALL, PRICED, "--out", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    mine = json.loads(json.dumps(forecast.as_json()))
    assert {key: mine[key] for key in mine if key not in MEASURED} == {
        key: told[key] for key in told if key not in MEASURED
    }
    assert (forecast.name, forecast.out, forecast.episodes) == ("quickstart", out, 1)
    assert 0 < forecast.cost_usd.low <= forecast.cost_usd.expected <= forecast.cost_usd.high
    assert forecast.all_costs_known
    (model,) = forecast.models()
    assert model["model"] == "openai/gpt-5.1"
    assert model["cost_usd"] == forecast.cost_usd.expected <= model["at_most_usd"]
    assert forecast.refusal is None
    assert "openai/gpt-5.1" in forecast._repr_html_()
    assert not Path(out).exists()


def test_a_directory_of_another_sweep_is_told(tmp_path: Path) -> None:
    record_run(plan_for(tmp_path / "run", runs=1), lambda _: says("w"))
    forecast = mirror_ray.plan(tmp_path / "run.yaml", "stages.0.max_steps=9")
    assert "another sweep" in str(forecast.refusal)
    assert "run will refuse this one" in forecast._repr_html_()


def test_a_wrong_sweep_is_the_commands_error() -> None:
    with pytest.raises(SweepError, match=r"stages\.0\.conditions=E9"):
        mirror_ray.plan("quickstart", "stages.0.conditions=E9")
