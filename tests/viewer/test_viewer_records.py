"""An episode prepared for viewing: what is read for it, and how often."""

from pathlib import Path
from shutil import copyfile

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer import episode_record
from mirror_ray.viewer.episode_record import ViewedRecords
from mirror_ray.viewer.index import EpisodeIndex
from support.recorded_run import plan_for, record_run


def test_a_plan_without_an_episode_is_read_again_only_if_something_was_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page of a run with ten thousand such episodes took seconds."""
    plan = plan_for(tmp_path / "out", runs=3)
    record_run(plan, lambda _: Reply("no JSON"))
    out = plan.sweep.out
    n_readings = []

    def nothing(*_: object) -> dict[str, object]:
        n_readings.append(1)
        return {}

    monkeypatch.setattr(episode_record, "recorded_episodes", nothing)
    rows = EpisodeIndex(out).all()
    records = ViewedRecords(out, read_manifest(out))
    for row in rows:
        note = records.of(row).note or ""
        assert "no such episode" in note
    assert len(rows) == 3
    assert len(n_readings) == 1
    shard = next((Path(out) / "episodes").rglob("*.parquet"))
    copyfile(shard, shard.with_name(f"{shard.stem}-again.parquet"))
    records._record.cache_clear()
    records.of(rows[0])
    assert len(n_readings) == 2
