"""Which shards are worked out together."""

from collections.abc import Iterable

import pytest

from mirror_ray.analysis import shard_parts as parts
from mirror_ray.analysis.shards import ShardFile, Shards


def shards(run: str, *n_steps: int) -> list[ShardFile]:
    """A run's files: of each part of these steps one, and one of a single episode."""
    return [
        ShardFile(Shards("selfid", kind), f"/{run}/{kind}/family=selfid/part-{number}.parquet", n)
        for number, n_rows in enumerate(n_steps)
        for kind, n in (("steps", n_rows), ("episodes", 1))
    ]


def found(files: Iterable[ShardFile]) -> list[list[str]]:
    return [
        [f"{path.split('/')[1]}{path[-9]}" for path in (file.path for file in part.files["steps"])]
        for part in parts.shard_parts(files)
    ]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "STEPS_PER_PART", 10)


def test_a_part_ends_with_the_file_that_fills_it() -> None:
    assert found(shards("a", 6, 6, 6, 6, 1)) == [["a0", "a1"], ["a2", "a3"], ["a4"]]


def test_small_directories_share_parts() -> None:
    assert found([*shards("a", 6), *shards("b", 6), *shards("c", 6)]) == [["a0", "b0"], ["c0"]]


def test_a_divided_directory_has_the_same_parts_in_any_company() -> None:
    alone = found(shards("b", 6, 6, 6))
    assert alone == [["b0", "b1"], ["b2"]]
    both = found([*shards("a", 6), *shards("b", 6, 6, 6), *shards("c", 3)])
    assert both == [["a0"], *alone, ["c0"]]


def test_every_part_has_files_of_both_kinds() -> None:
    late = Shards("selfid", "steps")
    files = [*shards("a", 11), ShardFile(late, "/a/steps/family=selfid/part-9.parquet", 4)]
    assert found(files) == [["a0", "a9"]]
