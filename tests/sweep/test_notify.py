"""Whom a sweep notifies: what a file may say, and what is never recorded."""

from pathlib import Path

import pytest
import yaml

from mirror_ray.core.errors import SweepError
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.notify import COMMAND_VARIABLE, EVENTS, WEBHOOK_VARIABLE
from mirror_ray.sweep.shipped import find_sweep

HOOK = "https://hooks.example/T0KEN"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch):
    for variable in (COMMAND_VARIABLE, WEBHOOK_VARIABLE):
        monkeypatch.delenv(variable, raising=False)


def sweep_file(tmp_path, **notify) -> str:
    stage = {"family": "selfid", "conditions": "E1", "seeds": 1}
    keys = {"name": "n", "models": "scripted/blind", "stages": [stage], "out": "runs/n"}
    path = tmp_path / "sweep.yaml"
    path.write_text(yaml.safe_dump({**keys, "notify": notify} if notify else keys))
    return str(path)


def test_a_file_names_events_and_a_webhook_and_no_record_holds_it(tmp_path):
    said = load_plan(sweep_file(tmp_path, webhook=HOOK, on="finished, budget", failures_above=0.5))
    notify = said.sweep.notify
    assert (notify.webhook, notify.on) == (HOOK, ("finished", "budget"))
    assert "T0KEN" not in repr(said)
    assert notify.in_words == "a webhook at hooks.example, of finished, budget"
    silent = load_plan(sweep_file(tmp_path))
    assert silent.sweep.notify is None
    # The same sweep: its identity does not depend on who is notified.
    assert said.sweep.resolved == silent.sweep.resolved


def test_a_command_of_a_file_is_refused_and_one_of_the_command_line_is_run(tmp_path, monkeypatch):
    path = sweep_file(tmp_path, command=["rm", "-r", "/"])
    for overrides in ([], ["notify.on=finished"], ["notify.command.0=ls"]):
        with pytest.raises(SweepError) as refused:
            load_plan(path, overrides)
        assert "notify.command" in refused.value.where
    plan = load_plan(path, ["notify.command=[notify-send, done]", f"notify.webhook={HOOK}"])
    assert (plan.sweep.notify.command, plan.sweep.notify.on) == (("notify-send", "done"), EVENTS)
    assert plan.sweep.overrides == ()
    monkeypatch.setenv(COMMAND_VARIABLE, "ntfy publish 'my topic'")
    plan = load_plan(sweep_file(tmp_path), ["stages.0.runs=2"])
    assert plan.sweep.notify.command == ("ntfy", "publish", "my topic")
    assert plan.sweep.overrides == ("stages.0.runs=2",)


@pytest.mark.parametrize(
    "notify",
    [
        {"webhook": "file:///etc/passwd"},
        {"webhook": "ftp://example/T0KEN"},
        {"webhook": "http:///T0KEN"},
        {"webhook": "http://[T0KEN"},
        {"on": ["sometimes"]},
        {"failures_above": 2.0},
        {"failures_above": float("nan")},
        {"shell": "x"},
    ],
)
def test_wrong_keys_are_refused_by_name_and_addresses_stay_unsaid(tmp_path, notify):
    with pytest.raises(SweepError) as refused:
        load_plan(sweep_file(tmp_path, **notify))
    assert "notify." in refused.value.where
    assert "T0KEN" not in str(refused.value)


def test_names_may_be_separated_by_commas_which_shells_leave_alone(tmp_path):
    path = sweep_file(tmp_path)
    plan = load_plan(path, ["models=scripted/blind,scripted/observer", "stages.0.conditions=E1,E2"])
    assert list(plan.models) == ["scripted/blind", "scripted/observer"]
    assert {cell.condition for cell in plan.cells} == {"E1", "E2"}
    with pytest.raises(SweepError):
        load_plan(path, ["models=scripted/blind,,scripted/observer"])


@pytest.mark.parametrize(
    "name", ["quickstart", "quickstart.yaml", "sweeps/quickstart", "papers/flipset"]
)
def test_shipped_sweeps_have_short_names(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # A folder of that name, as a run directory has, is no sweep.
    Path("quickstart").mkdir()
    assert find_sweep(name).stem == name.rpartition("/")[2].removesuffix(".yaml")


@pytest.mark.parametrize("name", ["nosuch", "../quickstart", "/quickstart", "models", ".", ""])
def test_other_names_are_refused_with_the_way_to_list_the_shipped_ones(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SweepError) as refused:
        find_sweep(name)
    assert "mirror-ray sweeps" in refused.value.allowed
