"""The temporary folder with the rows of a connection's parts.

It is removed with the connection. A killed process leaves its folder, which may be gigabytes: the
next process that needs such a folder removes it."""

import weakref
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from time import time

import duckdb

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.lock import Lock, is_held

_LOCK_NAME = "parts.lock"
_NEW_S = 3_600.0
"""Younger folders are left alone: their processes may not have locked them yet."""


def part_folder(connection: duckdb.DuckDBPyConnection) -> Path:
    """Return the connection's temporary directory, made for its owner only. Raise OSError if it
    cannot be made."""
    place = connection.execute("select current_setting('temp_directory')").fetchall()[0][0]
    folder = Path(place)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / _LOCK_NAME
    if not is_held(path):
        _remove_left_behind(folder.parent)
        # Without locks in the file system, the folder is kept all the same.
        with suppress(RunDirError):
            lock = Lock(path, what="a temporary folder")
            weakref.finalize(connection, lock.close)
        weakref.finalize(connection, rmtree, folder, ignore_errors=True)
    return folder


def _remove_left_behind(parent: Path) -> None:
    """Remove the folders of processes that have ended."""
    with suppress(OSError):
        for path in parent.glob(f"duckdb-*/{_LOCK_NAME}"):
            # Another user's folder cannot be read: it raises OSError.
            with suppress(OSError):
                is_old = time() - path.parent.stat().st_mtime > _NEW_S
                if is_old and is_held(path) is False and not path.parent.is_symlink():
                    rmtree(path.parent, ignore_errors=True)
