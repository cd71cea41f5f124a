"""Explains an error of a disk or a store: what was got, what is allowed, how to fix it. Never shows
a secret's value."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.records.storage import endpoint, is_address

_CREDENTIALS = {
    "s3": ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"),
    "gs": ("GOOGLE_APPLICATION_CREDENTIALS",),
}


@contextmanager
def faults_reported(directory: str, doing: str) -> Iterator[None]:
    """Convert a file system's error within the block into `storage_fault`."""
    try:
        yield
    except BrokenPipeError:
        # Only a closed pipe raises this error, not a file system.
        raise
    except OSError as error:
        raise storage_fault(directory, error, doing) from error


def storage_fault(directory: str, error: OSError, doing: str) -> RunDirError:
    """Return the error for a file system's error.

    Args:
        directory: the run directory, as the user wrote it.
        doing: the failed action, e.g. ``a Parquet shard could not be written``.
    """
    said = str(error)
    got, allowed, fix = said, "free space, and files this user may write", _LOCAL_FIX
    if error.errno == errno.ENOSPC or "No space left" in said:
        fix = "make room and run the same command again: nothing is lost"
    if is_address(directory):
        got, allowed, fix = _of_store(said, directory.partition(":")[0])
    return RunDirError(f"{directory}: {doing}", got, allowed, fix)


_LOCAL_FIX = (
    "make room, or give this user the right to write, and run the same command again: "
    "nothing is lost"
)


def _of_store(said: str, scheme: str) -> tuple[str, str, str]:
    url = endpoint() if scheme == "s3" else None
    known = _CREDENTIALS[scheme]
    found = [name for name in known if os.environ.get(name)]
    told = {
        "endpoint": "" if url is None else f" and AWS_ENDPOINT_URL (now {url})",
        "credentials": f" (set now: {', '.join(found) or 'none'} of {', '.join(known)})",
    }
    for one in shipped_yaml("mirror_ray.records", "storage_fault.yaml"):
        if any(sign in said for sign in one["words"]):
            return f"{one['got']}: {said}", one["allowed"], one["fix"].format(**told)
    return said, "a store that answers", "run the same command again: nothing is lost"
