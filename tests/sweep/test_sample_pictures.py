"""The renderer of sample episodes needs no window, and loads no library for windows."""

import os
import subprocess
import sys

LOADED = (
    "import sys; from mirror_ray.sweep.sample_pictures import new_renderer; "
    "new_renderer().close(); print(*sys.modules)"
)


def test_a_renderer_loads_no_library_for_windows() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "MUJOCO_GL"}
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "mujoco" in modules
    assert not modules & {"glfw", "mujoco.glfw"}
