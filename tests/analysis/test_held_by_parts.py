"""Scores of a run of many shards, worked out part by part: the rows that one part would give."""

import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis import parts
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, write_run

pytestmark = pytest.mark.thorough("analysis/test_held_scores.py")

RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))
LOST = Played(moments("w blue 60", "w unknown 200"), condition="E2", model="scripted/mute")
VIEWS = (
    "stage.selfid_episodes",
    "stage.selfid_episodes_labels",
    "stage.selfid_steps",
    "stage.selfid_trajectories",
    "stage.selfid_trajectories_counts",
    "episode.selfid",
    "episode.selfid_branch",
    "episode.selfid_process",
    "metric.selfid",
    "metric.selfid_claims",
)


def sealed(run: Path, part: int, *played: Played, steps_part: int | None = None) -> None:
    """Add shards of these episodes, all of one condition, to the run."""
    made = run / "made"
    write_run(made, played)
    for kind, number in (("steps", part if steps_part is None else steps_part), ("episodes", part)):
        (file,) = (made / kind).rglob("*.parquet")
        place = run / kind / "family=selfid" / f"part-{number:06d}.parquet"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(file, place)
    shutil.rmtree(made)


@pytest.fixture
def run(tmp_path: Path) -> str:
    """Parts that have whole episodes alone, and parts that share some."""
    played_again = replace(RIGHT, moments=moments("w blue 0", "done blue 0 blue"), take=2)
    sealed(tmp_path, 1, RIGHT, replace(RIGHT, run=1))
    sealed(tmp_path, 2, replace(LOST, run=2), replace(LOST, run=3, error_kind="server"))
    # The first part's episode again: the later take counts, wherever it lies.
    sealed(tmp_path, 3, played_again, replace(RIGHT, run=4, error_kind="budget"))
    # One that ended as the budget was reached, and what it alone says, in a part of its own.
    alone = replace(RIGHT, run=8, variant="paper+look=worn", says_otherwise={"look": "worn"})
    sealed(tmp_path, 7, alone)
    sealed(tmp_path, 8, replace(alone, take=2, error_kind="budget"))
    # Steps that lie in a part without their episodes.
    sealed(tmp_path, 4, replace(LOST, run=5), steps_part=9)
    # A branch, and its parent in another part.
    branch = replace(RIGHT, condition="E1-removed", branch_of=replace(RIGHT, run=1), branch_step=2)
    sealed(tmp_path, 5, branch)
    sealed(tmp_path, 6, replace(LOST, run=6))
    return str(tmp_path)


def rows(connection: duckdb.DuckDBPyConnection) -> dict[str, list[tuple[object, ...]]]:
    return {view: connection.execute(f"from {view} order by all").fetchall() for view in VIEWS}


@pytest.mark.parametrize("steps_per_part", [1, 6])
def test_parts_give_what_the_whole_gives(
    steps_per_part: int, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_run(run) as connection:
        expected = rows(connection)
    monkeypatch.setattr(parts, "STEPS_PER_PART", steps_per_part)
    with open_run(run, hold=True) as connection:
        assert rows(connection) == expected
    assert len(expected["stage.selfid_episodes"]) == 7
    assert len(expected["episode.selfid_branch"]) == 1


def test_nothing_but_the_tables_is_left(run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "STEPS_PER_PART", 1)
    with open_run(run, hold=True) as connection:
        tables = connection.execute(
            "select table_name from duckdb_tables() where table_name like '%selfid%' order by all"
        ).fetchall()
        assert tables == [
            ("episode_selfid",),
            ("episode_selfid_branch",),
            ("episode_selfid_process",),
            ("stage_selfid_again",),
            ("stage_selfid_episodes_axes",),
            ("stage_selfid_episodes_labels",),
            ("stage_selfid_trajectories_counts",),
        ]
        every = "select count(*) from shard.selfid_episodes"
        assert connection.execute(every).fetchall() == [(11,)]
