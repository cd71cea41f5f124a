"""Finds an OpenGL library to draw with, and tests whether it draws.

MuJoCo reads ``MUJOCO_GL`` when it is imported and again when it loads OpenGL, so `choose_backend`
has to be called before either."""

import os
import subprocess
from ctypes import CDLL
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from mirror_ray.core.errors import RenderError
from mirror_ray.core.own_interpreter import python_command, python_environment
from mirror_ray.core.plain_json import parse_json

_VENDORS = "__EGL_VENDOR_LIBRARY_FILENAMES"
_LIBRARIES = {"egl": "libEGL.so.1", "osmesa": "libOSMesa.so.8"}
_PROBE = (
    "import json; from dataclasses import asdict; from mirror_ray.world.renderer import Renderer; "
    "print(json.dumps(asdict(Renderer().gl)))"
)
_FIX = (
    "install OpenGL in software (Debian, Ubuntu: apt-get install -y libegl1 libgl1 "
    "libgl1-mesa-dri), or your GPU driver's EGL library; unset MUJOCO_GL unless you mean it"
)


_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True)
class GlInfo:
    """The renderer's identity: pixels are reproducible if all of it is equal."""

    backend: str
    vendor: str
    renderer: str
    version: str


def drop_unusable_choices() -> None:
    """Unset OpenGL variables with which imports would fail.

    MuJoCo loads the library that ``MUJOCO_GL`` names as soon as it is imported, and PyOpenGL the
    one that ``PYOPENGL_PLATFORM`` names, regardless of MuJoCo's choice."""
    os.environ.pop("PYOPENGL_PLATFORM", None)
    chosen = os.environ.get("MUJOCO_GL", "").strip().lower()
    if chosen and not (chosen in _LIBRARIES and _is_present(_LIBRARIES[chosen])):
        del os.environ["MUJOCO_GL"]


def choose_backend() -> str:
    """Set ``MUJOCO_GL`` and return it: egl or osmesa if set already, else the first available.

    Other values need a display and are replaced. Mesa gets no extra threads, unless
    ``LP_NUM_THREADS`` says otherwise: with a renderer on every core, more threads only compete. A
    list of EGL's drivers that names no file of this machine is dropped, because EGL would have no
    driver.

    Raises:
        RenderError: neither library is installed.
    """
    if _VENDORS in os.environ and not any(map(os.path.exists, os.environ[_VENDORS].split(":"))):
        del os.environ[_VENDORS]
    drop_unusable_choices()
    backend = _candidates()[0]
    os.environ["MUJOCO_GL"] = backend
    os.environ.setdefault("LP_NUM_THREADS", "0")
    return backend


def self_test(timeout_s: float = 5.0) -> GlInfo:
    """Make a renderer in a separate process, which a driver may hang or crash.

    The first backend that works is set in ``MUJOCO_GL``, for this process and its children.

    Raises:
        RenderError: none works, or one does not answer within `timeout_s` of its processor time
            (other programs' time does not count). The message says what to install.
    """
    drop_unusable_choices()
    failures = []
    for backend in _candidates():
        library = _LIBRARIES[backend]
        if not _is_present(library):
            failures.append(f"{backend}: {library} is not installed")
            continue
        try:
            info = _probed(backend, timeout_s)
            os.environ["MUJOCO_GL"] = backend
            return info
        except subprocess.TimeoutExpired:
            failures.append(f"{backend}: the driver did not answer within {timeout_s:g} s")
            break
        except subprocess.CalledProcessError as error:
            last = (error.stderr.strip() or f"exit status {error.returncode}").splitlines()[-1]
            failures.append(f"{backend}: {last}")
    raise RenderError("OpenGL does not work here", "; ".join(failures), fix=_FIX)


def _probed(backend: str, timeout_s: float) -> GlInfo:
    probe = subprocess.Popen(  # noqa: S603 - our own interpreter, our own text
        python_command("-c", _PROBE),
        env=python_environment() | {"MUJOCO_GL": backend},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    began_s = monotonic()
    with probe:
        while True:
            try:
                said, complaint = probe.communicate(timeout=_LOOK_EVERY_S)
                break
            except subprocess.TimeoutExpired:
                if monotonic() - began_s - kept_waiting_s(probe.pid) > timeout_s:
                    probe.kill()
                    raise
    if probe.returncode:
        raise subprocess.CalledProcessError(probe.returncode, probe.args, said, complaint)
    return GlInfo(**parse_json(said.splitlines()[-1]))


def kept_waiting_s(pid: int) -> float:
    """Return how long a process was ready to run while the cores ran others; 0 if unknown."""
    try:
        _, waited_ns, _ = Path(f"/proc/{pid}/schedstat").read_text().split()
    except OSError:
        # Some sandboxes and kernels do not have this file.
        return 0.0
    return int(waited_ns) / 1e9


def _candidates() -> list[str]:
    chosen = os.environ.get("MUJOCO_GL", "").strip().lower()
    if chosen in _LIBRARIES:
        return [chosen]
    present = [backend for backend, library in _LIBRARIES.items() if _is_present(library)]
    if not present:
        raise RenderError("no headless OpenGL on this machine", fix=_FIX)
    return present


def _is_present(library: str) -> bool:
    try:
        CDLL(library)
    except OSError:
        return False
    return True
