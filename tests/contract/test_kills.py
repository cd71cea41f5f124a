"""Killed in mid-run, the rows are those of a quiet run, and no recorded reply is bought again.

What tests/chaos does not do: an object store, interrupts. Killed actors are its own.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from time import sleep

import pytest
from rich.console import Console

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.engine.driver.run import play_plan
from support.agents_at_play import play_agents
from support.loopback import Loopback, loopback_server
from support.plans import plan_of, scripted
from support.play_to_the_end import IN_FLIGHT, plan_at
from support.shard_rows import assert_same_rows, rows_of, same_words

PROGRAM = Path(__file__).parents[1] / "support" / "play_to_the_end.py"
ALL_IN_FLIGHT = 2 * IN_FLIGHT


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """The rows of the same episodes, played in process and undisturbed."""
    out = tmp_path_factory.mktemp("quiet") / "out"
    plan = plan_of(
        out,
        [scripted("blind")],
        conditions=("E1", "E4", "E5"),
        seeds=3,
        axes=(("max_steps", 10),),
    )
    play_agents(FAMILIES["selfid"], plan.episodes, out, sweep=plan.sweep.name)
    return {kind: same_words(rows_of(out, kind)) for kind in ("steps", "episodes")}


@pytest.fixture
def server():
    with loopback_server("--latency-s", "0.3") as running:
        yield running


def hold_at(server: Loopback, calls: int, is_over: Callable[[], bool]) -> None:
    """Returns once so many calls were taken; until it is released none is answered any more.

    However slow this process is meanwhile, the run cannot be over before it is disturbed.
    """
    server.hold(at=calls)
    while server.stats()["calls"] < calls:
        assert not is_over(), "the run ended by itself"
        sleep(0.05)


def bought_again(server: Loopback) -> int:
    stats = server.stats()
    return stats["calls"] - stats["distinct"]


@pytest.mark.thorough("the interrupt below, and records/test_object_store.py")
def test_killed_driver_whose_shards_go_to_an_object_store(quiet, server, bucket, tmp_path):
    out = f"{bucket}/kills"
    command = [sys.executable, str(PROGRAM), out, str(server.port)]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    hold_at(server, 30, lambda: first.poll() is not None)
    os.kill(first.pid, signal.SIGKILL)
    first.wait(60)
    server.release()

    second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert second.returncode == 0, second.stdout + second.stderr
    assert str(tmp_path / "state") in second.stdout
    assert bought_again(server) <= ALL_IN_FLIGHT
    for kind, rows in quiet.items():
        assert_same_rows(same_words(rows_of(out, kind)), rows, server.heard)


@pytest.mark.thorough("cli/test_interrupt.py and engine/recorder/test_recorder_crashes.py")
def test_interrupted_and_interrupted_twice(quiet, server, tmp_path, ray_env):
    env = {**os.environ, **ray_env}
    out = tmp_path / "out"
    command = [sys.executable, str(PROGRAM), str(out), str(server.port)]

    once = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    hold_at(server, 10, lambda: once.poll() is not None)
    once.send_signal(signal.SIGINT)
    server.release()
    assert once.wait(60) == 130
    assert bought_again(server) == 0

    twice = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    hold_at(server, server.stats()["calls"] + 10, lambda: twice.poll() is not None)
    while (stats := server.stats())["calls"] == sum(stats["statuses"].values()):
        assert twice.poll() is None, "the run was over before it could be disturbed"
        sleep(0.05)
    twice.send_signal(signal.SIGINT)
    # What is in flight will not be answered, so that only the second one can end the run.
    assert any("again: at once" in line for line in twice.stdout)
    twice.send_signal(signal.SIGINT)
    assert twice.wait(60) == 130
    server.release()

    summary = play_plan(plan_at(out, server.port), console=Console(file=StringIO()), plain=True)
    assert (summary.episodes_done, summary.exit_code) == (9, 0)
    assert bought_again(server) <= ALL_IN_FLIGHT
    for kind, rows in quiet.items():
        assert_same_rows(same_words(rows_of(out, kind)), rows, server.heard)
