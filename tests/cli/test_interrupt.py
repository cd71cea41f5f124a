"""Ctrl-C while a command starts or computes: exit code 130, no traceback, no process left."""

import os
import signal
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest
from ray.thirdparty_files import psutil

from mirror_ray.cli import main, sql

MARK = "MIRROR_RAY_TEST_OF"
GONE_WITHIN_S = 30.0


def descendants(process: psutil.Process) -> list[str]:
    try:
        return [child.name() for child in process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def loads(library: str) -> Callable[[psutil.Process], bool]:
    return lambda process: library in Path(f"/proc/{process.pid}/maps").read_text()


def starts(name: str) -> Callable[[psutil.Process], bool]:
    return lambda process: any(child.startswith(name) for child in descendants(process))


def marked(mark: str) -> Iterator[str]:
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark:
                yield process.name()
        except psutil.Error:
            continue


@pytest.fixture(autouse=True)
def _ctrl_c_arrives() -> Iterator[None]:
    """Who is started in the background of a script ignores it, and so would all that he starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


AS_IT_IMPORTS = pytest.mark.thorough("while it imports")


@pytest.mark.parametrize(
    ("moment", "stop"),
    [
        pytest.param(loads("_pydantic_core"), signal.SIGINT, id="while it imports"),
        pytest.param(loads("_pydantic_core"), signal.SIGTERM, id="SIGTERM while it imports"),
        pytest.param(
            starts("gcs_server"), signal.SIGINT, id="while Ray's head starts", marks=AS_IT_IMPORTS
        ),
        pytest.param(
            starts("raylet"), signal.SIGINT, id="while Ray's node starts", marks=AS_IT_IMPORTS
        ),
        pytest.param(
            starts("raylet"), signal.SIGTERM, id="SIGTERM while it starts", marks=AS_IT_IMPORTS
        ),
    ],
)
def test_a_stop_while_it_starts(
    tmp_path: Path, moment: Callable[[psutil.Process], bool], stop: signal.Signals
) -> None:
    command = [sys.executable, "-m", "mirror_ray", "run", "sweeps/quickstart.yaml", "--plain"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "RAY_AUTH_MODE": "disabled", MARK: str(tmp_path)},
        # As in a terminal, the whole group gets the signal, and nobody else.
        start_new_session=True,
    ) as running:
        process = psutil.Process(running.pid)
        while not moment(process):
            assert running.poll() is None, running.stdout.read()
            sleep(0.005)
        os.killpg(running.pid, stop)
        told = running.stdout.read()
    assert running.returncode == 130, told
    assert "Traceback" not in told
    until_s = monotonic() + GONE_WITHIN_S
    while (left := list(marked(str(tmp_path)))) and monotonic() < until_s:
        sleep(0.1)
    assert not left


@pytest.mark.parametrize("told", ["Query interrupted", "cannot bind"])
def test_ctrl_c_while_a_query_is_computed(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(arguments: Namespace) -> int:
        raise RuntimeError(told)

    monkeypatch.setattr(sql, "main", interrupted)
    if told == "Query interrupted":
        assert main(["sql", "runs/x", "select 1"]) == 130
        return
    with pytest.raises(RuntimeError, match=told):
        main(["sql", "runs/x", "select 1"])
