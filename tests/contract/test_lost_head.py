"""A run whose head is gone ends by itself: it says so, and with an exit code of its own."""

import os
import subprocess
import sys
from pathlib import Path
from time import sleep

from ray.thirdparty_files import psutil

from mirror_ray.engine.summary import EXIT_LOST


def head_of(running: subprocess.Popen) -> psutil.Process | None:
    """The session's head, once somebody plays."""
    try:
        children = psutil.Process(running.pid).children(recursive=True)
        names = {child.name(): child for child in children}
    except psutil.NoSuchProcess:
        return None
    plays = any(name.startswith("ray::Simulator") for name in names)
    return names.get("gcs_server") if plays else None


def test_lost_head(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mirror_ray", "run", "sweeps/quickstart.yaml", "--plain"]
    endless = ["models=[scripted/mute]", "stages.0.seeds=2000", "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        [*command, *endless],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},
    ) as running:
        while (head := head_of(running)) is None:
            assert running.poll() is None, running.stdout.read()
            sleep(0.1)
        head.kill()
        told = running.stdout.read()
    assert running.returncode == EXIT_LOST, told
    assert "the head of the Ray session" in told
    assert "run the same command again" in told
    assert "Traceback" not in told
