"""A run with `until`: what it asks follows from the replies, not from how it was played."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from shutil import copytree
from time import sleep

import pytest
from rich.console import Console

from mirror_ray.analysis.episode_scores import episode_scores
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.records.decisions import read_decisions
from mirror_ray.sweep.plan import EngineSettings
from support.loopback import loopback_server
from support.plans import hosted, scripted
from support.settled_plan import IN_FLIGHT, settled_plan
from support.shard_rows import TIMINGS, assert_same_rows, rows_of, same_words, without

pytestmark = pytest.mark.thorough(
    "stopping/ decides on written rows, analysis/test_settled.py shows it"
)

PROGRAM = Path(__file__).parents[1] / "support" / "settled_plan.py"
PAIR = [scripted("blind"), scripted("gullible")]


def play(plan):
    screen = StringIO()
    console = Console(file=screen, width=200)
    summary = play_plan(plan, console=console, plain=True, read_scores=episode_scores)
    return summary, screen.getvalue()


def words_of(out, kind, agent):
    return same_words([row for row in rows_of(out, kind) if row["model"].endswith(f"/{agent}")])


@pytest.fixture(scope="module")
def quiet(tmp_path_factory, ray_session):
    """Played at once, by one Simulator."""
    out = tmp_path_factory.mktemp("quiet") / "out"
    plan = settled_plan(out, PAIR)
    engine = EngineSettings(simulators=1, providers=1, in_flight=1)
    summary, said = play(replace(plan, sweep=replace(plan.sweep, engine=engine)))
    return out, summary, said


def test_what_is_settled_is_not_asked_and_the_run_is_done(quiet):
    out, summary, said = quiet
    assert summary.exit_code == 0
    assert summary.episodes_planned == 32
    assert 0 < summary.episodes_settled == 32 - summary.episodes_done
    assert (summary.episodes_failed, summary.episodes_unplayed, summary.episodes_unpaid) == (0,) * 3
    assert len(rows_of(out, "episodes")) == summary.episodes_done
    assert "Settled: " in said
    decisions = read_decisions(str(out))
    assert len(decisions) == 4
    assert {one.n_asked for one in decisions} == {4, 8}
    assert sum(one.n_asked for one in decisions) == summary.episodes_done


def test_rows_and_decisions_do_not_depend_on_who_was_faster(quiet, tmp_path, ray_session):
    out, *_ = quiet
    plan = settled_plan(tmp_path / "out", PAIR)
    engine = EngineSettings(simulators=2, providers=1, in_flight=8)
    play(replace(plan, sweep=replace(plan.sweep, engine=engine)))
    for kind in ("steps", "episodes"):
        assert_same_rows(*(without(rows_of(one, kind), TIMINGS) for one in (tmp_path / "out", out)))
    assert read_decisions(str(tmp_path / "out")) == read_decisions(str(out))


def test_a_settled_run_is_left_as_it_is(quiet, ray_session):
    out, first, _ = quiet
    summary, _ = play(settled_plan(out, PAIR))
    assert (summary.steps, summary.exit_code) == (0, 0)
    assert summary.episodes_resumed == first.episodes_done
    assert summary.episodes_settled == first.episodes_settled


# Three drivers one after another, each of which starts a Ray of its own.
@pytest.mark.timeout(600)
def test_killed_at_any_moment_it_asks_and_decides_the_same(quiet, tmp_path):
    expected, first, _ = quiet
    out = tmp_path / "out"
    with loopback_server("--latency-s", "0.1") as server:
        command = [sys.executable, str(PROGRAM), str(out), str(server.port)]
        # In the first round, and in the last.
        for calls in (first.steps // 4, first.steps * 7 // 8):
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            server.hold(at=calls)
            while server.stats()["calls"] < calls:
                assert process.poll() is None, "the run ended by itself"
                sleep(0.05)
            os.kill(process.pid, signal.SIGKILL)
            process.wait(60)
            server.release()
        last = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert last.returncode == 0, last.stdout + last.stderr
        # Two kills, at each of which as many may have been in flight as two Simulators play.
        bought_again = server.stats()["calls"] - len(rows_of(out, "steps"))
        assert bought_again <= 2 * 2 * IN_FLIGHT
        for kind, agent in product(("steps", "episodes"), ("blind", "gullible")):
            assert_same_rows(words_of(out, kind, agent), words_of(expected, kind, agent))
    found, before = read_decisions(str(out)), read_decisions(str(expected))
    assert [replace(one, model="") for one in found] == [replace(one, model="") for one in before]


def test_a_round_that_cannot_end_decides_nothing_and_the_same_command_goes_on(
    tmp_path, loopback, ray_session
):
    locked_out = replace(hosted(loopback, "blind"), target="hosted_vllm/blind~echo_key")
    out = tmp_path / "out"
    # Three failures in a row stop the model before its rounds of four end: one after the other.
    alone = EngineSettings(simulators=1, in_flight=1, providers=1)
    plan = settled_plan(out, [PAIR[0], locked_out])
    summary, said = play(replace(plan, sweep=replace(plan.sweep, engine=alone)))
    assert summary.exit_code == 1
    assert "did not end" in said
    assert locked_out.name not in {one.model for one in read_decisions(str(out))}

    summary, _ = play(settled_plan(out, [PAIR[0], hosted(loopback, "blind")]))
    assert summary.exit_code == 0
    assert len(read_decisions(str(out))) == 4


def test_a_model_that_joins_later_changes_no_decision_and_buys_its_own(
    quiet, tmp_path, ray_session
):
    out = tmp_path / "out"
    copytree(quiet[0], out)
    before, rows = read_decisions(str(out)), rows_of(out, "episodes")
    larger = settled_plan(out, [*PAIR, scripted("mute")])
    resolved = settled_plan(out, PAIR).sweep.resolved
    summary, _ = play(replace(larger, sweep=replace(larger.sweep, resolved=resolved)))
    assert summary.exit_code == 0
    assert read_decisions(str(out))[: len(before)] == before
    mine = {row["model"] for row in rows}
    assert [row for row in rows_of(out, "episodes") if row["model"] in mine] == rows
