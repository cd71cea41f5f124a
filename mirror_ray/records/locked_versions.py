"""How the installed packages differ from the lock that this release was tested with."""

import re
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)", re.MULTILINE)


def lock_facts() -> dict[str, Any]:
    """Return the SHA-256 of the runtime's lock, and the packages installed in another version.

    The lock may have several versions of a package, of which each Python takes one.
    """
    lock = (files("mirror_ray") / "locks" / "runtime.lock").read_bytes()
    locked: dict[str, list[str]] = {}
    for name, pinned in _PIN.findall(lock.decode()):
        locked.setdefault(name, []).append(pinned)
    differs = {}
    for name, pins in locked.items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            # A package of another system, or not needed by what was installed.
            continue
        if installed not in pins:
            differs[name] = {"locked": pins, "installed": installed}
    return {"sha256": sha256(lock).hexdigest(), "differs": differs}
