"""Commands on a run in an object store: what they read, and how they refuse."""

import json

import pytest

from mirror_ray.cli import main
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.records.rows.arrow import table_of
from mirror_ray.records.rundir import RunDir
from mirror_ray.records.shards.writer import ShardWriter
from mirror_ray.sweep.continued import KEY, protocols_of_cells
from mirror_ray.sweep.load import load_plan

SWEEP = ["sweeps/quickstart.yaml", "models=[scripted/blind]", "stages.0.conditions=[E1]"]


def put_a_run(out: str) -> None:
    """A run of which one episode is finished."""
    plan = load_plan(SWEEP[0], SWEEP[1:], out)
    with RunDir(out, plan.sweep.resolved) as run_dir:
        run_dir.describe("", {KEY: protocols_of_cells(plan.cells)})
    spec = plan.episodes[0]
    identity = {
        "sweep": plan.sweep.name,
        "family": spec.cell.family,
        "condition": spec.cell.condition,
        "model": spec.cell.model,
        "cell_id": spec.cell.cell_id,
        "episode_id": spec.episode_id,
        "scene_seed": spec.scene_seed,
        "run": spec.run,
        "variant": spec.cell.variant_label,
        "take": 1,
    }
    end = {"n_steps": 7, "n_asks": 7, "terminated": True, "truncated": False, "cost_usd": 0.25}
    episode = {**identity, **end, "error_kind": "none", "finished_at": "2026-01-01"}
    steps, episodes = row_schemas()["selfid"]
    ShardWriter(out).write(
        "selfid", table_of([], steps, of="steps"), table_of([episode], episodes, of="episode")
    )


@pytest.fixture
def stored(bucket) -> str:
    out = f"{bucket}/some/run"
    put_a_run(out)
    return out


@pytest.mark.parametrize("kind", ["bucket", "google_bucket"])
def test_status_and_sql_read_the_store(kind, request, capsys, tmp_path):
    stored = f"{request.getfixturevalue(kind)}/some/run"
    put_a_run(stored)
    assert main(["status", stored, "--json"]) == 5
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["planned"], row["done"], row["asks"], row["cost_usd"]) == (6, 1, 7, 0.25)
    assert main(["status", stored]) == 5
    assert f"Journal on this head: {tmp_path / 'state'}" in " ".join(
        capsys.readouterr().out.split()
    )
    query = "select n_steps from stage.selfid_episodes"
    assert main(["sql", stored, query, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"n_steps": 7}]


def test_run_refuses_what_it_cannot_use_before_anything_starts(stored, capsys, monkeypatch):
    assert main(["run", *SWEEP, "name=other", "--out", stored]) == 2
    assert "another sweep" in capsys.readouterr().err
    assert main(["run", *SWEEP, "--out", "s3://no-such-bucket-here/run"]) == 2
    assert "no such bucket" in capsys.readouterr().err
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    for command in (["run", *SWEEP, "--out", stored], ["status", stored], ["sql", stored, "x"]):
        assert main(command) == 2
        assert "cannot be reached" in capsys.readouterr().err
