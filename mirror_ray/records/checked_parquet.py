"""Parquet files with checksums: a flipped bit is an error, not another value.

Each page has a checksum, which Arrow verifies and DuckDB does not. The whole file has another one,
in a gap before its footer that readers of Parquet ignore. Files without checksums are accepted."""

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeAlias

import pyarrow as pa
from isal import isal_zlib
from pyarrow import fs as pafs

from mirror_ray.records.shard_checks import damaged
from mirror_ray.records.storage import is_local

_MARK = b"MR-CRC32"
_GAP = len(_MARK) + 4
_TAIL = 8
"""Bytes of the footer's length and the format's name, at the end of a file."""
_READ_BYTES = 2**20
_MOST_THREADS = 4

_Version: TypeAlias = tuple[str, int, int, int, int]

_sound: set[_Version] = set()
"""The files, with their versions, that this process found unaltered and need not read again."""


@cache
def checked_format() -> Any:
    """Return the format for Arrow's data sets, which verifies the pages that it reads."""
    # Imported late, because it takes 20 MB in every process that can name the Recorder.
    import pyarrow.dataset as pads  # noqa: PLC0415

    return pads.ParquetFileFormat(
        default_fragment_scan_options=pads.ParquetFragmentScanOptions(
            page_checksum_verification=True
        )
    )


class ParquetBuffer:
    """A Parquet file in memory, written table by table, each a row group, all of one `schema`."""

    def __init__(self, schema: pa.Schema, compression: str = "zstd") -> None:
        # Imported late, as above.
        import pyarrow.parquet as pq  # noqa: PLC0415

        self._buffer = pa.BufferOutputStream()
        self._writer = pq.ParquetWriter(
            self._buffer, schema, compression=compression, write_page_checksum=True
        )

    @property
    def size_bytes(self) -> int:
        """The size so far, in bytes."""
        return int(self._buffer.tell())

    def add(self, table: pa.Table) -> None:
        """Append a table's rows as a row group."""
        self._writer.write_table(table, max(table.num_rows, 1))

    def finished(self, metadata: Mapping[str, str] | None = None) -> Callable[[Any], None]:
        """Return a function that writes the whole file, with checksums, to a given stream."""
        self._writer.add_key_value_metadata(dict(metadata or {}))
        self._writer.close()
        content = memoryview(self._buffer.getvalue())
        gap = len(content) - _TAIL - _footer_bytes(content[-_TAIL:])
        pages, footer = content[:gap], content[gap:]
        checksum = isal_zlib.crc32(footer, isal_zlib.crc32(pages))

        def write(stream: Any) -> None:
            for part in (pages, _MARK, checksum.to_bytes(4, "little"), footer):
                stream.write(part)

        return write


def parquet_of(table: pa.Table, compression: str = "zstd") -> Callable[[Any], None]:
    """Return a function that writes the table, with checksums, to a given stream."""
    buffer = ParquetBuffer(table.schema, compression)
    buffer.add(table)
    return buffer.finished()


def refuse_altered(fs: pafs.FileSystem, paths: Iterable[str]) -> None:
    """Compare files with their checksums. An object store has its own checksums, so nothing is read
    there. Raise RunDirError for the first altered file, OSError if one cannot be read."""
    every = list(paths) if is_local(fs) else []
    # A thread waits for the disk while another computes.
    n = min(_MOST_THREADS, len(every))
    if n > 1:
        with ThreadPoolExecutor(n) as threads:
            found = list(threads.map(_altered_among, (every[i::n] for i in range(n))))
    else:
        found = [_altered_among(every)]
    altered = {path for path in found if path is not None}
    for path in every:
        if path in altered:
            raise damaged(path, "bytes that differ from its checksum")


def _altered_among(paths: Iterable[str]) -> str | None:
    """Return the first altered file, if there is any."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            found = os.fstat(descriptor)
            version = (path, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            if version not in _sound:
                if _is_altered(descriptor, found.st_size):
                    return path
                _sound.add(version)
        finally:
            os.close(descriptor)
    return None


def _is_altered(descriptor: int, size: int) -> bool:
    """Return whether a file was altered; False also for a file without a checksum."""
    length = _footer_bytes(os.pread(descriptor, _TAIL, max(0, size - _TAIL)))
    gap = size - _TAIL - length - _GAP
    if gap < 0:
        return False
    stated = os.pread(descriptor, _GAP, gap)
    if not stated.startswith(_MARK):
        return False
    checksum = 0
    for start, end in ((0, gap), (gap + _GAP, size)):
        at = start
        while at < end:
            some = os.pread(descriptor, min(_READ_BYTES, end - at), at)
            if not some:
                return True
            checksum = isal_zlib.crc32(some, checksum)
            at += len(some)
    return checksum.to_bytes(4, "little") != stated[len(_MARK) :]


def _footer_bytes(tail: bytes | memoryview) -> int:
    return int.from_bytes(tail[:4], "little")
