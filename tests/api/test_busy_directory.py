"""A run directory that another run plays into: that is said first, and alone."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from mirror_ray.api.forecasting import growth_in_words
from mirror_ray.api.playing import play
from mirror_ray.core.errors import RunDirError
from mirror_ray.records.lock import Lock
from mirror_ray.records.rundir import LOCK_NAME
from support.staged_run import play_stages, staged_plan

STAGE = {"family": "mirrorqa", "conditions": ["sim"], "text_only": [True], "runs": 1}


def test_nothing_is_said_of_a_plan_that_a_busy_directory_refuses(tmp_path: Path) -> None:
    out = tmp_path / "run"
    play_stages(staged_plan(out, ["scripted/first-option"], {**STAGE, "seeds": 1}))
    larger = staged_plan(out, ["scripted/first-option"], {**STAGE, "seeds": 2})
    assert "continues with a larger plan" in "".join(growth_in_words(larger))
    manifest = (out / "manifest.json").read_bytes()
    screen = StringIO()
    lock = Lock(out / LOCK_NAME, what="it")
    with pytest.raises(RunDirError, match=r"the run directory is in use\n.*a lock held by process"):
        play(larger, console=Console(file=screen, width=200), plain=True)
    lock.close()
    assert screen.getvalue() in ("", "Planning the episodes and loading the engine.\n")
    assert (out / "manifest.json").read_bytes() == manifest
