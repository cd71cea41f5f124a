"""Runs that do not go well: what they leave, how they end, and how the next one goes on."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console
from support.plans import hosted, plan_of, scripted
from support.shard_rows import rows_of

from mirror_ray.engine.driver import run
from mirror_ray.engine.leases import FAILURES_IN_A_ROW
from mirror_ray.errors import RunDirError
from mirror_ray.sweep.plan import EngineSettings

pytestmark = pytest.mark.usefixtures("ray_session")

ONE_BY_ONE = EngineSettings(simulators=1, in_flight=1)


def play(plan):
    screen = StringIO()
    return run(plan, console=Console(file=screen, width=200), plain=True), screen.getvalue()


def plan_with(out, models, **changes):
    return plan_of(
        out, models, conditions=("E1",), axes=(("max_steps", 3),), engine=ONE_BY_ONE, **changes
    )


def test_model_with_a_wrong_key_is_stopped_said_and_played_once_the_key_is_right(
    tmp_path, loopback
):
    out = tmp_path / "out"
    locked_out = replace(hosted(loopback, "blind"), target="hosted_vllm/blind~echo_key")
    models = [scripted("blind"), locked_out]
    summary, said = play(plan_with(out, models, seeds=5))
    assert (summary.episodes_done, summary.episodes_failed, summary.episodes_unplayed) == (
        5,
        FAILURES_IN_A_ROW,
        5 - FAILURES_IN_A_ROW,
    )
    assert summary.exit_code == 1
    assert "local/blind: auth" in said
    assert "no further episode" in said

    models[1] = hosted(loopback, "blind")
    summary, _ = play(plan_with(out, models, seeds=5))
    assert (summary.episodes_done, summary.exit_code) == (10, 0)
    takes = [row["take"] for row in rows_of(out, "episodes")]
    assert takes.count(2) == FAILURES_IN_A_ROW


def test_spent_budget_ends_the_run_and_more_money_goes_on(tmp_path, loopback):
    out = tmp_path / "out"
    models = [hosted(loopback, "blind")]
    before = loopback.stats()["calls"]
    # A worst case is about 0.004 USD (1,024 tokens out, one picture in), a real call 0.0007.
    summary, _ = play(plan_with(out, models, seeds=3, budget_usd=0.006))
    assert summary.exit_code == 3
    assert 0 < summary.cost_usd <= 0.006
    assert summary.episodes_done < 3

    summary, _ = play(plan_with(out, models, seeds=3, budget_usd=1.0))
    assert (summary.episodes_done, summary.exit_code) == (3, 0)
    # Three steps each, none of them bought twice.
    assert loopback.stats()["calls"] - before == 9


def test_what_a_model_refuses_is_final(tmp_path, loopback):
    out = tmp_path / "out"
    plan = plan_with(out, [hosted(loopback, "blind~filter")], seeds=2)
    summary, _ = play(plan)
    assert (summary.episodes_failed, summary.exit_code) == (2, 1)
    again, _ = play(plan)
    assert (again.episodes_failed, again.steps, again.exit_code) == (2, 0, 1)


def test_directory_of_another_sweep_is_refused(tmp_path):
    play(plan_with(tmp_path / "out", [scripted("blind")]))
    with pytest.raises(RunDirError, match="another sweep"):
        play(plan_with(tmp_path / "out", [scripted("mute")]))


def test_more_simulators_than_episodes_are_not_started(tmp_path):
    plan = plan_of(
        tmp_path / "out",
        [scripted("blind")],
        conditions=("E1",),
        axes=(("max_steps", 2),),
        engine=EngineSettings(simulators=7, in_flight=4),
    )
    summary, _ = play(plan)
    assert (summary.episodes_done, summary.exit_code) == (1, 0)
