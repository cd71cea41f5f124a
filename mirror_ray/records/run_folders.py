"""Run directories as a user names them: several at once, or the folder that contains them. Also
checks that a run directory on disk contains only its own files and folders.

A run directory from somebody else may contain a link, through which a command would show or
overwrite a file outside of it. Reading a pipe or a device may never end."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from pyarrow import fs as pafs

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.first_names import first_names
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.storage import is_address, join, names_in

MANIFEST_NAME = "manifest.json"
_SHARD_FOLDERS = frozenset({"steps", "episodes"})
_MOST_LOOKED_AT = 1_000
_MOST_NAMED = 20


def distinct_runs(directories: Sequence[str]) -> tuple[str, ...]:
    """Return the directories without repeats. Raise ValueError for an empty list."""
    if not directories:
        raise ValueError("no run directory")
    places = {
        each.rstrip("/") if is_address(each) else os.path.realpath(each): each
        for each in reversed(directories)
    }
    return tuple(reversed(places.values()))


def runs_below(fs: pafs.FileSystem, root: str) -> tuple[str, ...]:
    """Return the subfolders that are run directories, sorted; if there are very many, the first
    ones."""
    return tuple(
        name
        for name in names_in(fs, root)[:_MOST_LOOKED_AT]
        if fs.get_file_info(f"{root}/{name}/{MANIFEST_NAME}").type == pafs.FileType.File
    )


def require_run(directory: str, fs: pafs.FileSystem, root: str) -> None:
    """Raise RunDirError if a folder has no records, but run directories in it, and name them."""
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
    named = [one_printable_line(join(directory, PurePosixPath(one).name)) for one in below]
    found = "1 run directory" if len(below) == 1 else f"{len(below):,} run directories"
    return RunDirError(
        directory,
        f"no {MANIFEST_NAME} there, but {found} in it",
        "run directories, one or several",
        f"name {'it' if len(below) == 1 else 'them'}: {first_names(named, _MOST_NAMED, ' ')}",
    )


def require_enclosed(directory: str) -> None:
    """Refuse anything but files and folders inside the directory; an object store has nothing else.
    The directory itself may be reached by a link, and links to its own files are allowed.

    Raises:
        RunDirError: names the first entry that leads elsewhere.
    """
    if is_address(directory):
        return
    root = os.path.realpath(directory)
    for entry in _entries(root):
        got = _trouble(entry, root)
        if got is not None:
            shown = one_printable_line(entry.path.removeprefix(f"{root}/"))
            raise RunDirError(
                directory,
                f"{shown}, {got}",
                "files and folders that lie in the run directory themselves",
                f"if you know where it leads: cp -rL {directory} COPY, and open the copy",
            )


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    waiting = [folder]
    while waiting:
        # Entries that have disappeared meanwhile, or that may not be read, are not read later
        # either.
        with suppress(OSError), os.scandir(waiting.pop()) as found:
            for entry in found:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def _trouble(entry: os.DirEntry[str], root: str) -> str | None:
    try:
        if entry.is_dir(follow_symlinks=False):
            return "a folder with the name of a shard" if entry.name.endswith(".parquet") else None
        if entry.is_file(follow_symlinks=False):
            return None
        if not entry.is_symlink():
            return "which is a pipe, a socket or a device"
        target = os.path.realpath(entry.path)
    except OSError:
        return None
    if target.startswith(f"{root}/") and Path(target).is_file():
        return None
    return f"a link to {one_printable_line(target)}"
