"""A graphics driver that hangs in mid-run costs half a minute, and no episode."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.sweep.load import load_plan
from support.agents_at_play import play_agents
from support.shard_rows import assert_same_rows, rows_of, same_words
from support.world.hanging_gl import hanging_gl

pytestmark = pytest.mark.thorough("engine/simulator/test_hanging_driver.py hangs one process")

SWEEP = """
name: tested
models: [scripted/observer]
stages:
  - {family: selfid, conditions: [E1, E4], seeds: 2, runs: 1, max_steps: [6]}
engine: {simulators: 2, in_flight: 2}
out: runs/tested
"""


def played(sweep: Path, out: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mirror_ray", "run", str(sweep), "--plain", "--out", str(out)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def test_a_hang_in_read_back_costs_no_episode(tmp_path):
    sweep = tmp_path / "tested.yaml"
    sweep.write_text(SWEEP)
    quiet, hung = tmp_path / "quiet", tmp_path / "out"
    plan = load_plan(str(sweep))
    play_agents(FAMILIES["selfid"], plan.episodes, quiet, sweep=plan.sweep.name)
    said = played(sweep, hung, hanging_gl(tmp_path, "glReadPixels", at=7, once=True))
    assert (tmp_path / "hung").exists()
    assert "the graphics driver hangs" in " ".join(said.split())
    for kind in ("steps", "episodes"):
        assert_same_rows(*(same_words(rows_of(out, kind)) for out in (hung, quiet)))
