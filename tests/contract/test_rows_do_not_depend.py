"""Rows are a function of the sweep: not of how many processes play it, nor of their order."""

from io import StringIO

import pytest
from rich.console import Console

from mirror_ray.core.errors import EngineError
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.planned_episodes import planned_there, table_of_planned
from mirror_ray.sweep.plan import EngineSettings
from support.plans import plan_of, scripted
from support.shard_rows import TIMINGS, assert_same_rows, rows_of, without

AGENTS = ("observer", "gullible", "confabulator", "blind", "mute", "echo", "oracle")
"""Those of the family that is played here."""

LAYOUTS = {
    "one at a time, every picture drawn": EngineSettings(
        simulators=1, providers=1, in_flight=1, picture_cache_bytes=0
    ),
    "many on two, in software": EngineSettings(simulators=2, in_flight=8, draw_on="cpu"),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory, ray_session):
    """Every agent in every condition."""
    outs = {}
    for name, engine in LAYOUTS.items():
        outs[name] = tmp_path_factory.mktemp("run") / "out"
        plan = plan_of(
            outs[name],
            [scripted(agent) for agent in AGENTS],
            axes=(("max_steps", 4),),
            engine=engine,
        )
        summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
        assert (summary.episodes_done, summary.exit_code) == (len(plan.episodes), 0)
        assert summary.pictures_drawn + summary.pictures_reused == summary.steps
        assert bool(summary.pictures_reused) == (engine.picture_cache_bytes is None)
        planned = planned_there(outs[name], read_manifest(str(outs[name]))["sweep_sha"])
        assert planned.equals(table_of_planned(plan.episodes))
    return outs


@pytest.mark.parametrize("kind", ["steps", "episodes"])
def test_layout_of_the_engine_changes_no_row(runs, kind):
    first, second = (without(rows_of(out, kind), TIMINGS) for out in runs.values())
    assert_same_rows(first, second)
    assert len({(row["condition"], row["model"]) for row in first}) == 5 * len(AGENTS)


def test_a_finished_run_is_left_as_it_is(runs, tmp_path):
    out = runs["many on two, in software"]
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")}
    plan = plan_of(out, [scripted(agent) for agent in AGENTS], axes=(("max_steps", 4),))
    summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
    assert (summary.steps, summary.episodes_resumed) == (0, len(plan.episodes))
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.parquet")} == before


def test_without_a_gpu_none_is_drawn_on(tmp_path, ray_session):
    engine = EngineSettings(simulators=1, draw_on="gpu")
    plan = plan_of(tmp_path / "out", [scripted("blind")], axes=(("max_steps", 2),), engine=engine)
    with pytest.raises(EngineError, match="no host of the cluster offers a GPU") as error:
        play_plan(plan, console=Console(file=StringIO()), plain=True)
    assert "--num-gpus" in str(error.value)
