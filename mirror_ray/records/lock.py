"""One writer at a time: a file lock that the kernel releases with its process."""

import fcntl
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from mirror_ray.core.errors import RunDirError

RECORDER_LOCK = ".recorder.lock"

PREDECESSOR_S = 60.0
"""How long a Recorder waits for the Recorder of a run that has just been killed. That one ends
within seconds, or within a minute on a cluster that has lost its head."""

_POLL_S = 0.05

LOOKED_AT_S = 0.5
"""How long `is_held`, which tests a lock, may keep others from taking it."""


def is_held(path: Path) -> bool | None:
    """Return whether a live process has the lock; None if that cannot be determined."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return None
    try:
        # Released at once; a process that takes the lock waits longer than this lasts.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return False


def require_free(path: Path, *, what: str, wait_s: float = 0.0) -> None:
    """Wait, up to `wait_s` for a process that is about to end, until no live process has the lock.
    Raise RunDirError if one still has it. The lock is not taken."""
    _wait_until(lambda: not is_held(path), path, what, wait_s)


def _wait_until(is_free: Callable[[], bool], path: Path, what: str, wait_s: float) -> None:
    deadline = monotonic() + wait_s
    while not is_free():
        if monotonic() >= deadline:
            holder = ""
            with suppress(OSError), path.open("rb") as file:
                holder = file.read(200).decode(errors="replace").strip()
            raise RunDirError(
                f"{path.parent}: {what} is in use",
                f"a lock held by {holder or 'another process'}",
                "one writer at a time",
                "wait for it, stop it, or use another --out",
            )
        sleep(_POLL_S)


class Lock:
    """A lock, kept from construction to `close` or the end of the process. Wait up to `wait_s` for
    an ending process. Raise RunDirError if a live one has it, or if the file system has no
    locks."""

    def __init__(self, path: Path, *, what: str, wait_s: float = 0.0) -> None:
        try:
            self._descriptor: int | None = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
            )
        except OSError as error:
            raise RunDirError(
                str(path),
                str(error.strerror),
                "a folder this user may write",
                "change its permissions, or use another --out",
            ) from error
        try:
            _wait_until(lambda: self._taken(path), path, what, wait_s)
        except RunDirError:
            self.close()
            raise
        holder = f"process {os.getpid()} on {socket.gethostname()}"
        with suppress(OSError):  # on a full disk the lock works without a name
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, holder.encode(), 0)

    def _taken(self, path: Path) -> bool:
        assert self._descriptor is not None  # noqa: S101 - open until close()
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            raise RunDirError(
                str(path),
                f"a file system without locks ({error.strerror})",
                "one with flock",
                "use a local --out",
            ) from error
        return True

    def close(self) -> None:
        """Release the lock; do nothing if it is released already."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
