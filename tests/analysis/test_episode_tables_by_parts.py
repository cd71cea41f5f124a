"""Scores of a run of many shards, worked out part by part: the rows that one part would give."""

import shutil
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis import part_catalog
from mirror_ray.analysis import shard_parts as parts
from mirror_ray.analysis.readable import readable
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.errors import RunDirError
from support.analysis.synthetic_runs import Played, moments, write_run

pytestmark = pytest.mark.thorough("analysis/test_episode_tables.py")

RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))
LOST = Played(moments("w blue 60", "w unknown 200"), condition="E2", model="scripted/mute")
VIEWS = (
    "stage.selfid_episodes",
    "stage.selfid_episodes_labels",
    "stage.selfid_steps",
    "stage.selfid_trajectories",
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
@pytest.mark.parametrize("threads", [1, 3])
def test_parts_give_what_the_whole_gives(
    threads: int, steps_per_part: int, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_run(run) as connection:
        expected = rows(connection)
    monkeypatch.setattr(parts, "STEPS_PER_PART", steps_per_part)
    with open_run(run, hold=True, config={"threads": threads}) as connection:
        assert rows(connection) == expected
    assert len(expected["stage.selfid_episodes"]) == 7
    assert len(expected["episode.selfid_branch"]) == 1


def test_parts_of_overlapping_directories_give_what_the_whole_gives(
    run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    # One that ended with an error there, two that both have, one that it has alone.
    sealed(other, 1, RIGHT, replace(RIGHT, run=9))
    sealed(other, 2, replace(LOST, run=3), replace(LOST, run=6, error_kind="server"))
    runs = [run, str(other)]
    with open_run(runs) as connection:
        expected = rows(connection)
    monkeypatch.setattr(parts, "STEPS_PER_PART", 1)
    with open_run(runs, hold=True) as connection:
        found = rows(connection)
    # Of means the last digit depends on the order of rows.
    for view in VIEWS:
        if not view.startswith("metric."):
            assert found[view] == expected[view]
    assert len(expected["stage.selfid_episodes"]) == 8


@pytest.mark.parametrize("most_copied", [0, 100])
def test_parts_of_chosen_episodes_with_a_parameter_give_what_the_whole_gives(
    most_copied: int, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = {"where": "run <> 1", "variables": {"mirror_px_threshold": 70}}
    with open_run(run, **chosen) as connection:
        expected = rows(connection)
    with open_run(run, where="run <> 1") as connection:
        assert rows(connection) != expected
    monkeypatch.setattr(parts, "STEPS_PER_PART", 1)
    monkeypatch.setattr(part_catalog, "_MOST_COPIED_ROWS", most_copied)
    with open_run(run, hold=True, config={"threads": 2}, **chosen) as connection:
        assert rows(connection) == expected
    assert len(expected["stage.selfid_episodes"]) == 6


@pytest.mark.parametrize("kind", ["steps", "episodes"])
def test_a_damaged_shard_is_named_whichever_part_reads_it(
    kind: str, run: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "STEPS_PER_PART", 1)
    shard = Path(run) / kind / "family=selfid" / "part-000006.parquet"
    content = bytearray(shard.read_bytes())
    # The pages, not the footer, by which files are looked over.
    n_footer = int.from_bytes(content[-8:-4], "little")
    content[4 : len(content) - n_footer - 8] = bytes(len(content) - n_footer - 12)
    shard.write_bytes(content)
    with pytest.raises(RunDirError), readable((run,), "unread"), open_run(run, hold=True):
        pass


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
            ("episode_selfid_stakes",),
            ("metric_selfid_read",),
            ("selfid_astray",),
            ("stage_selfid_again",),
            ("stage_selfid_episodes_axes",),
            ("stage_selfid_episodes_labels",),
        ]
        every = "select count(*) from shard.selfid_episodes"
        assert connection.execute(every).fetchall() == [(11,)]
