"""A run that loses its session's head, or its host's raylet, while Ray starts ends by itself: it
says so, and with an exit code of its own.

tests/chaos kills both in mid-run, and looks at what is said then."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest
from ray.thirdparty_files import psutil

from mirror_ray.core.errors import LostError

pytestmark = pytest.mark.thorough(
    "engine/cluster/test_session_watch.py and test_fate_sharing.py, process by process"
)


def victim_of(running: subprocess.Popen, name: str) -> psutil.Process | None:
    """A process of the run's session."""
    try:
        children = psutil.Process(running.pid).children(recursive=True)
        names = {child.name(): child for child in children}
    except psutil.NoSuchProcess:
        return None
    return names.get(name)


def kill(process: psutil.Process) -> None:
    """Kills it; one that was killed a moment ago may have gone meanwhile."""
    with suppress(psutil.NoSuchProcess):
        process.kill()


@pytest.mark.parametrize("victim", ["gcs_server", "raylet"])
def test_lost_session(tmp_path: Path, victim: str) -> None:
    command = [sys.executable, "-m", "mirror_ray", "run", "sweeps/quickstart.yaml", "--plain"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},
    ) as running:
        while (found := victim_of(running, victim)) is None:
            assert running.poll() is None, running.stdout.read()
            sleep(0.05)
        kill(found)
        # One that dies before anybody watches it is started once more.
        while running.poll() is None:
            if found := victim_of(running, victim):
                kill(found)
            sleep(0.05)
        told = running.stdout.read()
    assert running.returncode == LostError.exit_code, told
    assert "Ray does not come up" in told
    assert "the same command" in told
    assert "Traceback" not in told
