"""The storage of a run directory, on this machine or in an object store, and whole files in it.

A reader never finds half a file: on a disk, files are written under a recognisable temporary name,
flushed and renamed; in a store, they are put at once. Credentials are never part of an address:
they come from the environment, or from the store's own tools."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow as pa
from pyarrow import fs as pafs

from mirror_ray.core.errors import RunDirError

TEMPORARY_SUFFIX = ".tmp"

SCHEMES = ("s3", "gs")
"""Schemes of object stores' addresses, as in ``s3://bucket/prefix``."""

ENDPOINT_VARIABLES = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
REGION_VARIABLES = ("AWS_REGION", "AWS_DEFAULT_REGION")
EMULATOR_VARIABLE = "STORAGE_EMULATOR_HOST"
"""The variable from which Google's own clients also read the address of an emulator."""

_NOT_A_WORD = re.compile(r"[^A-Za-z0-9]+")

_CONNECT_S, _SILENCE_S, _RETRY_S = 5.0, 30.0, 10.0
"""Bounds: how long a store may take to accept a connection, how long a connection may be silent,
and for how long a failure is retried."""


def is_address(directory: str) -> bool:
    """Return whether it is an address such as ``s3://bucket/prefix``, not a path here."""
    return "://" in directory


def join(directory: str, *parts: str) -> str:
    """Return the readable path or address of something below `directory`."""
    return "/".join([directory.rstrip("/"), *parts])


def storage_of(directory: str) -> tuple[pafs.FileSystem, str]:
    """Return the file system of a run directory, and its root path there. Raise RunDirError for an
    invalid address or an unknown store, OSError if the store's region is unknown."""
    if not is_address(directory):
        return pafs.LocalFileSystem(), str(Path(directory).absolute())
    scheme, root = _parts(directory)
    if scheme == "gs":
        return _gs(), root
    return _s3(root.partition("/")[0]), root


def home_of(directory: str) -> Path:
    """Return the folder on this machine's disk of a run's journal and locks.

    For a run directory on disk, this is the directory itself. For an address, it is always the same
    on one machine: below ``$XDG_STATE_HOME/mirror-ray``, by default ``~/.local/state/mirror-ray``.

    Raises:
        RunDirError: for the reasons of `storage_of`.
    """
    if not is_address(directory):
        return Path(directory).absolute()
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "mirror-ray" / run_name(directory)


def run_name(address: str) -> str:
    """Return the name of a run's folder in an object store, without its location. Raise RunDirError
    or OSError as `storage_of` does."""
    address = "://".join(_parts(address))
    words = _NOT_A_WORD.sub("-", address)[-48:].strip("-")
    return f"{words}-{sha256(address.encode()).hexdigest()[:12]}"


def bucket_and_prefix(address: str) -> tuple[str, str]:
    """Return an address's bucket and prefix, without outer slashes, or raise RunDirError."""
    bucket, _, prefix = _parts(address)[1].partition("/")
    return bucket, prefix


def region() -> str | None:
    """Return the region that the environment names."""
    return next((os.environ[name] for name in REGION_VARIABLES if os.environ.get(name)), None)


def endpoint() -> str | None:
    """Return the environment's S3 endpoint as ``scheme://host:port``; None means the default."""
    for name in ENDPOINT_VARIABLES:
        if url := os.environ.get(name):
            parts = urlsplit(url if "://" in url else f"https://{url}")
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    return None


def flush_to_disk(path: str) -> None:
    """Flush a local file's bytes, or a folder's names, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(fs: pafs.FileSystem, root: str, *parts: str) -> str:
    """Make `root`/`parts`…, flushing every new folder's name into its parent; return the path. An
    object store needs no folders."""
    if not is_local(fs):
        return "/".join([root, *parts])
    path = root
    for part in parts:
        above, path = path, f"{path}/{part}"
        if fs.get_file_info(path).type == pafs.FileType.NotFound:
            fs.create_dir(path, recursive=False)
            flush_to_disk(above)
    return path


def write_whole(fs: pafs.FileSystem, path: str, write: Callable[[pa.NativeFile], None]) -> None:
    """Write a file at `path` that is complete and durable as soon as it is visible. `write` writes
    the content to a stream. After an OSError `path` is unchanged."""
    if not is_local(fs):
        # Buffered first, because closing a stream early would write its partial content.
        content = pa.BufferOutputStream()
        write(content)
        with fs.open_output_stream(path) as stream:
            stream.write(content.getvalue())
        return
    folder, _, name = path.rpartition("/")
    temporary = f"{folder}/.{name}{TEMPORARY_SUFFIX}"
    try:
        with fs.open_output_stream(temporary) as stream:
            write(stream)
        flush_to_disk(temporary)
    except OSError:
        # On a full disk an unfinished file would get in the way of others.
        with suppress(OSError):
            fs.delete_file(temporary)
        raise
    fs.move(temporary, path)
    flush_to_disk(folder)


def write_text(fs: pafs.FileSystem, path: str, text: str) -> None:
    """Write UTF-8 text with `write_whole`."""
    write_whole(fs, path, lambda stream: stream.write(text.encode()))


_MOST_BYTES = 64 * 2**20
"""Most bytes of a text file; a manifest of 10,000 models takes 5 MB."""


def read_stored_text(fs: pafs.FileSystem, path: str) -> str:
    """Return a whole file of UTF-8 text. Raise OSError if it is missing or cannot be read,
    ValueError if it is not text or has more than `_MOST_BYTES`."""
    with fs.open_input_stream(path) as stream:
        content = bytes(stream.read(_MOST_BYTES + 1))
    if len(content) > _MOST_BYTES:
        raise ValueError(f"more than {_MOST_BYTES:,} bytes")
    return content.decode()


def names_in(fs: pafs.FileSystem, folder: str) -> list[str]:
    """Return the names of files and folders in `folder`, sorted; nothing if it is missing."""
    selector = pafs.FileSelector(folder, allow_not_found=True)
    return sorted(info.base_name for info in fs.get_file_info(selector))


def files_below(fs: pafs.FileSystem, folder: str, suffix: str) -> Iterator[str]:
    """Return the paths of the files below `folder` whose names end in `suffix`, sorted."""
    selector = pafs.FileSelector(folder, allow_not_found=True, recursive=True)
    yield from sorted(
        info.path
        for info in fs.get_file_info(selector)
        if info.type == pafs.FileType.File and info.path.endswith(suffix)
    )


def _parts(address: str) -> tuple[str, str]:
    parts = urlsplit(address)
    root = f"{parts.netloc}{parts.path}".rstrip("/")
    if parts.scheme not in SCHEMES:
        raise _no_address(f"{parts.scheme}://…")
    if not parts.netloc or "@" in root or parts.query or parts.fragment or "//" in root:
        raise _no_address("more than a bucket and a prefix, not shown: it may hold a secret")
    return parts.scheme, root


def is_local(fs: pafs.FileSystem) -> bool:
    """Return whether the file system is this machine's, rather than an object store's."""
    return isinstance(fs, pafs.LocalFileSystem)


def _gs() -> pafs.FileSystem:
    options = {"retry_time_limit": timedelta(seconds=_RETRY_S)}
    emulator = os.environ.get(EMULATOR_VARIABLE)
    if not emulator:
        return pafs.GcsFileSystem(**options)
    url = urlsplit(emulator if "://" in emulator else f"http://{emulator}")
    return pafs.GcsFileSystem(
        anonymous=True, scheme=url.scheme, endpoint_override=url.netloc, **options
    )


def _s3(bucket: str) -> pafs.FileSystem:
    options = {"connect_timeout": _CONNECT_S, "request_timeout": _SILENCE_S}
    url = endpoint()
    if url is None:
        return pafs.S3FileSystem(region=region() or pafs.resolve_s3_region(bucket), **options)
    scheme, _, host = url.partition("://")
    # A private store has no regions, but its requests are signed with one.
    return pafs.S3FileSystem(
        region=region() or "us-east-1", scheme=scheme, endpoint_override=host, **options
    )


def _no_address(got: str) -> RunDirError:
    return RunDirError(
        "the run directory's address",
        got,
        "a path on a local disk, s3://bucket/prefix or gs://bucket/prefix",
        "endpoint, region and credentials belong in the environment "
        "(AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, …)",
    )
