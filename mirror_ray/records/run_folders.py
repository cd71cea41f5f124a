"""Run directories as a user names them: several at once, or the folder that contains them."""

import os
from collections.abc import Sequence
from pathlib import PurePosixPath

from pyarrow import fs as pafs

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.storage import is_address, join, names_in

MANIFEST_NAME = "manifest.json"
_SHARD_FOLDERS = frozenset({"steps", "episodes"})
_MOST_LOOKED_AT = 1_000
_MOST_NAMED = 20


def distinct_runs(directories: Sequence[str]) -> tuple[str, ...]:
    """Return the directories without repeats; ValueError without any."""
    if not directories:
        raise ValueError("no run directory")
    places = {
        each.rstrip("/") if is_address(each) else os.path.realpath(each): each
        for each in reversed(directories)
    }
    return tuple(reversed(places.values()))


def runs_below(fs: pafs.FileSystem, root: str) -> tuple[str, ...]:
    """Return the subfolders that are run directories, sorted; of very many the first ones."""
    return tuple(
        name
        for name in names_in(fs, root)[:_MOST_LOOKED_AT]
        if fs.get_file_info(f"{root}/{name}/{MANIFEST_NAME}").type == pafs.FileType.File
    )


def require_run(directory: str, fs: pafs.FileSystem, root: str) -> None:
    """Refuse a folder that has run directories in it and no records; RunDirError names them."""
    names = set(names_in(fs, root))
    if not names & {MANIFEST_NAME, *_SHARD_FOLDERS} and (below := runs_below(fs, root)):
        raise no_run(directory, below)


def no_run(directory: str, below: Sequence[str]) -> RunDirError:
    """Return the error for a folder without a manifest; `below` are the run directories in it."""
    if not below:
        fix = "check the path"
        if directory.endswith((".yaml", ".yml")):
            fix = f"name the folder that `mirror-ray run {directory}` writes, such as runs/pilot"
        elif directory.startswith("~"):
            fix = "write ~ outside quotation marks, or the whole path"
        elif " " in directory and not is_address(directory) and not os.path.lexists(directory):
            fix = "run directories come first; a query comes last, in quotation marks"
        return RunDirError(directory, f"no {MANIFEST_NAME} there", "a run directory", fix)
    named = [join(directory, PurePosixPath(one).name) for one in below[:_MOST_NAMED]]
    more = f" … and {len(below) - _MOST_NAMED:,} more" if len(below) > _MOST_NAMED else ""
    listed = one_printable_line(" ".join(named))
    found = "1 run directory" if len(below) == 1 else f"{len(below):,} run directories"
    return RunDirError(
        directory,
        f"no {MANIFEST_NAME} there, but {found} in it",
        "run directories, one or several",
        f"name {'it' if len(below) == 1 else 'them'}: {listed}{more}",
    )
