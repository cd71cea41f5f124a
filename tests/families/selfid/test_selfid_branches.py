"""Branches beside their parents: what was said before, what became of it; by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, write_run
from support.whole import mostly_thorough

PARENT = Played(moments("w unknown 0", "w red 60", "w unknown 60", "done red 0 red"))


def lied(parent: Played, *texts: str, at: int = 3, **changes: Any) -> Played:
    """A branch of `parent` whose prompt says blue from there on."""
    return replace(
        parent,
        moments=moments(*texts),
        condition="E1-lied",
        branch_of=parent,
        branch_step=at,
        says_otherwise={"wrong_color": "blue"},
        **changes,
    )


def rows(directory: Path, played: list[Played], query: str) -> list[tuple[Any, ...]]:
    with open_run(write_run(directory, played)) as connection:
        return connection.execute(query).fetchall()


BRANCHES = {
    # stated, held, outcome
    "holds": (lied(PARENT, "w red 0", "done red 0 red"), ("red", True, "own")),
    "falls for it": (lied(PARENT, "w blue 0", "done blue 0 blue"), ("red", False, "lie")),
    "takes a third": (lied(PARENT, "done red 0 green"), ("red", True, "neither")),
    "is silent": (lied(PARENT, "w unknown 0"), ("red", False, "neither")),
    "had said nothing": (lied(PARENT, "done blue 0 blue", at=1), (None, None, "lie")),
    "fails": (lied(PARENT, "w blue 0", error_kind="server"), ("red", None, None)),
}


@pytest.mark.parametrize("name", mostly_thorough(2, BRANCHES))
def test_a_branch_by_hand(name: str, tmp_path: Path) -> None:
    branch, expected = BRANCHES[name]
    query = "select stated, held, outcome, parent_id, parent_tsa from episode.selfid_branch"
    assert rows(tmp_path, [PARENT, branch], query) == [(*expected, PARENT.episode_id, 1)]


def test_shares_of_branches_by_hand(tmp_path: Path) -> None:
    played = []
    for scene, (branch, _) in enumerate(BRANCHES.values()):
        parent = replace(PARENT, scene_seed=scene)
        played += [parent, replace(branch, scene_seed=scene, branch_of=parent)]
    query = (
        "select metric, n, estimate, n_failed from metric.selfid_branch "
        "where condition = 'E1-lied' order by metric"
    )
    assert rows(tmp_path, played, query) == [
        ("followed_lie", 5, pytest.approx(2 / 5), 1),
        ("held", 4, 0.5, 1),
        ("held_own", 4, 0.5, 1),
        ("parent_tsa", 5, 1.0, 1),
        ("tsa", 5, pytest.approx(1 / 5), 1),
    ]


def test_scores_that_rest_on_evidence_are_not_a_branchs(tmp_path: Path) -> None:
    branch = lied(PARENT, "w red 60", "done red 60 red")
    scores = rows(
        tmp_path,
        [PARENT, branch],
        "select tsa, ttd, caal, tsa_c, mcr, mtato, cr, mgd, arsc, sc from episode.selfid "
        "where branch_step is not null",
    )
    # The steps before the branch count: done is its fifth.
    assert scores == [(1, 5, 1, 1, None, None, None, None, None, None)]
    with open_run(str(tmp_path)) as connection:
        assert connection.execute("from metric.selfid_violations").fetchall() == []
        counts = connection.execute("select count(*) from episode.selfid_process").fetchone()
    assert counts == (1,)


def test_a_branch_and_its_parent_are_twins(tmp_path: Path) -> None:
    branch = lied(PARENT, "done blue 0 blue")
    query = "select axis, baseline, value, difference from twin.scores where metric = 'tsa'"
    assert rows(tmp_path, [PARENT, branch], query) == [("condition", "E1", "E1-lied", -1.0)]
