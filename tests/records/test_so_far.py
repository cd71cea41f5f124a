"""What was paid is known by episode, whatever became of journal and shards."""

from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.journal.entry import WrittenEntry
from mirror_ray.records.journal.read_only import open_journal
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.rows.finished import FinishedEpisode, Sealable
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.records.so_far import spent_so_far, unsealed_episodes


def reply(episode_id: str, ask_index: int, text: str, *, final: bool = True) -> WrittenEntry:
    return WrittenEntry(episode_id, ask_index, "words", None, "{}", text, final)


def test_costs_add_up_by_episode_and_survive_pruning(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path / "journal.sqlite"))
    journal.commit(
        [
            lambda j: j.add(reply("x", 1, "one"), 0.25),
            lambda j: j.add(reply("x", 2, "failed", final=False), 0.125),
            lambda j: j.add(reply("x", 2, "two"), 0.5),
            # Another reply to an ask that has one: it was paid too.
            lambda j: j.add(reply("x", 2, "late"), 0.5),
            # The very same reply once more was not.
            lambda j: j.add(reply("x", 1, "one"), 0.25),
            lambda j: j.add(reply("y", 1, "free"), 0.0),
            lambda j: j.add(reply("z", 1, "unknown"), None, 2.0),
            lambda j: j.add(reply("x", 3, "after a timeout"), 0.125, 2.0),
        ]
    )
    journal.commit([lambda j: j.ended.prune([("x", 1, "none")])])
    assert journal.commit([lambda j: j.charges.ledger()]) == [{"x": 1.5}]
    assert journal.commit([lambda j: j.charges.spent_usd()]) == [1.5]
    assert journal.commit([lambda j: j.charges.sums()])[0].presumed_usd == {None: 4.0}
    # A run in progress is read too.
    assert spent_so_far(str(tmp_path)) == {"x": 1.5}
    journal.close()


def test_reading_leaves_nothing_behind(tmp_path: Path) -> None:
    Journal(str(tmp_path / "journal.sqlite")).close()
    assert spent_so_far(str(tmp_path)) == {}
    assert [path.name for path in tmp_path.iterdir()] == ["journal.sqlite"]


def test_without_a_journal_the_shards_tell(tmp_path: Path) -> None:
    steps = pa.table(
        {"episode_id": ["x", "x"], "take": pa.array([1, 1], pa.int32()), "cost_usd": [0.25, None]}
    )
    ends = pa.table(
        {"episode_id": ["x"], "take": pa.array([1], pa.int32()), "error_kind": ["none"]}
    )
    ShardWriter(str(tmp_path)).write("a", steps, ends)
    assert spent_so_far(str(tmp_path)) == {"x": 0.25}


def test_a_damaged_journal_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(RunDirError, match=r"journal\.sqlite"):
        spent_so_far(str(tmp_path))


def test_of_the_ends_in_the_journal_only_a_damaged_one_is_left_out(tmp_path: Path) -> None:
    codec = RowCodec("selfid", STEPS, EPISODES)
    columns = {field.name: None for field in EPISODES}
    columns |= {"sweep": "s", "family": "selfid", "condition": "E1", "model": "a/b", "run": 0}
    columns |= {"cell_id": "c", "scene_seed": 0, "variant": "paper", "error_kind": "none"}
    columns |= {"n_steps": 1, "n_asks": 1, "terminated": True, "truncated": False}
    columns |= {"finished_at": "2026-05-01T10:00:00+00:00"}
    of_ids = {
        name: codec.write(FinishedEpisode("selfid", columns | {"episode_id": name}, ())).rows
        for name in ("first", "damaged", "last")
    }
    of_ids["damaged"] = of_ids["damaged"][:-9]
    with closing(Journal(str(tmp_path / "journal.sqlite"))) as journal:
        form_id = journal.ended.form_id(codec.packed)
        for name, rows in of_ids.items():
            journal.ended.finish(form_id, Sealable(name, 1, "none", rows))
        found = unsealed_episodes(str(tmp_path), ["episode_id", "n_asks"])
        assert found.to_pylist() == [
            {"episode_id": "first", "n_asks": 1},
            {"episode_id": "last", "n_asks": 1},
        ]


def test_an_open_journal_shows_one_moment(tmp_path: Path) -> None:
    with closing(Journal(str(tmp_path / "journal.sqlite"))) as journal:
        journal.commit([lambda j: j.add(reply("x", 1, "one"), 0.25)])
        with open_journal(tmp_path, ["ledger"]) as opened:
            journal.commit([lambda j: j.add(reply("x", 2, "two"), 0.5)])
            assert spent_so_far(str(tmp_path), opened) == {"x": 0.25}
        assert spent_so_far(str(tmp_path)) == {"x": 0.75}
