"""The software and processor that a run used, for the manifest. Also how the installed packages
differ from the lock that this version was tested with."""

import os
import platform
import re
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OURS = "mirror-ray"
_PACKAGES = ("mujoco", "ray", "litellm", "duckdb", "pyarrow", "numpy")

_SOURCES = (".py", ".sql", ".xml", ".json", ".txt")
"""Our files that rows, frames and views depend on; sweeps and catalogues are recorded whole."""


def versions() -> dict[str, str | None]:
    """Return each package's installed version, None if it is missing; Python's under ``python``."""
    return {
        "python": platform.python_version(),
        OURS: own_version(),
        **{package: _installed(package) for package in _PACKAGES},
    }


def own_version() -> str:
    """Return our own version, which includes a digest of its files, because programs between
    releases have the same number: ``0.1.0+src.9f86d081884c``."""
    return f"{_installed(OURS) or 0}+src.{source_digest()}"


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


@cache
def source_digest() -> str:
    """Return 12 hex digits of a SHA-256 of this program's files: equal in checkout and wheel."""
    found = [find_spec(one) for one in ("mirror_ray", "sim_assets")]
    return digest_of([Path(spec.origin).parent for spec in found if spec and spec.origin])


def digest_of(folders: Sequence[Path]) -> str:
    """Return the same digest for the files below these folders."""
    found = sha256()
    for top in folders:
        # Parts of the package are links in a checkout.
        for folder, below, names in os.walk(top, followlinks=True):
            below[:] = sorted(one for one in below if one != "__pycache__")
            for name in sorted(one for one in names if one.endswith(_SOURCES)):
                content = sha256(Path(folder, name).read_bytes()).hexdigest()
                below_top = f"{folder}/{name}".removeprefix(f"{top}/")
                found.update(f"{below_top} {content}\n".encode())
    return found.hexdigest()[:12]


def cpu_model() -> str | None:
    """Return the processor's name, which rendering may depend on; None if it is not stated."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or None


_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.MULTILINE)


def lock_facts() -> dict[str, Any]:
    """Return the SHA-256 of the runtime's lock, and the packages installed in another version.

    The lock may have several versions of a package, one for each Python."""
    lock = (files("mirror_ray") / "locks" / "runtime.lock").read_bytes()
    locked: dict[str, list[str]] = {}
    for name, pinned in _PIN.findall(lock.decode()):
        locked.setdefault(name, []).append(pinned)
    differs = {}
    for name, pins in locked.items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            # The package is for another system, or what was installed does not need it.
            continue
        if installed not in pins:
            differs[name] = {"locked": pins, "installed": installed}
    return {"sha256": sha256(lock).hexdigest(), "differs": differs}
