import os
import subprocess
import sys
from ctypes import CDLL
from pathlib import Path
from time import monotonic

import pytest

from mirror_ray.core.errors import RenderError
from mirror_ray.world.opengl.context import choose_backend, kept_waiting_s, self_test
from mirror_ray.world.renderer import Renderer


def test_the_self_test_names_who_draws(renderer: Renderer) -> None:
    assert self_test(timeout_s=60.0) == renderer.gl
    assert renderer.gl.backend == os.environ["MUJOCO_GL"]


def test_a_driver_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _interpreter(monkeypatch, tmp_path, "exec sleep 60")
    begun = monotonic()
    with pytest.raises(RenderError, match="did not answer within") as error:
        self_test(timeout_s=0.5)
    assert monotonic() - begun < 30
    assert "apt-get install" in str(error.value)


def test_a_driver_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _interpreter(monkeypatch, tmp_path, "echo 'cannot open /dev/dri' >&2; exit 1")
    with pytest.raises(RenderError, match="cannot open /dev/dri"):
        self_test()


def test_a_driver_that_kills_its_process_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _interpreter(monkeypatch, tmp_path, "kill -SEGV $$")
    with pytest.raises(RenderError, match="exit status -11"):
        self_test()


def test_without_any_library_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.setattr("mirror_ray.world.opengl.context._LIBRARIES", {"egl": "libnone.so.1"})
    with pytest.raises(RenderError, match="apt-get install"):
        choose_backend()


def test_a_backend_that_needs_a_display_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "glfw")
    assert CDLL("libEGL.so.1")
    assert choose_backend() == os.environ["MUJOCO_GL"] == "egl"


def test_the_users_choice_of_backend_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "osmesa")
    monkeypatch.setattr("mirror_ray.world.opengl.context._is_present", lambda _library: True)
    assert choose_backend() == "osmesa"


def test_drivers_that_are_not_here_are_not_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here, vendors = tmp_path / "mesa.json", "__EGL_VENDOR_LIBRARY_FILENAMES"
    here.touch()
    for listed in (f"{tmp_path}/none.json:{here}", str(here)):
        monkeypatch.setenv(vendors, listed)
        choose_backend()
        assert os.environ[vendors] == listed
    monkeypatch.setenv(vendors, f"{tmp_path}/none.json")
    choose_backend()
    assert vendors not in os.environ


def test_mesa_draws_wherever_its_driver_is_listed(renderer: Renderer, tmp_path: Path) -> None:
    # As a Simulator does, before MuJoCo is imported.
    script = (
        "from mirror_ray.world.opengl.context import choose_backend; choose_backend(); "
        "from mirror_ray.world.renderer import Renderer; print(Renderer().gl)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ
        | {"__EGL_VENDOR_LIBRARY_FILENAMES": f"{tmp_path}/none.json"}
        | {"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(renderer.gl)


def test_a_machine_that_counts_no_turns_is_tested_all_the_same(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in sandboxes whose /proc has no schedstat."""
    monkeypatch.setattr(
        "mirror_ray.world.opengl.context.Path", lambda name: Path(f"/nowhere{name}")
    )
    assert self_test(timeout_s=60.0) == renderer.gl


def _interpreter(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    """Let the probe be run by a program that behaves like a broken driver."""
    program = folder / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(program))


def test_the_turns_of_others_are_told_from_a_driver_that_hangs() -> None:
    core = min(os.sched_getaffinity(0))
    busy = [
        subprocess.Popen(
            [sys.executable, "-c", f"import os; os.sched_setaffinity(0, [{core}])\nwhile True: ..."]
        )
        for _ in range(2)
    ]
    idle = subprocess.Popen(["sleep", "60"])
    try:
        while min(kept_waiting_s(process.pid) for process in busy) < 0.3:
            assert all(process.poll() is None for process in busy)
        assert kept_waiting_s(idle.pid) < 0.3
    finally:
        for process in (*busy, idle):
            process.kill()
            process.wait()
