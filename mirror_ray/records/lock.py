"""One writer at a time: a file lock that the kernel releases with its process."""

import fcntl
import os
import socket
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from mirror_ray.core.errors import RunDirError

RECORDER_LOCK = ".recorder.lock"

PREDECESSOR_S = 60.0
"""How long a Recorder waits for the one of a run that has just been killed: that ends within
seconds, on a cluster that has lost its head within a minute."""

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
        # Released at once; whoever takes the lock waits longer than this lasts.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return False


def require_free(path: Path, *, what: str, wait_s: float = 0.0) -> None:
    """Wait until no live process has the lock; it is not taken.

    Args:
        wait_s: how long to wait for a process that is about to end.

    Raises:
        RunDirError: one has it.
    """
    deadline = monotonic() + wait_s
    while is_held(path):
        if monotonic() >= deadline:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                raise _in_use(path, what, descriptor)
            finally:
                os.close(descriptor)
        sleep(_POLL_S)


def _in_use(path: Path, what: str, descriptor: int) -> RunDirError:
    holder = os.pread(descriptor, 200, 0).decode(errors="replace").strip()
    return RunDirError(
        f"{path.parent}: {what} is in use",
        f"a lock held by {holder or 'another process'}",
        "one writer at a time",
        "wait for it, stop it, or use another --out",
    )


class Lock:
    """Kept from construction to `close`, or to the process's end.

    Args:
        wait_s: how long to wait for a process that is about to end.

    Raises:
        RunDirError: a live process has it, or the file system has no locks.
    """

    def __init__(self, path: Path, *, what: str, wait_s: float = 0.0) -> None:
        deadline = monotonic() + wait_s
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
        while not self._taken(path):
            if monotonic() >= deadline:
                refusal = _in_use(path, what, self._descriptor)
                self.close()
                raise refusal
            sleep(_POLL_S)
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
            self.close()
            raise RunDirError(
                str(path),
                f"a file system without locks ({error.strerror})",
                "one with flock",
                "use a local --out",
            ) from error
        return True

    def close(self) -> None:
        """Releases the lock; has no effect if it is released already."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
