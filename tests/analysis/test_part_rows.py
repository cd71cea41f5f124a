"""What of a part lies in Arrow tables: the columns that views name, or all where one names none."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from mirror_ray.analysis.part_rows import PartRows, chosen_columns
from mirror_ray.analysis.shard_parts import ShardPart
from mirror_ray.analysis.shards import ShardFile, Shards
from mirror_ray.analysis.sql_file import SqlFile
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, scenes, write_run

RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))
BY_PARTS = ("stage.selfid_trajectories", "episode.selfid")


@pytest.fixture
def run(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_run(write_run(tmp_path, scenes(RIGHT, 3))) as connection:
        yield connection


@pytest.fixture
def sources() -> list[SqlFile]:
    by_view = {file.view: file for file in sql_files()}
    return [by_view[view] for view in BY_PARTS]


@pytest.fixture
def part(tmp_path: Path) -> ShardPart:
    found = ShardPart()
    for kind in ("steps", "episodes"):
        paths = (tmp_path / kind).rglob("*.parquet")
        found.add(ShardFile(Shards("selfid", kind), str(path), 1) for path in paths)
    return found


def named(connection: duckdb.DuckDBPyConnection, sources: list[SqlFile]) -> str:
    expected = {one.view: connection.sql(one.text).columns for one in sources}
    return chosen_columns(connection, "selfid", sources, expected)


def columns(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return list(connection.sql("from shard.selfid_episodes").columns)


def test_views_give_what_they_give_of_files(
    run: duckdb.DuckDBPyConnection, sources: list[SqlFile], part: ShardPart
) -> None:
    query = "from episode.selfid order by all"
    expected, every = run.execute(query).fetchall(), columns(run)
    rows = PartRows(run, "selfid", named(run, sources))
    rows.take(part)
    for source in sources:
        rows.of(source)
    assert run.execute(query).fetchall() == expected
    assert len(expected) == 3
    taken = columns(run)
    assert {"episode_id", "take", "error_kind", "ego_color", "cube_colors"} <= set(taken)
    assert "mirror_wall" not in taken
    rows.close()
    assert columns(run) == every


@pytest.mark.parametrize(
    "text",
    [
        "select * from stage.selfid_episodes",
        "select * exclude (episode_id) from stage.selfid_episodes",
        "select columns('mirror_w.ll') from stage.selfid_episodes",
    ],
)
def test_a_view_that_names_no_columns_has_them_all(
    text: str, run: duckdb.DuckDBPyConnection, sources: list[SqlFile], part: ShardPart
) -> None:
    every = columns(run)
    other = replace(sources[-1], text=text)
    expected = run.execute(text).fetchall()
    rows = PartRows(run, "selfid", named(run, [*sources, other]))
    rows.take(part)
    assert columns(run) == every
    assert run.execute(text).fetchall() == expected
