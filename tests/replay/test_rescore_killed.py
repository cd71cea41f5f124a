"""Rescoring that is killed between two files leaves every episode whole."""

import subprocess
import sys
from pathlib import Path

import pytest

from mirror_ray.replay.rescore import rescore
from support.recorded_run import plan_for, record_run
from support.rescored_replies import PLAYED, clean, latest, read_shyly
from support.shard_rows import rows_of
from support.whole import mostly_thorough

_VICTIM = """
import os, sys
from mirror_ray.replay.rescore import rescore
from mirror_ray.records.shards import writer
from support.rescored_replies import PLAYED, read_shyly
PLAYED.read_reply = read_shyly
left, write_whole = iter(range(int(sys.argv[2]))), writer.write_whole
def until_killed(*arguments):
    if next(left, None) is None:
        os._exit(9)
    write_whole(*arguments)
writer.write_whole = until_killed
rescore(sys.argv[1])
"""


@pytest.mark.parametrize("files", mostly_thorough(2, [1, 3]))
def test_killed_between_any_two_files_each_episode_is_whole(tmp_path, monkeypatch, files):
    out = tmp_path / "out"
    record_run(plan_for(out), clean)
    before = {row["episode_id"]: row for row in rows_of(out, "episodes")}
    importable = ":".join(map(str, Path(__file__).parents[:3]))
    victim = subprocess.run(
        [sys.executable, "-c", _VICTIM, str(out), str(files)],
        env={"PYTHONPATH": importable, "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert victim.returncode == 9

    episodes, steps = latest(out, "episodes"), latest(out, "steps")
    assert {row["episode_id"] for row in episodes} == set(before)
    for row in episodes:
        mine = [step for step in steps if step["episode_id"] == row["episode_id"]]
        assert len(mine) == row["n_asks"]
        read_anew = {step["identification"] for step in mine} == {"unknown"}
        assert read_anew == (row["take"] == 2)
    # Two episodes to a shard: the third file begins the second batch.
    assert sum(row["take"] == 2 for row in episodes) == (0 if files < 2 else 2)

    monkeypatch.setattr(PLAYED, "read_reply", read_shyly)
    rescore(str(out))
    assert {row["identification"] for row in latest(out, "steps")} == {"unknown"}
    assert len(latest(out, "steps")) == len(steps)
