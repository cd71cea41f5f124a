"""Models that a run serves itself: they take turns on the GPUs, their rows are those of the same
agents within the process, and whatever is killed, no episode is lost and no process is left."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from itertools import accumulate
from pathlib import Path
from uuid import uuid4

import pytest
from rich.console import Console

from mirror_ray.analysis.episode_scores import episode_scores
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import EngineError
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.providers.model import Limits
from mirror_ray.sweep.plan import Until
from support.agents_at_play import play_agents
from support.engine.play_served import AGENTS, plan_at, served
from support.engine.processes import command_line, wait_for, with_word
from support.plans import scripted
from support.settled_plan import settled_plan
from support.shard_rows import TIMINGS, WIRE, assert_same_rows, rows_of, without

NEVER_SETTLED = Until("half_width", 0.01, least_units=2, round_units=2)
PROGRAM = Path(__file__).parents[1] / "support" / "engine" / "play_served.py"


@pytest.fixture
def mark():
    mark = f"served-{uuid4().hex}"
    yield mark
    for pid in with_word(mark):
        os.kill(pid, signal.SIGKILL)


def play(plan, **how):
    screen = StringIO()
    summary = play_plan(plan, console=Console(file=screen, width=250), plain=True, **how)
    return summary, screen.getvalue()


def record_of(out: Path) -> dict:
    return json.loads((out / "manifest.json").read_text())["runs"][-1]["servers"]


def driver(out: Path, mark: str, *faults: str) -> subprocess.Popen:
    command = [sys.executable, str(PROGRAM), str(out), mark, *faults]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """The rows of undisturbed servers."""
    out, mark = tmp_path_factory.mktemp("quiet") / "out", f"served-{uuid4().hex}"
    with driver(out, mark) as process:
        said = process.communicate()[0]
    assert process.returncode == 0, said
    assert with_word(mark) == []
    return out, said


def rows(out: Path) -> list[dict]:
    """Steps, without what differs from start to start: the fingerprint is of the command line."""
    kept = without(rows_of(out, "steps"), TIMINGS | WIRE | {"model_version"})
    return sorted(kept, key=lambda row: (row["episode_id"], row["ask"]))


@pytest.mark.thorough("engine/driver/test_model_queue.py and test_serving.py")
def test_three_models_take_turns_on_two_gpus(quiet):
    out, said = quiet
    timeline = record_of(out)["timeline"]
    assert sorted(line["model"] for line in timeline) == [f"own/{agent}" for agent in AGENTS]
    assert [line["holds"] for line in timeline] == [{"GPU": 1.0}] * 3
    first, second, third = timeline
    assert third["began_at"] >= min(first["ended_at"], second["ended_at"])
    assert {line["starts"] for line in timeline} == {1}
    assert "own/blind: its server starts on" in said
    assert "its episodes have ended" in said


@pytest.mark.thorough("engine/driver/test_model_queue.py and test_serving.py")
def test_their_facts_are_recorded_and_every_reply_names_its_server(quiet):
    out, _ = quiet
    facts = record_of(out)["facts"]
    assert set(facts) == {f"own/{agent}" for agent in AGENTS}
    assert facts["own/blind"]["served"] == ["observer"]
    versions = {(row["model"], row["model_version"]) for row in rows_of(out, "steps")}
    assert versions == {
        (f"own/{agent}", f"{agent}-2026-01-01; server {facts[f'own/{agent}']['fingerprint']}")
        for agent in AGENTS
    }


@pytest.mark.thorough("engine/server/test_model_server.py")
def test_a_server_that_dies_costs_no_episode(quiet, mark, tmp_path):
    out = tmp_path / "out"
    with driver(out, mark, "--die-at", "6", "--once", str(tmp_path / "once")) as process:
        said = process.communicate()[0]
    assert process.returncode == 0, said
    assert "own/blind: it ended (exit code 3); it is started again" in said
    assert with_word(mark) == []
    assert_same_rows(rows(out), rows(quiet[0]))


@pytest.mark.thorough("engine/server/test_model_server.py and test_guard.py")
@pytest.mark.parametrize("victim", ["engine", "actor"])
def test_killed_in_mid_run_it_comes_back(victim, quiet, mark, tmp_path):
    out = tmp_path / "out"
    # So slow that its episodes cannot have ended before it comes back.
    with driver(out, mark, "--latency-s", "1.0") as process:
        for line in process.stdout:
            if "own/blind: ready after" in line:
                break
        os.kill(pid_of(victim, mark), signal.SIGKILL)
        said = process.stdout.read()
        assert process.wait(120) == 0, said
    assert "started again" in said or "starts anew" in said
    assert with_word(mark) == []
    assert_same_rows(rows(out), rows(quiet[0]))


def pid_of(victim: str, mark: str) -> int:
    guards = [pid for pid in with_word(mark) if b"guard.py" in command_line(pid)]
    if victim == "actor":
        return parent_of(guards[0])
    return next(pid for pid in with_word(mark) if parent_of(pid) == guards[1])


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


@pytest.mark.thorough("engine/server/test_guard.py")
def test_a_killed_driver_leaves_no_process_and_the_same_command_goes_on(quiet, mark, tmp_path):
    out = tmp_path / "out"
    with driver(out, mark) as process:
        for line in process.stdout:
            if "ready after" in line:
                break
        process.kill()
    own = {os.getpid()}
    wait_for(lambda: not set(with_word(mark)) - own)
    with driver(out, mark) as process:
        said = process.communicate()[0]
    assert process.returncode == 0, said
    assert with_word(mark) == []
    assert_same_rows(rows(out), rows(quiet[0]))


@pytest.mark.thorough("engine/server/test_model_server.py")
@pytest.mark.usefixtures("ray_session")
def test_a_model_whose_server_fails_for_good_is_set_aside_and_others_go_on(mark, tmp_path):
    out = tmp_path / "out"
    models = [served("blind", mark, "--die-at", "1"), served("observer", mark)]
    summary, said = play(plan_at(out, models))
    assert (summary.episodes_done, summary.exit_code) == (4, 1)
    assert "own/blind: no new episodes will start: its server failed for good" in said
    assert "own/blind | out of memory: key [key removed]" in said
    log = (out / "run.log").read_text()
    assert "out of memory: key [key removed]" in log
    assert "verysecret" not in log + said
    assert with_word(mark) == []

    summary, said = play(plan_at(out, [served("blind", mark), served("observer", mark)]))
    assert (summary.episodes_done, summary.exit_code) == (8, 0)


@pytest.mark.thorough("engine/driver/test_serving.py")
@pytest.mark.usefixtures("ray_session")
def test_its_server_is_started_once_for_all_rounds_and_ends_with_the_run(mark, tmp_path):
    out = tmp_path / "out"
    plan = settled_plan(out, [served("blind", mark)], NEVER_SETTLED, seeds=4)
    summary, said = play(plan, read_scores=episode_scores)
    assert summary.exit_code == 0, said
    assert said.count("Next round: ") >= 2
    (line,) = record_of(out)["timeline"]
    assert (line["starts"], line["why_ended"]) == (1, "its episodes have ended")
    assert summary.gpu_hours == 0, "it holds a resource that is no GPU"
    assert with_word(mark) == []


@pytest.mark.thorough("engine/provider/test_served_backend.py")
@pytest.mark.usefixtures("ray_session")
def test_rows_are_those_of_the_same_agents_within_the_process(mark, tmp_path):
    summary, _ = play(plan_at(tmp_path / "served", [served("blind", mark)]))
    assert summary.exit_code == 0
    plan = plan_at(tmp_path / "within", [scripted("blind")])
    play_agents(FAMILIES["selfid"], plan.episodes, tmp_path / "within", sweep=plan.sweep.name)

    def words(out: Path) -> list[tuple]:
        rows = rows_of(out, "steps")
        return sorted((r["condition"], r["scene_seed"], r["ask"], r["reply"]) for r in rows)

    assert words(tmp_path / "served") == words(tmp_path / "within")


@pytest.mark.thorough("engine/limiter/test_pacing.py: all calls of a key are of one allowance")
@pytest.mark.usefixtures("ray_session")
def test_two_replicas_share_the_concurrency_of_one_allowance(mark, tmp_path):
    calls, free = tmp_path / "calls", {"gpus": 0.0, "resources": {}}
    program = ("--latency-s", "0.3", "--calls", str(calls))
    model = served("blind", mark, *program, replicas=2, **free)
    model = replace(model, limits=Limits("own/blind (served)", concurrency=3))
    summary, _ = play(plan_at(tmp_path / "out", [model]))
    assert summary.exit_code == 0
    lines = [line.split() for line in calls.read_text().splitlines()]
    assert len({process for process, _, _ in lines}) == 2
    changes = sorted(
        change
        for _, came_s, went_s in lines
        for change in ((float(came_s), 1), (float(went_s), -1))
    )
    assert max(accumulate(change for _, change in changes)) == 3


@pytest.mark.thorough("engine/server/test_model_server.py")
@pytest.mark.usefixtures("ray_session")
@pytest.mark.parametrize(
    ("changes", "key", "got"),
    [
        ({"gpus": 999.0}, "serve", "999 GPU and 1 pretended_gpu"),
        ({"command": ("/no/such/server", "{port}")}, "serve.command", "no such program"),
    ],
)
def test_what_cannot_be_served_is_said_before_any_episode(changes, key, got, mark, tmp_path):
    model = served("blind", mark, **changes)
    with pytest.raises(EngineError) as refused:
        play(plan_at(tmp_path / "out", [scripted("observer"), model]))
    assert f"own/blind.{key}" in refused.value.where
    assert got in refused.value.got
    assert refused.value.fix
    assert not list((tmp_path / "out").glob("**/*.parquet"))


@pytest.mark.thorough("engine/driver/test_gpu_spending.py")
def test_gpus_that_cost_as_much_as_the_budget_end_the_run_and_it_can_go_on(quiet, mark, tmp_path):
    out = tmp_path / "out"
    with driver(out, mark, "budget=0.01") as process:
        said = process.communicate()[0]
    assert process.returncode == 3, said
    assert "Out of budget: the sweep." in said
    assert "GPU hours, earlier runs included: 0.0" in said
    with driver(out, mark, "budget=1e6") as process:
        said = process.communicate()[0]
    assert process.returncode == 0, said
    assert with_word(mark) == []
    assert_same_rows(rows(out), rows(quiet[0]))
