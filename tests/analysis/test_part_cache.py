"""What opening worked out of parts, kept in the reader's cache: taken only for the same, and the
same rows with it as without."""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mirror_ray.analysis import part_cache as kept
from mirror_ray.analysis import shard_parts as parts
from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Played, moments, write_run

pytestmark = pytest.mark.thorough("analysis/test_episode_tables.py")

RIGHT = Played(moments("w blue 0", "w red 80", "done red 0 red"))
LOST = Played(moments("w blue 60", "w unknown 200"), condition="E2", model="scripted/mute")
VIEWS = ("episode.selfid", "episode.selfid_process", "stage.selfid_episodes_labels")

TABLES = 4
"""That each part adds rows to."""

Rows = dict[str, list[tuple[object, ...]]]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where rows are kept, of however small parts."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(kept.SWITCH, raising=False)
    monkeypatch.setattr(parts, "STEPS_PER_PART", 1)
    monkeypatch.setattr(kept, "LEAST_STEPS", 0)
    return tmp_path / "cache" / "mirror-ray" / "scores"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Three parts; the last one's episode begins in the second."""
    place = tmp_path / "run"
    sealed(place, 1, RIGHT, replace(RIGHT, run=1))
    sealed(place, 2, replace(LOST, run=2), replace(LOST, run=3, error_kind="server"))
    sealed(place, 3, replace(LOST, run=2, take=2))
    return place


def sealed(run: Path, part: int, *played: Played) -> None:
    made = run / "made"
    write_run(made, played)
    for kind in ("steps", "episodes"):
        (file,) = (made / kind).rglob("*.parquet")
        place = run / kind / "family=selfid" / f"part-{part:06d}.parquet"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(file, place)
    shutil.rmtree(made)


def rows(
    *runs: Path, variables: Mapping[str, object] | None = None, keep: bool = True, **chosen: str
) -> Rows:
    names = [str(run) for run in runs]
    with open_run(names, hold=True, keep=keep, variables=variables, **chosen) as connection:
        return {view: asked(connection, view) for view in VIEWS}


def asked(connection: duckdb.DuckDBPyConnection, view: str) -> list[tuple[object, ...]]:
    return connection.execute(f"from {view} order by all").fetchall()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def spoiled(folder: Path) -> None:
    """Have every kept episode say what none says."""
    for path in folder.glob("*-held.episode_selfid.parquet"):
        table = pq.read_table(path)
        at = table.schema.get_field_index("ego_color")
        said = pa.array(["plaid"] * len(table), table.schema.field(at).type)
        pq.write_table(table.set_column(at, table.schema.field(at), said), path)


def is_spoiled(found: Rows) -> bool:
    return any("plaid" in row for row in found["episode.selfid"])


def test_the_next_opening_takes_what_is_kept(cache: Path, run: Path) -> None:
    expected = rows(run, keep=False)
    assert not cache.exists()
    assert rows(run) == expected
    made = names(cache)
    assert len(made) == TABLES * 3
    assert rows(run) == expected
    assert names(cache) == made
    spoiled(cache)
    assert is_spoiled(rows(run))
    assert rows(run, keep=False) == expected


@pytest.mark.parametrize("damage", [b"", b"PAR1 and no more", None])
def test_what_is_damaged_is_worked_out_anew(damage: bytes | None, cache: Path, run: Path) -> None:
    expected = rows(run)
    for path in cache.iterdir():
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert rows(run) == expected
    spoiled(cache)
    assert is_spoiled(rows(run))


def test_rows_of_other_columns_are_worked_out_anew(cache: Path, run: Path) -> None:
    expected = rows(run)
    for path in cache.glob("*-held.episode_selfid.parquet"):
        pq.write_table(pq.read_table(path).drop_columns(["tsa"]), path)
    assert rows(run) == expected


def test_nothing_is_taken_for_other_choices(cache: Path, run: Path) -> None:
    chosen = {"mirror_px_threshold": 100}
    expected = rows(run, variables=chosen, keep=False)
    rows(run)
    spoiled(cache)
    assert rows(run, variables=chosen) == expected
    assert len(names(cache)) == 2 * TABLES * 3


def test_nothing_is_taken_for_other_shards(cache: Path, run: Path) -> None:
    rows(run)
    spoiled(cache)
    shutil.rmtree(run)
    sealed(run, 1, RIGHT, replace(RIGHT, run=1))
    sealed(run, 2, replace(LOST, run=2), replace(LOST, run=3))
    assert rows(run) == rows(run, keep=False)


def test_nothing_is_taken_for_a_part_of_the_episodes(cache: Path, run: Path) -> None:
    rows(run)
    made = names(cache)
    spoiled(cache)
    where = "condition = 'E1'"
    assert rows(run, where=where) == rows(run, where=where, keep=False)
    assert names(cache) == made


def test_nothing_is_taken_where_an_episode_of_several_counts_once(cache: Path, run: Path) -> None:
    other = run.parent / "other"
    sealed(other, 1, RIGHT)
    sealed(other, 2, replace(RIGHT, run=7))
    rows(run)
    rows(other)
    spoiled(cache)
    assert rows(run, other) == rows(run, other, keep=False)


def test_runs_opened_alone_are_taken_together(cache: Path, run: Path) -> None:
    other = run.parent / "other"
    sealed(other, 1, replace(RIGHT, run=8))
    sealed(other, 2, replace(LOST, run=9))
    expected = rows(run, other, keep=False)
    rows(run)
    rows(other)
    made = names(cache)
    assert rows(run, other) == expected
    assert names(cache) == made


def test_it_can_be_switched_off(cache: Path, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(kept.SWITCH, "off")
    rows(run)
    assert not cache.exists()


def test_a_cache_that_cannot_be_written_is_none(cache: Path, run: Path) -> None:
    expected = rows(run, keep=False)
    cache.parent.parent.mkdir(parents=True)
    cache.parent.write_text("a file where the folder would be")
    assert rows(run) == expected


def test_the_run_directory_is_left_alone(cache: Path, run: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
    rows(run)
    assert {path: path.stat().st_mtime_ns for path in run.rglob("*")} == before
    assert cache.stat().st_mode & 0o077 == 0


def test_what_was_not_asked_for_longest_goes_first(
    cache: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows(run)
    first = names(cache)
    for path in cache.iterdir():
        path.touch()
    n_bytes = sum(path.stat().st_size for path in cache.iterdir())
    monkeypatch.setattr(kept, "MOST_BYTES", n_bytes + 1)
    rows(run, variables={"mirror_px_threshold": 100})
    left = names(cache)
    assert left - first
    assert first - left
    assert sum(path.stat().st_size for path in cache.iterdir()) <= n_bytes + 1


def test_small_parts_are_not_worth_it(
    cache: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "LEAST_STEPS", 1_000)
    rows(run)
    assert not cache.exists()
