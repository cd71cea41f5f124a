"""What a run has cost and will come to; whose money an episode's is."""

from dataclasses import replace

import pytest

from mirror_ray.core.identity import Cell
from mirror_ray.engine.driver.closing_lines import how_to_go_on
from mirror_ray.engine.driver.cost_forecast import Costs, ModelCosts, Paid, sum_of
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.limiter.budget import (
    AccountStats,
    ceilings_of,
    cell_scope,
    free_models,
    name_of,
    scopes_of_cell,
)
from support.plans import plan_of, scripted


def test_nothing_is_projected_before_an_episode_has_ended():
    costs = Costs({"m": 10})
    assert costs.of("m", 0.5).projected_usd is None
    costs.ended("m", 0.4)
    # One for 0.4, and nine more of the like.
    assert costs.of("m", 0.5).projected_usd == pytest.approx(4.0)


def test_earlier_runs_count_and_no_projection_is_below_what_is_spent():
    costs = Costs({"m": 10}, {"m": Paid(spent_usd=3.0, ended=4, ended_usd=2.0)})
    told = costs.of("m", 0.25)
    assert (told.spent_usd, told.projected_usd) == (3.25, 5.0)
    assert costs.of("m", 9.0).projected_usd == 12.0


def test_accounts_tell_what_is_reserved_and_left():
    costs = Costs({"m": 1})
    assert (costs.ceiling_usd, costs.left_usd) == (None, None)
    costs.read(
        {"sweep": AccountStats(10.0, 2.0, 0.5, 1.0), "model:m": AccountStats(4.0, 2.0, 0.5, 1.0)}
    )
    assert (costs.ceiling_usd, costs.left_usd) == (10.0, 7.5)
    assert costs.presumed_usd == 0.5
    assert (costs.of("m", 2.0).ceiling_usd, costs.of("m", 2.0).reserved_usd) == (4.0, 1.5)


def test_several_models_have_the_sum_of_what_all_of_them_have():
    one, other = ModelCosts(1.0, 0.25, 4.0, 8.0, 1), ModelCosts(2.0, 0.5, 3.0, 5.0, 2)
    assert sum_of([one, other]) == ModelCosts(3.0, 0.75, 7.0, 13.0, 3)
    # Whose ceiling or end is not known has none that could be added to others'.
    assert sum_of([one, replace(other, ceiling_usd=None)]).ceiling_usd is None
    assert sum_of([replace(one, projected_usd=None), other]).projected_usd is None


def test_a_model_without_an_ended_episode_is_taken_to_cost_what_others_do():
    costs = Costs({"a": 2, "b": 2, "c": 2})
    assert costs.means_usd == {"a": 0.0, "b": 0.0, "c": 0.0}
    costs.ended("a", 1.0)
    costs.ended("b", 3.0)
    assert costs.means_usd == {"a": 1.0, "b": 3.0, "c": 2.0}


def test_each_model_of_an_episode_may_pay_for_it():
    pair = Cell("flipset", "F1", (("author", "a"), ("judge", "b")), None, "paper")
    assert scopes_of_cell(pair) == ("sweep", "model:a", "model:b", cell_scope(pair.cell_id))


def test_each_model_of_an_episode_comes_to_its_own_part_of_it():
    costs = Costs({"a": 2, "b": 0, "c": 0}, partners={"b": 2})
    assert costs.of("b", 0.1).projected_usd is None
    costs.ended("a", 1.0, {"b": 0.25})
    assert costs.of("b", 0.25).projected_usd == 0.5
    assert costs.of("a", 0.75).projected_usd == 1.5
    # An episode takes the money of both; of one that is asked in no further, nothing follows.
    assert costs.means_usd["a"] == 1.0
    assert costs.of("c", 0.25).projected_usd == 0.25


def test_a_plan_has_a_ceiling_for_each_scope_that_its_sweep_names(tmp_path):
    plan = plan_of(tmp_path, [scripted("blind")], conditions=("E1", "E2"), budget_usd=5.0)
    assert ceilings_of(plan) == {"sweep": 5.0}
    assert free_models(plan) == {"scripted/blind"}
    cell = plan.cells[1]
    assert name_of(cell_scope(cell.cell_id), plan) == "scripted/blind: selfid E2 at 0.2, paper"
    assert (name_of("sweep", plan), name_of("model:a/b", plan)) == ("the sweep", "a/b")


def test_a_budget_that_lost_calls_may_have_used_up_says_so(tmp_path):
    plan = plan_of(tmp_path, [scripted("blind")], budget_usd=10.0)
    counters = RunCounters({"scripted/blind": 5}, {}, {})
    counters.costs.read({"sweep": AccountStats(10.0, 7.5, 2.25, 0.0)})
    first, second, third = how_to_go_on(plan, counters, ("sweep",))
    assert first == "Out of budget: the sweep."
    assert second.startswith("Up to $2.2500 of it may have gone to calls whose replies were lost")
    assert third.startswith("5 of 5 episodes are left")
    assert "raise budget_usd and run the same command to resume" in third
    counters.costs.read({"sweep": AccountStats(10.0, 9.75, 0.0, 0.0)})
    assert len(how_to_go_on(plan, counters, ("sweep",))) == 2
