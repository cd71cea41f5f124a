"""One writer at a time: a lock file that dies with its process.

Knows flock: the kernel releases it with the last descriptor, so a killed run leaves no obstacle;
does not know what is locked.
"""

import fcntl
import os
import socket
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from mirror_ray.errors import RunDirError

_POLL_S = 0.05


class Lock:
    """Held from construction to `close`, or to the process's end.

    Args:
        wait_s: how long to wait for a holder that is about to end.

    Raises:
        RunDirError: somebody alive holds it, or the file system has no locks.
    """

    def __init__(self, path: Path, *, what: str, wait_s: float = 0.0) -> None:
        deadline = monotonic() + wait_s
        try:
            self._descriptor: int | None = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
            )
        except OSError as error:
            raise RunDirError(
                f"{path}\n  got:     {error.strerror}\n  allowed: a folder this user may write\n"
                f"  fix:     change its permissions, or use another --out"
            ) from error
        while not self._taken(path):
            if monotonic() >= deadline:
                holder = os.pread(self._descriptor, 200, 0).decode(errors="replace").strip()
                self.close()
                raise RunDirError(
                    f"{path.parent}: {what} is in use\n"
                    f"  got:     a lock held by {holder or 'another process'}\n"
                    f"  allowed: one writer at a time\n"
                    f"  fix:     wait for it, stop it, or use another --out"
                )
            sleep(_POLL_S)
        holder = f"process {os.getpid()} on {socket.gethostname()}"
        with suppress(OSError):  # on a full disk the lock holds as well, without a name
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
                f"{path}\n  got:     a file system without locks ({error.strerror})\n"
                f"  allowed: one with flock\n  fix:     use a local --out"
            ) from error
        return True

    def close(self) -> None:
        """Release; harmless when it is released already."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
