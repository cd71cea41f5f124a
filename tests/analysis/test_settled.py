"""What was settled early has a verdict with its probability, and nowhere a p."""

from dataclasses import replace

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.records.decisions import write_decisions
from support.analysis.decided import decided
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

GOOD, POOR, THIRD = "scripted/good", "scripted/poor", "scripted/third"
RIGHT = Played(moments("done red 0 red"), model=GOOD)
WRONG = replace(RIGHT, moments=moments("done blue 0 blue"), model=POOR)


@pytest.fixture
def run(tmp_path):
    """Three scenes of two models in two conditions, and all of a third model's."""
    played = [*scenes(RIGHT, 3), *scenes(WRONG, 3), *scenes(replace(RIGHT, model=THIRD), 3)]
    played += [replace(one, condition="E2") for one in played]
    return write_run(tmp_path, played)


def pairs(run, where):
    query = (
        "select baseline, value, round(p, 9), round(p_holm, 9), told_apart, probability, n_planned "  # noqa: S608
        f"from contrast.pairs where metric = 'tsa' and {where} order by all"
    )
    with open_run(run, hold=True) as connection:
        return connection.execute(query).fetchall()


def test_without_decisions_every_pair_has_its_p(run):
    assert pairs(run, "condition = 'E1'") == [
        (GOOD, POOR, 0.25, 0.75, False, None, None),
        (GOOD, THIRD, 1.0, 1.0, False, None, None),
        (POOR, THIRD, 0.25, 0.75, False, None, None),
    ]


def test_a_pair_that_was_settled_early_has_its_verdict(run):
    write_decisions(run, decided("E1", POOR, GOOD))
    # The third model's pairs rest on cells that were stopped early, too.
    assert pairs(run, "condition = 'E1'") == [
        (GOOD, POOR, None, None, True, 0.995, 21),
        (GOOD, THIRD, None, None, None, None, None),
        (POOR, THIRD, None, None, None, None, None),
    ]
    assert [row[2] for row in pairs(run, "condition = 'E2'")] == [0.25, 1.0, 0.25]


@pytest.mark.parametrize("of", [f"('{GOOD}', '{THIRD}')", f"('{GOOD}', '{POOR}')"])
def test_in_a_part_of_the_run_what_was_stopped_early_still_has_no_p(run, of):
    write_decisions(run, decided("E1", POOR, GOOD))
    with open_run(run, where=f"model in {of}", hold=True) as connection:
        found = connection.execute(
            "select condition, p is null from contrast.pairs "
            "where metric = 'tsa' and axis = 'model' order by all"
        ).fetchall()
    assert found == [("E1", True), ("E2", False)]


def test_of_conditions_that_are_left_out_no_decision_is_shown(run):
    write_decisions(run, decided("E1", POOR, GOOD))
    for where, n in (("condition = 'E1'", 2), ("condition = 'E2'", 0)):
        with open_run(run, where=where, hold=True) as connection:
            assert connection.execute("select count(*) from metric.settled").fetchall() == [(n,)]


def test_conditions_of_a_cell_that_was_stopped_early_have_no_p(run):
    write_decisions(run, decided("E1", POOR, GOOD))
    found = pairs(run, "axis = 'condition'")
    assert sorted(row[2] for row in found if row[2] is not None) == [1.0]
    assert len(found) == 3


def test_what_was_asked_to_the_end_has_verdict_and_p(run):
    write_decisions(run, decided("E1", POOR, GOOD, n_planned=3))
    assert pairs(run, f"condition = 'E1' and value = '{POOR}'") == [
        (GOOD, POOR, 0.25, 0.75, True, 0.995, 3)
    ]


def test_who_is_told_apart_follows_the_verdict(run):
    write_decisions(run, decided("E1", GOOD, POOR))
    with open_run(run, hold=True) as connection:
        found = connection.execute(
            "select model, tied, letters from contrast.pairs_tied "
            "where metric = 'tsa' and condition = 'E1' order by model"
        ).fetchall()
    assert found == [(GOOD, True, "a"), (POOR, False, "b"), (THIRD, True, "ab")]


def test_a_cell_s_units_are_those_of_its_last_comparison_in_the_last_design(run):
    more = decided("E1", THIRD, GOOD, n_asked=9)
    write_decisions(run, (*decided("E1", POOR, GOOD), *more))
    with open_run(run, hold=True) as connection:
        found = connection.execute(
            "select model, n_asked, n_planned, stopped_early from metric.settled order by model"
        ).fetchall()
    assert found == [(GOOD, 9, 21, True), (POOR, 3, 21, True), (THIRD, 9, 21, True)]
