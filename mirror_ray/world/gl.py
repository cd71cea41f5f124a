"""Which OpenGL there is to draw with, and whether it really draws.

Knows backends and what a machine lacks; does not know what is drawn. MuJoCo reads ``MUJOCO_GL``
when it is imported and when it loads OpenGL, so `choose_backend` comes before either.
"""

import os
import subprocess
import sys
from ctypes import CDLL
from dataclasses import dataclass
from json import JSONDecodeError, loads

from mirror_ray.errors import RenderError

_BACKENDS = {"egl": "libEGL.so.1", "osmesa": "libOSMesa.so.8"}
_PROBE = (
    "import json; from dataclasses import asdict; from mirror_ray.world.renderer import Renderer; "
    "print(json.dumps(asdict(Renderer().gl)))"
)
_FIX = (
    "install a software OpenGL (Debian, Ubuntu: apt-get install -y libegl1 libgl1 libgl1-mesa-dri "
    "libglx-mesa0), or the GPU driver's EGL library, and unset MUJOCO_GL unless you mean it"
)


@dataclass(frozen=True, slots=True)
class GlInfo:
    """Who draws: pixels are reproducible where all of it is equal."""

    backend: str
    vendor: str
    renderer: str
    version: str


def choose_backend() -> str:
    """Set ``MUJOCO_GL`` and return it: what the user set, else EGL, else OSMesa.

    Raises:
        RenderError: neither library is there.
    """
    chosen = os.environ.get("MUJOCO_GL", "").strip().lower()
    if chosen not in _BACKENDS:
        chosen = next((name for name, library in _BACKENDS.items() if _loads(library)), "")
    if not chosen:
        raise RenderError(f"no headless OpenGL on this machine\n  fix: {_FIX}")
    os.environ["MUJOCO_GL"] = chosen
    return chosen


def self_test(timeout_s: float = 5.0) -> GlInfo:
    """Make a renderer in a process of its own, so that a driver which hangs or dies harms nothing.

    Raises:
        RenderError: it failed or took longer than `timeout_s`; says why and what to install.
    """
    backend = choose_backend()
    try:
        probe = subprocess.run(  # noqa: S603 - our own interpreter, our own text
            [sys.executable, "-c", _PROBE],
            capture_output=True,
            check=False,
            text=True,
            timeout=timeout_s,
        )
        return GlInfo(**loads(probe.stdout.splitlines()[-1]))
    except subprocess.TimeoutExpired:
        why = f"the driver did not answer within {timeout_s:g} s"
    except (IndexError, JSONDecodeError):
        why = (probe.stderr.strip() or f"exit status {probe.returncode}").splitlines()[-1]
    raise RenderError(f"OpenGL ({backend}) does not work here: {why}\n  fix: {_FIX}")


def _loads(library: str) -> bool:
    try:
        CDLL(library)
    except OSError:
        return False
    return True
