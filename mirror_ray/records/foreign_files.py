"""Checks that a run directory on disk contains only its own files and folders.

A run directory from somebody else may contain a link: a command that reads it would show a file
outside the directory, and one that writes would overwrite that file. Reading a pipe or a device may
never end.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.storage import is_address


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
    """All entries below a folder; links are not followed."""
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
