"""`run` wherever it is called: in a script, a thread, a running loop, a notebook's kernel."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

import mirror_ray
from mirror_ray.api.running import _summary
from mirror_ray.core.errors import EngineError, LostError, RunDirError, SweepError
from mirror_ray.records.lock import Lock, is_held
from mirror_ray.records.run_log import last_lines
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.sweep.load import load_plan

SMALL = (
    *("stages.0.seeds=1", "stages.0.runs=1", "stages.0.max_steps=3", "stages.0.conditions=E2"),
    "models=scripted/blind",
)
LONG = ("stages.0.seeds=400", "models=scripted/blind")
WITHIN_S = 120.0


@pytest.fixture(autouse=True)
def _in_this_ray(ray_env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ray_env.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def kernel() -> Iterator[tuple[Any, Any]]:
    """A notebook's kernel and its client."""
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        yield manager, client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def reply_to(client: Any, code: str) -> dict[str, Any]:
    """What the kernel says once it has executed the code."""
    return dict(client.execute(code, reply=True, timeout=WITHIN_S)["content"])


@pytest.mark.thorough("cli/test_cli.py plays the same by the command")
def test_a_run_is_played_and_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "run")
    with mirror_ray.run("quickstart", *SMALL, out=out) as played:
        assert played.summary is not None
        assert (played.summary.exit_code, played.summary.episodes_done) == (0, 1)
        assert 0 < len(played.steps()) <= played.summary.steps
        assert (tmp_path / "run" / "intervals").is_dir()
    assert "1/1 episodes" in capsys.readouterr().out
    with mirror_ray.run("quickstart", *SMALL, out=Path(out), quiet=True) as again:
        assert again.summary is not None
        assert (again.summary.episodes_resumed, again.summary.steps) == (1, 0)
    assert capsys.readouterr().out == ""


@pytest.mark.thorough("the run before it; a thread differs in its signals alone")
def test_a_thread_and_a_running_loop_may_call_it(tmp_path: Path) -> None:
    done: list[int] = []

    def play(name: str) -> None:
        with mirror_ray.run("quickstart", *SMALL, out=str(tmp_path / name), quiet=True) as played:
            done.append(len(played.episodes()))

    async def within_a_loop() -> None:
        play("loop")

    thread = Thread(target=play, args=("thread",))
    thread.start()
    asyncio.run(within_a_loop())
    thread.join()
    assert done == [1, 1]


def test_every_refusal_is_the_commands_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    out = str(tmp_path / "run")
    with pytest.raises(SweepError) as refused:
        mirror_ray.run("quickstart", "stages.0.conditions=E9", out=out, quiet=True)
    with pytest.raises(SweepError) as expected:
        load_plan("quickstart", ["stages.0.conditions=E9"])
    assert str(refused.value) == str(expected.value)
    with pytest.raises(SweepError, match="export OPENAI_API_KEY"):
        mirror_ray.run("quickstart", "models=openai/gpt-5.1", out=out, quiet=True)
    assert not Path(out).exists()
    Path(out).mkdir()
    lock = Lock(Path(out) / LOCK_NAME, what="another run")
    with pytest.raises(RunDirError, match="another"):
        mirror_ray.run("quickstart", *SMALL, out=out, quiet=True)
    lock.close()


def test_a_process_that_ends_without_an_answer_is_an_error() -> None:
    with pytest.raises(LostError, match="the head is lost"):
        _summary({}, LostError.exit_code, "the head is lost")
    with pytest.raises(EngineError, match=r"exit code -9[\s\S]*the same call resumes") as killed:
        _summary({}, -9, "")
    assert not isinstance(killed.value, LostError)


@pytest.mark.thorough("cli/test_interrupt.py stops the command that it starts")
def test_an_interrupted_kernel_stops_in_order_and_lives(
    tmp_path: Path, kernel: tuple[Any, Any]
) -> None:
    manager, client = kernel
    out = str(tmp_path / "run")
    assert reply_to(client, "import mirror_ray")["status"] == "ok"
    # By default a kernel that met an error also refuses what was sent to it shortly after.
    asked = client.execute(
        f"mirror_ray.run('quickstart', *{LONG}, out={out!r})", stop_on_error=False
    )
    while "steps/s" not in _printed(client):
        pass
    manager.interrupt_kernel()
    while (reply := client.get_shell_msg(timeout=WITHIN_S))["parent_header"]["msg_id"] != asked:
        pass
    assert reply["content"]["ename"] == "KeyboardInterrupt", reply["content"]
    assert "stopped in order" in reply["content"]["evalue"]
    assert not is_held(Path(out) / LOCK_NAME)
    assert last_lines(Path(out))[-1]["outcome"] == "stopped"
    assert last_lines(Path(out))[-1]["exit_code"] == 130
    # The kernel goes on, and so can the run.
    assert reply_to(client, f"runs = mirror_ray.load({out!r}); runs.metrics()")["status"] == "ok"


def _printed(client: Any) -> str:
    content = client.get_iopub_msg(timeout=WITHIN_S)["content"]
    assert "ename" not in content, content
    return str(content.get("text", ""))


@pytest.mark.thorough("cli/test_interrupt.py stops the command that it starts")
def test_a_run_whose_caller_is_killed_stops_in_order(tmp_path: Path) -> None:
    out = tmp_path / "run"
    code = f"import mirror_ray; mirror_ray.run('quickstart', *{LONG}, out={str(out)!r})"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as caller:
        assert caller.stdout is not None
        while "steps/s" not in caller.stdout.readline():
            assert caller.poll() is None
        os.kill(caller.pid, signal.SIGKILL)
    until_s = monotonic() + WITHIN_S
    while is_held(out / LOCK_NAME) and monotonic() < until_s:
        sleep(0.1)
    assert not is_held(out / LOCK_NAME)
    assert last_lines(out)[-1]["event"] == "ended"
    assert last_lines(out)[-1]["exit_code"] == 130
