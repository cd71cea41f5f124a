"""Ends a process whose graphics driver hangs while it holds the interpreter's lock.

MuJoCo reads pixels back without the lock, so that the event loop can notice a hang. It makes
contexts and uploads textures with it, so that no Python of this process runs any more.
"""

import faulthandler
from time import monotonic

RENEWED_EVERY_S = 1.0
"""Starting the timer costs a thread: for every picture it would cost a hundredth of the drawing."""

_STANDARD_ERROR = 2


class LastResort:
    """A timer that needs no lock; one per process.

    Args:
        after_s: time from the last `renew` to the end of the process, within `RENEWED_EVERY_S`,
            with exit status 1 and a traceback of each thread.
    """

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._since_s: float | None = None

    def renew(self) -> None:
        """Start or restart the timer."""
        now_s = monotonic()
        if self._since_s is None or now_s - self._since_s >= RENEWED_EVERY_S:
            self._since_s = now_s
            faulthandler.dump_traceback_later(self._after_s, exit=True, file=_STANDARD_ERROR)

    def cancel(self) -> None:
        """Stops the timer."""
        self._since_s = None
        faulthandler.cancel_dump_traceback_later()
