"""One episode from its shard alone: the very take, its asks in order, or a reason."""

import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.types import Reply
from mirror_ray.records.shards.reader import sealed_episode
from mirror_ray.records.shards.shard_index import sealed_columns
from support.recorded_run import plan_for, record_run
from support.shard_rows import rows_of


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Three episodes in two shards."""
    folder = tmp_path_factory.mktemp("sealed") / "out"
    record_run(plan_for(folder, runs=3), lambda request: Reply("no JSON"))
    return str(folder)


def test_each_episode_is_found_in_the_shard_that_is_named(out):
    listed = sealed_columns(out, "episodes", ("episode_id", "take"), shard_as="shard").to_pylist()
    assert len({row["shard"] for row in listed}) == 2
    steps = rows_of(out, "steps")
    for row in listed:
        episode, asks = sealed_episode(out, row["shard"], row["episode_id"], row["take"])
        assert episode["episode_id"] == row["episode_id"]
        assert list(asks) == [step for step in steps if step["episode_id"] == row["episode_id"]]
        assert [ask["ask"] for ask in asks] == list(range(1, len(asks) + 1))


def test_take_that_is_not_there_is_told(out):
    (row, *_) = sealed_columns(out, "episodes", ("episode_id",), shard_as="shard").to_pylist()
    with pytest.raises(RunDirError, match="no take 2"):
        sealed_episode(out, row["shard"], row["episode_id"], 2)
