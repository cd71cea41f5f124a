"""Finds what a host lacks to serve a model, before anything is started there."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

from mirror_ray.engine.server.engine_process import engine_env
from mirror_ray.providers.served import MODULES, Served

LOOPBACK_HOSTS = "127.0.0.1"
_NVIDIA = Path("/proc/driver/nvidia/gpus")

_PROBE = (
    "import sys; from importlib.util import find_spec; sys.exit(find_spec(sys.argv[1]) is None)"
)
_PROBED_WITHIN_S = 60.0


def lacks(served: Served, address: str, *, may_run: bool = True) -> tuple[str, str, str] | None:
    """Return the first thing that this host lacks, as the key, what was found and what to do; None
    if nothing.

    Args:
        address: where a server would listen.
        may_run: whether the entry's own interpreter may be run, to look for its engine.
    """
    key = "command" if served.engine == "command" else "python"
    if shutil.which(served.program) is None:
        return key, f"{served.program}: no such program", "install it there, or correct the path"
    asked = may_run and served.engine != "command"
    if asked and not _imports(served, MODULES[served.engine]):
        return (
            key,
            f"{served.python}: cannot import {MODULES[served.engine]}",
            f"{served.python} -m pip install {served.engine}; or name the interpreter of an"
            " environment that has it",
        )
    weights = served.weights or ""
    if weights.startswith("/") and not Path(weights).exists():
        return "weights", f"{weights}: no such file or folder", "correct the path"
    if served.port is not None and not _is_free(address, served.port):
        return (
            "port",
            f"{served.port}: in use",
            "end what listens there, name another port, or leave it out: a free one is taken",
        )
    return None


def too_few_gpus(served: Served, drivers_files: Path = _NVIDIA) -> tuple[str, bool] | None:
    """Return an error if this machine shows fewer GPUs than one server needs, and whether that is
    certain. It is not without NVIDIA's driver, because Ray also knows other vendors' GPUs.

    Args:
        drivers_files: where the driver has a folder for each GPU.
    """
    if not served.gpus:
        return None
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        seen = len(list(drivers_files.glob("*")))
    else:
        seen = len([one for one in visible.split(",") if one.strip() not in ("", "-1")])
    if served.gpus <= seen:
        return None
    fix = "name fewer gpus, or play it on a cluster that has them"
    sure = drivers_files.exists()
    return f"{served.gpus:g} for one server, and {seen} NVIDIA GPUs are seen here: {fix}", sure


def free_port(address: str) -> int:
    """Return a port on which nothing listens now."""
    with socket.create_server((address, 0)) as listening:
        return int(listening.getsockname()[1])


def _is_free(address: str, port: int) -> bool:
    try:
        socket.create_server((address, port)).close()
    except OSError:
        return False
    return True


def _imports(served: Served, module: str) -> bool:
    try:
        probe = subprocess.run(  # noqa: S603 - a command that the user has allowed
            [served.python, "-c", _PROBE, module],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PROBED_WITHIN_S,
            env=engine_env(served),
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return probe.returncode == 0
