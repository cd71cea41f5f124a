"""A run whose storage fails ends with a clear error; once that is mended the same call goes on."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from mirror_ray.core.errors import RunDirError
from mirror_ray.engine.driver.run import RunSummary, play_plan
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.plan import EngineSettings, Plan
from support.plans import plan_of, scripted
from support.shard_rows import TIMINGS, assert_same_rows, rows_of, without
from support.small_disks import enlarge, read_only, small_disk

EPISODES = 24
"""About half of them fit on the small disk."""

pytestmark = [
    pytest.mark.usefixtures("ray_session"),
    pytest.mark.thorough("engine/recorder/test_recorder_crashes.py fails at each write"),
]


def plan(out: Path) -> Plan:
    return plan_of(
        out,
        [scripted("blind")],
        conditions=("E1", "E2"),
        seeds=EPISODES // 2,
        axes=(("max_steps", 20),),
        engine=EngineSettings(simulators=1, in_flight=2),
    )


def play(out: Path) -> RunSummary:
    return play_plan(plan(out), console=Console(file=StringIO()), plain=True)


def rows(out: Path) -> list[dict]:
    return [row for kind in ("steps", "episodes") for row in without(rows_of(out, kind), TIMINGS)]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, ray_session) -> list[dict]:
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    assert play(out).episodes_done == EPISODES
    return rows(out)


def test_full_disk(undisturbed, tmp_path):
    with small_disk(tmp_path / "disk", "600k") as disk:
        with pytest.raises(RunDirError) as caught:
            play(disk / "out")
        told = str(caught.value)
        assert "disk is full" in told or "No space left" in told
        assert "Traceback" not in told
        assert len(told.splitlines()) <= 4
        enlarge(disk, "32m")
        summary = play(disk / "out")
        assert (summary.episodes_done, summary.exit_code) == (EPISODES, 0)
        steps = sum("ask" in row for row in undisturbed)
        assert 0 < summary.steps < steps
        assert_same_rows(rows(disk / "out"), undisturbed)


def test_shards_that_may_not_be_written(undisturbed, tmp_path):
    out = tmp_path / "out"
    with RunDir(str(out), plan(out).sweep.resolved) as run_dir:
        run_dir.describe("", {})
    (out / "steps").mkdir()
    with read_only(out / "steps"), pytest.raises(RunDirError, match="Read-only file system"):
        play(out)
    summary = play(out)
    assert (summary.episodes_done, summary.steps, summary.exit_code) == (EPISODES, 0, 0)
    assert_same_rows(rows(out), undisturbed)
