"""What goes wrong between a run and a real engine: too long, unseen, killed."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from io import StringIO
from pathlib import Path
from time import sleep

import pytest
from real_engine import Engine, command, gemma, running, smol
from real_runs import MODELS, a_port, played, written
from rich.console import Console

from mirror_ray.engine.driver.run import play_plan
from mirror_ray.sweep.load import load_plan
from support.engine.processes import command_line
from support.shard_rows import rows_of

pytestmark = [
    pytest.mark.models,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("engine_runs", "ray_session"),
]

QUESTIONS = """
models: [smol]
stages:
  - {family: metacog, conditions: [exp1], seeds: 12, runs: 1, channel: [natural, tools]}
"""
N_QUESTIONS = 24
IN_FLIGHT = 4
PATIENCE_S = 300.0


def alone(engine: Engine) -> Mapping[str, Engine]:
    return {"smol": engine, "gemma": engine}


def test_prompts_longer_than_a_slot_are_errors_of_their_own(tmp_path: Path) -> None:
    with running(smol(), a_port(), tmp_path, ("-c", "800")) as engine:
        done = played(written(tmp_path, QUESTIONS, MODELS, alone(engine)), alone(engine))
    kinds = {row["error_kind"] for row in done.steps}
    assert kinds == {"none", "context_window"}, done.said
    assert len({row["episode_id"] for row in done.steps}) == N_QUESTIONS
    assert done.summary.episodes_done + done.summary.episodes_failed == N_QUESTIONS


def test_pictures_for_a_text_only_server(engines: Mapping[str, Engine], tmp_path: Path) -> None:
    sweep = (
        "models: [sighted]\n"
        "stages:\n  - {family: selfid, conditions: [E1], seeds: 4, runs: 1, max_steps: 4}\n"
    )
    done = played(written(tmp_path, sweep, MODELS, engines), engines)
    assert "vision: false" in done.said
    assert done.summary.exit_code == 1
    assert done.counted["smol"].calls == 0
    assert {row["error_kind"] for row in done.steps} <= {"bad_request"}


SERVED = """
models:
  smol: {serve: {engine: command, command: <smol>, gpus: 0, resources: {pretended_gpu: 2}},
    vision: false, max_tokens: 48}
  gemma: {serve: {engine: command, command: <gemma>, gpus: 0, resources: {pretended_gpu: 2}},
    vision: false, max_tokens: 24}
"""


ANSWERING_CPU_S = 5.0
"""An engine needs one second of processor time to load, and twenty for all answers."""


def test_two_models_take_turns_on_one_place(gemmas_template: Path, tmp_path: Path) -> None:
    template = ("--chat-template-file", str(gemmas_template))
    models = SERVED.replace("<smol>", json.dumps(command(smol(), "{port}")))
    models = models.replace("<gemma>", json.dumps(command(gemma(), "{port}", *template)))
    path = written(tmp_path, QUESTIONS.replace("[smol]", "[smol, gemma]"), models, {})
    killing = threading.Thread(target=kill_an_engine, args=(engines_of_runs(),), daemon=True)
    killing.start()
    screen = StringIO()
    summary = play_plan(load_plan(str(path)), console=Console(file=screen, width=200), plain=True)
    said = screen.getvalue()
    assert (summary.exit_code, summary.episodes_done) == (0, 2 * N_QUESTIONS), said
    assert "started again" in said
    assert said.count("ready after") >= 2


def kill_an_engine(others: frozenset[int]) -> None:
    """Kills the first engine that a run of this process starts, while it answers.

    Args:
        others: engines that other tests use.
    """
    for _ in range(int(PATIENCE_S / 0.5)):
        sleep(0.5)
        engines = engines_of_runs() - others
        if engines and cpu_s(min(engines)) > ANSWERING_CPU_S:
            os.kill(min(engines), signal.SIGKILL)
            return


def cpu_s(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def engines_of_runs() -> frozenset[int]:
    return frozenset(pid for pid in descendants() if b"llama-server\0-m\0" in command_line(pid))


@pytest.mark.parametrize("victim", ["driver", "Simulator"])
def test_killed_in_mid_run_nothing_is_lost(
    victim: str, ray_env: Mapping[str, str], tmp_path: Path
) -> None:
    with running(smol(), a_port(), tmp_path) as engine:
        path = written(tmp_path, QUESTIONS, MODELS, alone(engine))
        line = [sys.executable, "-m", "mirror_ray", "run", str(path)]
        env = {**os.environ, **ray_env}
        with subprocess.Popen(
            line, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as driver:
            while engine.counters().calls < 2 * IN_FLIGHT:
                assert driver.poll() is None, driver.communicate()[0]
                sleep(0.2)
            os.kill(driver.pid if victim == "driver" else simulators()[0], signal.SIGKILL)
            said = driver.communicate(timeout=PATIENCE_S)[0]
        if victim == "driver":
            again = subprocess.run(line, env=env, capture_output=True, text=True, check=False)
            assert again.returncode == 0, again.stdout + again.stderr
        else:
            assert driver.returncode == 0, said
        rows = rows_of(tmp_path / "out", "steps")
        counted = engine.counters()
    assert len({row["episode_id"] for row in rows}) == N_QUESTIONS
    # A model that calls a tool is asked again.
    assert len({(row["episode_id"], row["ask"]) for row in rows}) == len(rows)
    # What was in flight at the driver's end may have been answered to nobody.
    lost = counted.calls - sum(row["attempts"] for row in rows)
    assert 0 <= lost <= (IN_FLIGHT if victim == "driver" else 0)
    if lost == 0:
        assert counted.tokens_in == sum(row["tokens_in"] for row in rows)


def simulators() -> list[int]:
    """Those of this process's Ray, which has no others."""
    return [pid for pid in descendants() if command_line(pid).startswith(b"ray::Simulator")]


def descendants() -> list[int]:
    """The processes that this one has started, directly or not."""
    parents = {int(path.name): parent_of(path) for path in Path("/proc").glob("[0-9]*")}
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


def parent_of(process: Path) -> int:
    with suppress(OSError):
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    return 0
