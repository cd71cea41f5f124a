"""Reads whole files from outside within bounds: no endless wait, no more bytes than allowed.

A path may lead to FIFOs, devices, loops of links and files of any size."""

import os
import stat
import zlib
from pathlib import Path

from mirror_ray.core.errors import UnfitError

MIB = 1024 * 1024
MOST_CONFIG_BYTES = 1 * MIB
"""Most bytes of a sweep or a catalogue."""
MOST_CATALOGUE_BYTES = 8 * MIB
"""Most bytes of a model catalogue, which may name ten thousand models."""
MOST_DATA_BYTES = 16 * MIB
"""Most bytes of a data file that a sweep names, compressed or not; published ones have < 4 MiB."""
MOST_PICTURE_BYTES = 32 * MIB
MOST_MEMBERS = 100
"""Most parts of a gzip file. Each part costs a copy of the rest."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO, which could block"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bounded(path: str | Path, most_bytes: int) -> bytes:
    """Return a file's contents. Raise UnfitError if it is not regular, unreadable or too large."""
    try:
        # Checked before the file is opened, because opening some devices already uses them.
        _refuse_other_kinds(os.stat(path).st_mode)  # noqa: PTH116 - of a path with NUL, too
        # The file may have changed since. A FIFO without a writer would block `open` for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor has no path
            status = os.fstat(descriptor)
            _refuse_other_kinds(status.st_mode)
            data = b"" if status.st_size > most_bytes else file.read(most_bytes + 1)
    # Python raises ValueError for paths with NUL or surrogates.
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or str(error)
        raise UnfitError(said, "a readable file", "check the path and its permissions") from error
    n_bytes = max(status.st_size, len(data))
    if n_bytes > most_bytes:
        raise UnfitError(
            f"a file of {n_bytes:,} bytes",
            f"at most {most_bytes:,} bytes",
            "name another file, or make it smaller",
        )
    return data


def unzipped(data: bytes, most_bytes: int) -> bytes:
    """Decompress a gzip file. Raise UnfitError if it is incomplete, or becomes too large."""
    parts: list[bytes] = []
    n_bytes = 0
    for _ in range(MOST_MEMBERS):
        inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
        try:
            parts.append(inflate.decompress(data, most_bytes + 1 - n_bytes))
        except zlib.error as error:
            raise UnfitError(
                f"damaged compression: {error}", "a whole gzip file", "download the file again"
            ) from error
        n_bytes += len(parts[-1])
        if n_bytes > most_bytes:
            raise UnfitError(
                f"more than {most_bytes:,} bytes when decompressed",
                f"at most {most_bytes:,}",
                "name another file, or make it smaller",
            )
        if not inflate.eof:
            raise UnfitError("half a gzip file", "a whole one", "download the file again")
        data = inflate.unused_data.lstrip(b"\0")
        if not data:
            return b"".join(parts)
    raise UnfitError(
        f"a gzip file of more than {MOST_MEMBERS} parts",
        f"at most {MOST_MEMBERS}",
        "compress it again, in one piece",
    )


def text_of(data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark. Raise UnfitError for anything else."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnfitError(
            f"byte 0x{data[error.start]:02x} at {error.start:,}, which is not UTF-8",
            "a text in UTF-8",
            "save the file in UTF-8",
        ) from error


def _refuse_other_kinds(mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((words for is_kind, words in _KINDS if is_kind(mode)), "no file")
        raise UnfitError(kind, "a readable file", "check the path: it must be a regular file")
