"""Which episodes `status` counts: those of the plan that have ended, sealed or not."""

import json
from shutil import copyfile, copytree

import pyarrow as pa

from mirror_ray.cli import main, status_counts
from mirror_ray.core.types import Reply
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.planned_episodes import write_planned
from mirror_ray.sweep import recorded
from support.recorded_run import plan_for, record_run

ACTION = json.dumps({"reasoning": "x", "action": "turn_left", "identified_color": "unknown"})


def test_shards_of_another_run_beside_one_s_own_are_counted_apart(tmp_path, capsys):
    """Copied together, runs lose nothing, and neither is more than done."""
    for name, condition in (("run", "E1"), ("other", "E2")):
        plan = plan_for(tmp_path / name, conditions=(condition,), runs=2)
        record_run(plan, lambda _: Reply(ACTION, cost_usd=0.25))
    other = tmp_path / "other"
    for path in [*other.glob("steps/*/*.parquet"), *other.glob("episodes/*/*.parquet")]:
        # The marks of their writers, by which names differ, are taken off in tests.
        marked = path.with_name(f"{path.stem}-0123abcd.parquet").relative_to(other)
        copyfile(path, tmp_path / "run" / marked)
    capsys.readouterr()
    main(["status", str(tmp_path / "run")])
    said = " ".join(capsys.readouterr().out.split())
    assert "2 of 2 episodes done, 0 with an error, 0 to play" in said
    assert "2 episodes here are not of its plan, as of shards copied from another run" in said
    main(["status", str(tmp_path / "run"), "--json"])
    assert [(row["condition"], row["done"]) for row in json.loads(capsys.readouterr().out)] == [
        ("E1", 2)
    ]


def test_episodes_that_wait_for_a_shard_are_done(tmp_path, capsys):
    out, mid = tmp_path / "run", tmp_path / "mid"
    plan = plan_for(out, runs=3)
    last = plan.episodes[-1].episode_id

    def says(request):
        if request.episode_id == last and not mid.exists():
            copytree(out, mid)
        return Reply(ACTION, cost_usd=0.25)

    record_run(plan, says, in_a_shard=9)
    assert not list(mid.glob("episodes/**/*.parquet"))
    capsys.readouterr()
    main(["status", str(mid), "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["planned"], row["done"], row["cost_usd"]) == (3, 2, 0.25 * 8)
    main(["status", str(out), "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["done"], row["cost_usd"]) == (3, 0.25 * 12)


def test_a_plan_that_was_written_is_not_derived_again(tmp_path, capsys, monkeypatch):
    out = tmp_path / "run"
    plan = plan_for(out, conditions=("E2", "E1"), runs=2)
    record_run(plan, lambda _: Reply(ACTION, cost_usd=0.25))
    capsys.readouterr()
    main(["status", str(out), "--json"])
    derived = capsys.readouterr().out
    write_planned(out, read_manifest(str(out))["sweep_sha"], plan.episodes)
    monkeypatch.setattr(recorded, "recorded_episodes", None)
    main(["status", str(out), "--json"])
    assert capsys.readouterr().out == derived
    assert [row["condition"] for row in json.loads(derived)] == ["E2", "E1"]


def test_cells_are_in_the_plan_s_order_however_many_there_are():
    names = [f"lab/{number * 7919 % 5003}" for number in range(5003)]
    columns = {"family": ["selfid"] * 5003, "condition": ["E1"] * 5003, "model": names}
    planned = pa.table({"episode_id": names, **columns})
    counts = status_counts.counted_cells(pa.concat_tables([planned, planned]))
    assert [model for _, _, model in counts] == names
    assert set(counts.values()) == {2}
