"""Runs that do not go well: what they leave, how they end, and how the next one goes on."""

from collections import Counter
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from mirror_ray.engine.driver.leases import EPISODE_FAILURES_IN_A_ROW
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.engine.limiter.budget import cell_scope
from mirror_ray.providers.model import Limits
from mirror_ray.records.so_far import spent_so_far
from mirror_ray.sweep.plan import EngineSettings
from support.plans import hosted, plan_of, scripted
from support.shard_rows import rows_of

pytestmark = pytest.mark.usefixtures("ray_session")

ONE_BY_ONE = EngineSettings(simulators=1, providers=1, in_flight=1)


def play(plan):
    screen = StringIO()
    return play_plan(plan, console=Console(file=screen, width=200), plain=True), screen.getvalue()


def plan_with(out, models, **changes):
    return plan_of(
        out, models, conditions=("E1",), axes=(("max_steps", 3),), engine=ONE_BY_ONE, **changes
    )


@pytest.mark.thorough("engine/limiter/test_limiter_budgets.py and engine/driver/test_leases.py")
def test_model_with_a_wrong_key_is_stopped_said_and_played_once_the_key_is_right(
    tmp_path, loopback
):
    out = tmp_path / "out"
    locked_out = replace(hosted(loopback, "blind"), target="hosted_vllm/blind~echo_key")
    models = [scripted("blind"), locked_out]
    summary, said = play(plan_with(out, models, seeds=5))
    assert (summary.episodes_done, summary.episodes_failed, summary.episodes_unplayed) == (
        5,
        EPISODE_FAILURES_IN_A_ROW,
        5 - EPISODE_FAILURES_IN_A_ROW,
    )
    assert summary.exit_code == 1
    assert "local/blind: auth" in said
    assert "no new episodes will start" in said

    models[1] = hosted(loopback, "blind")
    summary, _ = play(plan_with(out, models, seeds=5))
    assert (summary.episodes_done, summary.exit_code) == (10, 0)
    takes = [row["take"] for row in rows_of(out, "episodes")]
    assert takes.count(2) == EPISODE_FAILURES_IN_A_ROW


@pytest.mark.thorough("engine/limiter/test_limiter_budgets.py and engine/driver/test_leases.py")
def test_spent_budget_ends_the_run_and_more_money_goes_on(tmp_path, loopback):
    out = tmp_path / "out"
    models = [hosted(loopback, "blind")]
    before = loopback.stats()["calls"]
    # A worst case is about 0.004 USD (1,024 tokens out, one picture in), a real call 0.0007.
    summary, _ = play(plan_with(out, models, seeds=3, budget_usd=0.006))
    assert summary.exit_code == 3
    assert 0 < summary.cost_usd <= 0.006
    assert summary.episodes_done < 3
    # What was asked, without what no money was left for.
    assert summary.episodes_unpaid
    assert summary.steps == loopback.stats()["calls"] - before

    summary, _ = play(plan_with(out, models, seeds=3, budget_usd=1.0))
    assert (summary.episodes_done, summary.exit_code) == (3, 0)
    # Each step of the episodes that ended was bought once.
    ended = [row for row in rows_of(out, "episodes") if row["error_kind"] == "none"]
    assert loopback.stats()["calls"] - before == sum(row["n_steps"] for row in ended)


@pytest.mark.thorough("engine/limiter/test_limiter_budgets.py and engine/driver/test_leases.py")
def test_a_models_budget_stops_that_model_and_a_cells_that_cell(tmp_path, loopback):
    """A call costs about 0.0009 and may cost 0.0057, and each of three cells has 12.

    So the poor model's budget pays for 10 calls, and that of each cell for 7.
    """
    out = tmp_path / "out"
    poor = replace(hosted(loopback, "blind"), name="local/poor", limits=Limits("local/poor"))
    rich = replace(poor, name="local/rich", limits=Limits("local/rich"))
    plan = plan_of(
        out,
        [poor, rich],
        conditions=("E1", "E2", "E3"),
        axes=(("max_steps", 3),),
        seeds=4,
        engine=EngineSettings(simulators=1, in_flight=2),
    )
    budgets = {"budget_per_model_usd": {"local/poor": 0.0147}, "budget_per_cell_usd": 0.0115}
    summary, said = play(replace(plan, sweep=replace(plan.sweep, **budgets)))
    assert summary.exit_code == 3
    rich_cells = {cell_scope(cell.cell_id) for cell in plan.cells if cell.model == "local/rich"}
    assert set(summary.budgets_spent) == {"model:local/poor", *rich_cells}
    assert "local/poor: no new episodes will start: its budget is spent" in said
    assert "Out of budget: " in said
    assert "local/rich: selfid E1 at 0.2, paper+max_steps=3" in said
    assert "budget_per_model_usd" in said
    assert "budget_per_cell_usd and run the same command to resume" in said

    spent_usd, done = by_model(out)
    assert 0 < spent_usd["local/poor"] <= 0.0147
    assert 0.0147 < spent_usd["local/rich"] <= 3 * 0.0115
    assert all(usd <= 0.0115 for usd in spent_by_cell(out).values())
    assert 0 < done["local/poor"] < done["local/rich"] < 12


@pytest.mark.thorough("engine/limiter/test_limiter_budgets.py and engine/driver/test_leases.py")
def test_a_sweep_that_runs_out_of_money_has_played_equal_scenes(tmp_path, loopback):
    """One model replies at once, the other slowly, each under a key of its own."""
    out = tmp_path / "out"
    quick = replace(hosted(loopback, "blind"), name="local/quick", limits=Limits("local/quick"))
    slow = replace(quick, name="local/slow", limits=Limits("local/slow", rpm=300.0))
    plan = plan_of(
        out,
        [quick, slow],
        conditions=("E1", "E2"),
        axes=(("max_steps", 3),),
        seeds=6,
        budget_usd=0.045,
        engine=EngineSettings(simulators=1, in_flight=4),
    )
    summary, said = play(plan)
    assert summary.exit_code == 3
    assert summary.budgets_spent == ("sweep",)
    assert summary.spent_usd <= 0.045
    spent_usd, done = by_model(out)
    assert sum(spent_usd.values()) <= 0.045
    # Neither has left the other behind by more than what was under way.
    assert abs(done["local/quick"] - done["local/slow"]) <= 5
    assert f"{24 - summary.episodes_done} of 24 episodes are left, for about $" in said

    again, _ = play(replace(plan, sweep=replace(plan.sweep, budget_usd=5.0)))
    assert (again.episodes_done, again.exit_code) == (24, 0)
    assert again.spent_usd == pytest.approx(sum(spent_so_far(str(out)).values()))
    # No step was bought twice.
    steps = [row for row in rows_of(out, "steps") if row["error_kind"] != "budget"]
    assert summary.calls + again.calls == len({(row["episode_id"], row["ask"]) for row in steps})


def spent_by_cell(out):
    spent = Counter()
    cell_of = {row["episode_id"]: row["cell_id"] for row in rows_of(out, "episodes")}
    for episode_id, usd in spent_so_far(str(out)).items():
        spent[cell_of[episode_id]] += usd
    return spent


def by_model(out):
    """Model → known spend, and → episodes done, as the records have it."""
    episodes = {row["episode_id"]: row for row in rows_of(out, "episodes")}
    spent, done = Counter(), Counter()
    for episode_id, usd in spent_so_far(str(out)).items():
        spent[episodes[episode_id]["model"]] += usd
    for row in episodes.values():
        done[row["model"]] += row["error_kind"] == "none"
    return spent, done


@pytest.mark.thorough("engine/limiter/test_limiter_budgets.py and engine/driver/test_leases.py")
def test_what_a_model_refuses_is_final(tmp_path, loopback):
    out = tmp_path / "out"
    plan = plan_with(out, [hosted(loopback, "blind~filter")], seeds=2)
    summary, _ = play(plan)
    assert (summary.episodes_failed, summary.exit_code) == (2, 1)
    again, _ = play(plan)
    assert (again.episodes_failed, again.steps, again.exit_code) == (2, 0, 1)


@pytest.mark.thorough("engine/limiter/test_limiter_budgets.py and engine/driver/test_leases.py")
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
