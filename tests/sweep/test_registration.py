"""A registered sweep is run as registered, or not at all."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.report.checkable import marks
from mirror_ray.core.errors import SweepError
from mirror_ray.engine.driver.about_run import about_run
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.registration import KEY, registered, require_registered, write_registration
from support.recorded_run import plan_for


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return plan_for(tmp_path / "out", conditions=("E1", "E2"), runs=2)


@pytest.fixture
def file(plan: Plan, tmp_path: Path) -> Path:
    path = tmp_path / "registration.json"
    write_registration(plan, str(path))
    return path


def started(plan: Plan, registration: Any) -> Plan:
    """The plan, with a start of it in its run directory."""
    plan = replace(plan, sweep=replace(plan.sweep, registration=registration))
    with RunDir(plan.sweep.out, plan.sweep.resolved) as run_dir:
        run_dir.describe("by hand", about_run(plan, None))
    return plan


def test_it_says_what_will_be_claimed(file, plan):
    found = json.loads(file.read_text())
    (claim,) = found["claims"]
    assert (claim["family"], claim["metric"]) == ("selfid", "tsa")
    assert [cell["n_episodes"] for cell in found["cells"]] == [2, 2]
    assert found["stopping"] is None
    assert all({"prompt", "views"} <= one.keys() for one in found["first_requests"].values())
    assert len({one["views"] for one in found["first_requests"].values()}) == 2
    assert registered(plan, str(file))["claims"] == found["claims"]


def test_it_is_written_once(file, plan):
    with pytest.raises(SweepError, match="new file"):
        write_registration(plan, str(file))


@pytest.mark.parametrize(
    ("change", "key"), [({"runs": 3}, "episodes_sha"), ({"max_steps": 5}, "cells")]
)
def test_another_sweep_is_refused(file, tmp_path, change, key):
    other = plan_for(tmp_path / "other", conditions=("E1", "E2"), **{"runs": 2, **change})
    with pytest.raises(SweepError, match=r"another \w+ than this sweep has here"):
        registered(other, str(file))


@pytest.mark.parametrize("key", ["program", "lock", "stopping", "first_requests"])
def test_another_program_or_rule_is_refused(file, plan, key):
    found = json.loads(file.read_text())
    file.write_text(json.dumps({**found, key: "another"}))
    with pytest.raises(SweepError, match=key):
        registered(plan, str(file))


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"claims": [{"family": "selfid"}]}'])
def test_what_is_no_registration_is_refused(plan, tmp_path, text):
    (tmp_path / "some.json").write_text(text)
    with pytest.raises(SweepError, match="--registered"):
        registered(plan, str(tmp_path / "some.json"))


def test_a_registered_run_continues_with_its_registration_alone(file, plan):
    registration = registered(plan, str(file))
    plan = started(plan, registration)
    assert registered(plan, str(file)) == registration
    with pytest.raises(SweepError, match="add --registered"):
        require_registered(plan)
    found = json.loads(file.read_text())
    found["claims"][0]["shown_in"].append("pairs_selfid")
    file.write_text(json.dumps(found))
    with pytest.raises(SweepError, match="the registration"):
        registered(plan, str(file))


def test_nothing_is_registered_after_its_start(file, plan):
    plan = started(plan, None)
    require_registered(plan)
    with pytest.raises(SweepError, match="no registration"):
        registered(plan, str(file))


def test_the_report_marks_parts(file, plan):
    about = registered(plan, str(file))
    mark = marks({"runs": [{KEY: about}, {KEY: about}]})
    assert (mark("headline_selfid"), mark("pairs_selfid")) == ("registered", "exploratory")
    assert marks({"runs": [{KEY: about}, {}]})("headline_selfid") == ""
    # A replay of the run is a control of its claims.
    replay = {"replayed": "runs/claimed"}
    assert marks({"runs": [{KEY: about}, replay]})("headline_selfid") == "registered"
    assert marks({"runs": [replay]})("headline_selfid") == ""
    assert marks({"runs": [{KEY: {"claims": [3, {"shown_in": 3}]}}]})("x") == "exploratory"
    assert marks(None)("headline_selfid") == ""
