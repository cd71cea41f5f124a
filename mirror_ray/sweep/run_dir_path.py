"""Refuses a run directory's path that a shell or an editor left unexpanded."""

from pathlib import Path

from mirror_ray.core.errors import SweepError
from mirror_ray.records.storage import is_address

_ALLOWED = "the path of a folder, new or a run directory"


def require_run_dir_path(out: str, where: str) -> None:
    """Raise SweepError if `out` cannot be the path of a folder. `where` is the file and key, or the
    option, that names it."""
    if not out:
        fix = "name a folder; a shell gives an empty text for a variable that is not set"
        raise SweepError(where, "an empty text", _ALLOWED, fix)
    if is_address(out):
        return
    if out.startswith("~"):
        fix = "write the whole path: ~ is replaced by shells alone, outside quotation marks"
        raise SweepError(where, repr(out), _ALLOWED, fix)
    if "$" in out:
        fix = "write the path itself: only ${name} and keys of the sweep are replaced in it"
        raise SweepError(where, repr(out), _ALLOWED, fix)
    if "\\" in out:
        fix = "write folders with /, such as runs/pilot; in WSL, C:\\ is /mnt/c/"
        raise SweepError(where, repr(out), _ALLOWED, fix)
    for path in (Path(out), *Path(out).parents):
        if path.is_file():
            fix = f"name another folder, or move {path} away"
            raise SweepError(where, f"{out!r}, where {path} is a file", _ALLOWED, fix)
