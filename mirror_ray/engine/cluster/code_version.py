"""Versions of the interpreter, packages and our own source on a host, because rows depend on them.

Imports only the standard library, to run on hosts without our package."""

import platform
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

_PACKAGES = ("ray", "mujoco", "numpy", "litellm")
SOURCES = ("mirror_ray", "sim_assets")
ABSENT = "not installed"

NOT_PLAYED = frozenset({"__pycache__", "analysis", "sweeps"})
"""Folders that affect no row; the last two are links in a checkout and files in a wheel."""


def code_here(plugins: Sequence[str] = ()) -> dict[str, str]:
    """Return each package's version here; for ours and for `plugins`, a hash of their files."""
    return {
        "python": platform.python_version(),
        **{package: _version(package) for package in _PACKAGES},
        **{f"source of {package}": _source_sha(package) for package in (*SOURCES, *plugins)},
    }


def code_differences(theirs: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """Return each difference in words, if there are any."""
    return [
        f"{what} {theirs.get(what, ABSENT)} there, {here} here"
        for what, here in ours.items()
        if theirs.get(what, ABSENT) != here
    ]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ABSENT


def _source_sha(package: str) -> str:
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return ABSENT
    root = Path(spec.submodule_search_locations[0])
    files = (path for path in root.rglob("*") if path.is_file())
    digest = sha256()
    for path in sorted(files):
        if NOT_PLAYED.isdisjoint(path.relative_to(root).parts):
            digest.update(f"{path.relative_to(root)}\n{path.stat().st_size}\n".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
