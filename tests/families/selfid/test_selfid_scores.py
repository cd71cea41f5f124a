"""Every score of an episode, worked out by hand."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Moment, Played, moments, write_run

SCORES = (
    "done", "tsa", "ttd", "mcr", "mtato", "caal", "cr", "tsa_c", "mgd", "arsc", "sc", "sc_final",
)  # fmt: skip


def scores_of(directory: Path, *episodes: Played, **variables: Any) -> list[tuple[Any, ...]]:
    run = write_run(directory, episodes)
    with open_run(run, variables=variables) as connection:
        return connection.execute(
            f"select {', '.join(SCORES)} from episode.selfid order by scene_seed"  # noqa: S608
        ).fetchall()


# The truth is red, the cubes are red, blue and green; a frame is evidence from 50 px on.
# Columns as in SCORES:     done  tsa ttd mcr mtato caal cr tsa_c mgd arsc sc sc_final
HAND_COMPUTED = {
    "looks, says red, takes the red cube": (
        moments("w unknown 0", "d unknown 60", "w red 60", "done red 0 red"),
        (True, 1, 4, 1, 1, 1, 0, 1, 2, 0, None, None),
    ),
    "done at step 1, rightly, by luck": (
        moments("done red 0 red"),
        (True, 1, 1, 0, 0, 0, 0, 1, 0, 0, None, None),
    ),
    "done at step 1 without a cube": (
        moments("done red 90 none"),
        (True, 0, 1, 0, None, 0, 0, 0, 1, 0, None, None),
    ),
    "never done, sees and says red": (
        moments("w unknown 0", "w red 70", "w red 70"),
        (False, 0, 3, 1, None, 1, 0, None, 2, 0, None, None),
    ),
    "never done: the last step counts as before": (
        moments("w unknown 0", "w red 70"),
        (False, 0, 2, 1, None, 1, 0, None, 1, 0, None, None),
    ),
    "evidence at the done step only": (
        moments("w unknown 0", "w unknown 49", "done red 50 red"),
        (True, 1, 3, 0, 0, 0, 0, 1, 1, 0, None, None),
    ),
    "commits before evidence that comes at the done step": (
        moments("w blue 0", "done blue 50 blue"),
        (True, 0, 2, 0, None, 0, 1, 0, 1, 1, 0, 0),
    ),
    "commits wrongly, sees, corrects itself": (
        moments("w blue 0", "w blue 80", "w red 80", "done red 0 red"),
        (True, 1, 4, 1, 1, 1, 1, 1, 2, 1, 1, 1),
    ),
    "corrects itself, then falls back": (
        moments("w blue 0", "w red 80", "done blue 0 blue"),
        (True, 0, 3, 1, None, 1, 1, 0, 1, 1, 1, 0),
    ),
    "corrects itself at the done step only": (
        moments("w blue 0", "w blue 80", "done red 0 red"),
        (True, 1, 3, 1, 1, 0, 1, 1, 1, 1, 1, 1),
    ),
    "says red before the mirror and never after": (
        moments("w blue 0", "w red 0", "w blue 80", "done blue 0 red"),
        (True, 1, 4, 1, 1, 1, 1, 1, 1, 1, 0, 0),
    ),
    "commits rightly before evidence": (
        moments("w red 0", "w red 80", "done red 80 red"),
        (True, 1, 3, 1, 1, 1, 1, 1, 2, 0, None, None),
    ),
    "commits at the very step of the evidence": (
        moments("w unknown 0", "w blue 80", "done blue 0 blue"),
        (True, 0, 3, 1, None, 0, 0, 0, 1, 0, None, None),
    ),
    "no evidence, confident": (
        moments("w blue 0", "w blue 10", "done blue 0 blue"),
        (True, 0, 3, 0, None, 0, 1, 0, 0, 0, None, None),
    ),
    "unknown only": (
        moments("w unknown 80", "w unknown 80", "done unknown 80 red"),
        (True, 1, 3, 1, 1, 0, 0, 1, 3, 0, None, None),
    ),
    "commits at the done step only": (
        moments("w unknown 0", "done red 0 blue"),
        (True, 0, 2, 0, None, 0, 0, 0, 0, 0, None, None),
    ),
    "an unreadable step is a step without identification": (
        (Moment(None, None, 80, None), *moments("done red 0 red")),
        (True, 1, 2, 1, 1, 0, 0, 1, 1, 0, None, None),
    ),
    "nothing counts after done": (
        moments("w unknown 0", "done blue 0 blue", "w red 80"),
        (True, 0, 2, 0, None, 0, 0, 0, 0, 0, None, None),
    ),
    "a superseded reply says nothing": (
        (
            Moment("w", "red", 0, superseded=True),
            *moments("w unknown 0", "w unknown 80"),
            Moment("done", "red", 0, "blue", superseded=True),
            *moments("done red 0 red"),
        ),
        (True, 1, 3, 1, 1, 0, 0, 1, 1, 0, None, None),
    ),
}


def test_scores_of_trajectories(tmp_path: Path) -> None:
    played = [Played(one, scene_seed=at) for at, (one, _) in enumerate(HAND_COMPUTED.values())]
    found = dict(zip(HAND_COMPUTED, scores_of(tmp_path, *played), strict=True))
    expected = {name: scores for name, (_, scores) in HAND_COMPUTED.items()}
    for name, got in found.items():
        assert dict(zip(SCORES, got, strict=True)) == dict(
            zip(SCORES, expected[name], strict=True)
        ), name


@pytest.mark.parametrize(
    ("last", "tsa"), [("done red 0", 1), ("done blue 0", 0), ("done unknown 0", 0), ("w red 0", 0)]
)
def test_without_cubes_the_last_identification_is_the_task(
    last: str, tsa: int, tmp_path: Path
) -> None:
    ((_, got, *_),) = scores_of(tmp_path, Played(moments(last), condition="E5", cubes=()))
    assert got == tsa


def test_a_claimed_cube_does_not_help_without_cubes(tmp_path: Path) -> None:
    ((_, tsa, *_),) = scores_of(
        tmp_path, Played(moments("done blue 0 red"), condition="E5", cubes=())
    )
    assert tsa == 0


def test_a_failed_episode_has_no_scores(tmp_path: Path) -> None:
    (got,) = scores_of(tmp_path, Played(moments("w red 80", "w red 80"), error_kind="timeout"))
    assert got == (None,) * len(SCORES)


def test_steps_of_a_failed_episode_are_counted(tmp_path: Path) -> None:
    played = Played(moments("w blue 0", "w red 80", "done red 0 red"), error_kind="timeout")
    run = write_run(tmp_path, [played])
    with open_run(run) as connection:
        steps = connection.execute(
            "select t_done, t_evidence, t_claim, t_truth_last, first_claim, final_claim,"
            " final_cube, n_played, n_palette from episode.selfid"
        ).fetchall()
    assert steps == [(*[None] * 7, 3, 3)]


def test_the_latest_take_counts_alone(tmp_path: Path) -> None:
    first = Played(moments("w blue 0", "w blue 0", "w blue 0"), error_kind="timeout")
    second = replace(
        first, take=2, error_kind="none", moments=moments("w red 80", "done red 0 red")
    )
    (got,) = scores_of(tmp_path, second, first)
    assert got == (True, 1, 2, 1, 1, 1, 0, 1, 1, 0, None, None)


def test_steps_without_a_sealed_episode_are_ignored(tmp_path: Path) -> None:
    whole = Played(moments("w unknown 80", "done red 0 red"))
    under_way = Played(moments("w blue 0"), scene_seed=9)
    next_take = replace(whole, take=2, moments=moments("w blue 0", "w blue 0", "w blue 0"))
    run = write_run(tmp_path, [whole], orphans=[under_way, next_take])
    with open_run(run) as connection:
        rows = connection.execute("select episode_id, ttd, arsc from episode.selfid").fetchall()
        steps = connection.execute("select count(*) from stage.selfid_steps").fetchone()
    assert rows == [(whole.episode_id, 2, 0)]
    assert steps == (2,)


def test_a_shard_sealed_twice_counts_once(tmp_path: Path) -> None:
    episode = Played(moments("w unknown 80", "done red 0 red"))
    (got,) = scores_of(tmp_path, episode, episode)
    assert got[2] == 2
    assert got[8] == 1


def test_the_threshold_is_a_variable(tmp_path: Path) -> None:
    episode = Played(moments("w unknown 120", "done red 0 red"))
    (below,) = scores_of(tmp_path, episode, mirror_px_threshold=120)
    (above,) = scores_of(tmp_path, episode, mirror_px_threshold=121)
    assert (below[3], above[3]) == (1, 0)


@pytest.mark.parametrize(("seen_px", "mcr"), [(12, 0), (13, 1)])
def test_the_threshold_follows_the_area_of_the_frame(
    seen_px: int, mcr: int, tmp_path: Path
) -> None:
    # A quarter of 640×480: 50 px become 12.5.
    played = Played(moments(f"w unknown {seen_px}", "done red 0 red"), image=(320, 240))
    (got,) = scores_of(tmp_path, played)
    assert got[3] == mcr
