"""The sweeps that are shipped with the package, and those of installed plug-ins."""

import os
from importlib.resources import files
from itertools import islice
from pathlib import Path

from mirror_ray.core.errors import SweepError
from mirror_ray.core.spelling import close_names
from mirror_ray.sweep.plugged import sweeps_of_plugins

_NEAREST = 3
_FEWEST_CHARS = 2
_MOST_LOOKED_AT = 1_000


def shipped_sweeps() -> dict[str, Path]:
    """Return the file of each shipped sweep, by name, e.g. ``quickstart`` or ``papers/mirror``;
    plug-ins last."""
    root = Path(str(files("mirror_ray.sweeps")))
    own = {
        found.relative_to(root).with_suffix("").as_posix(): found
        for found in sorted(root.rglob("*.yaml"))
        if not found.name.endswith("models.yaml")
    }
    return own | dict(sorted(sweeps_of_plugins().items()))


def find_sweep(sweep: str) -> Path:
    """Return the sweep file's path: as given, or else among the shipped ones. Raise SweepError,
    with the nearest names, if neither exists."""
    path = Path(sweep)
    # A broken link counts as existing: reading it reports the problem. A folder is not a sweep.
    if os.path.lexists(path) and not path.is_dir():
        return path
    known = shipped_sweeps()
    # Only the listed names: any other path is never looked up.
    name = path.as_posix().removesuffix(".yaml").removeprefix("sweeps/")
    if name in known:
        return known[name]
    stems = {one.rpartition("/")[2]: one for one in known}
    if sum(one.rpartition("/")[2] == name for one in known) == 1:
        return known[stems[name]]
    close = [*close_names(name, known, _NEAREST), *map(stems.get, close_names(name, stems))]
    nearest = [*_like(path), *dict.fromkeys(one for one in close if one)][:_NEAREST]
    raise SweepError(
        "command line: SWEEP",
        f"{sweep!r}, a folder" if path.is_dir() else repr(sweep),
        "a file that exists, or the name of a shipped sweep: `mirror-ray sweeps` lists them",
        _fix_of(sweep)
        or (f"did you mean {' or '.join(nearest)}?" if nearest else "check the path"),
    )


def _like(path: Path) -> list[str]:
    if len(path.name) < _FEWEST_CHARS or not path.parent.is_dir():
        return []
    found = islice(path.parent.glob("*.y*ml"), _MOST_LOOKED_AT)
    files = {one.name.lower(): str(one) for one in found if one.is_file()}
    name = path.name.lower()
    return [files[one] for one in close_names(name, files) or close_names(f"{name}.yaml", files)]


def _fix_of(sweep: str) -> str | None:
    if sweep.startswith("~"):
        return "write ~ outside quotation marks, or the whole path"
    if "=" in sweep:
        return f"the sweep comes first, then its overrides: SWEEP {sweep}"
    if "://" in sweep:
        return "download the file first"
    if "\\" in sweep:
        return "write folders with /; in WSL, C:\\ is /mnt/c/"
    return None
