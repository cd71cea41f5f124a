"""Whole files: written to a temporary name, flushed to disk, then renamed into place.

Knows file systems (through pyarrow, so that object stores can follow) and the temporary name's
shape; does not know what the files hold. A reader never meets half a file, and after a crash the
leftovers are recognisable.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
from pyarrow import fs as pafs

TEMPORARY_SUFFIX = ".tmp"


def storage_of(directory: str) -> tuple[pafs.FileSystem, str]:
    """The file system a run directory lies on, and its root path there."""
    if "://" in directory:
        fs, root = pafs.FileSystem.from_uri(directory)
        return fs, root
    return pafs.LocalFileSystem(), str(Path(directory).absolute())


def flush_to_disk(fs: pafs.FileSystem, path: str) -> None:
    """Make a file's bytes, or a folder's names, survive a power cut. Object stores do by nature."""
    if not isinstance(fs, pafs.LocalFileSystem):
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(fs: pafs.FileSystem, root: str, *parts: str) -> str:
    """`root`/`parts`… with every new folder flushed into the one above it; returns its path."""
    path = root
    for part in parts:
        above, path = path, f"{path}/{part}"
        if fs.get_file_info(path).type == pafs.FileType.NotFound:
            fs.create_dir(path, recursive=False)
            flush_to_disk(fs, above)
    return path


def write_whole(fs: pafs.FileSystem, path: str, write: Callable[[pa.NativeFile], None]) -> None:
    """Put a file at `path` that is complete and durable from the moment it is visible.

    Args:
        write: writes the content to the stream it is given.

    Raises:
        OSError: nothing is visible at `path` then, or what was there before.
    """
    folder, _, name = path.rpartition("/")
    temporary = f"{folder}/.{name}{TEMPORARY_SUFFIX}"
    with fs.open_output_stream(temporary) as stream:
        write(stream)
    flush_to_disk(fs, temporary)
    fs.move(temporary, path)
    flush_to_disk(fs, folder)


def write_text(fs: pafs.FileSystem, path: str, text: str) -> None:
    """`write_whole` of UTF-8 text."""
    write_whole(fs, path, lambda stream: stream.write(text.encode()))


def files_below(fs: pafs.FileSystem, folder: str, suffix: str) -> Iterator[str]:
    """Paths of the files below `folder` whose names end in `suffix`, sorted."""
    selector = pafs.FileSelector(folder, allow_not_found=True, recursive=True)
    yield from sorted(
        info.path
        for info in fs.get_file_info(selector)
        if info.type == pafs.FileType.File and info.path.endswith(suffix)
    )
