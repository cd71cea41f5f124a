"""Settings of OpenGL in the environment with which nothing could be imported."""

import os
import subprocess
import sys

import pytest

from mirror_ray.world.opengl import context
from mirror_ray.world.opengl.context import drop_unusable_choices


@pytest.mark.parametrize(
    ("chosen", "present", "kept"),
    [
        ("egl", {"libEGL.so.1"}, "egl"),
        ("EGL", {"libEGL.so.1"}, "EGL"),
        ("osmesa", {"libEGL.so.1"}, None),
        ("osmesa", {"libOSMesa.so.8"}, "osmesa"),
        ("glfw", {"libEGL.so.1"}, None),
        ("nonsense", set(), None),
    ],
)
def test_what_cannot_be_loaded_is_forgotten(
    chosen: str, present: set[str], kept: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUJOCO_GL", chosen)
    monkeypatch.setenv("PYOPENGL_PLATFORM", "osmesa")
    monkeypatch.setattr(context, "_is_present", lambda library: library in present)
    drop_unusable_choices()
    assert os.environ.get("MUJOCO_GL") == kept
    assert "PYOPENGL_PLATFORM" not in os.environ
    if kept is None:
        monkeypatch.delenv("MUJOCO_GL", raising=False)


def test_a_command_survives_them() -> None:
    environ = {**os.environ, "MUJOCO_GL": "osmesa", "PYOPENGL_PLATFORM": "glx"}
    script = "import sys; from mirror_ray.cli import main; sys.argv[1:] = sys.argv[1:]; main()"
    for words in (("check-family", "no-such"), ("models", "scripted/*", "--json")):
        done = subprocess.run(
            [sys.executable, "-c", script, *words],
            env={**environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
