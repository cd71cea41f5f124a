"""Protects Ray's own processes from signals that are meant for the driver.

A terminal, `timeout`, systemd and `scancel` signal whole process groups or control groups. The
driver stops a run in order; a raylet that ended at once would lose the replies in flight.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from typing import Any

from ray.thirdparty_files import psutil

STOPPING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
_LOOK_EVERY_S = 0.02


@contextmanager
def children_deaf_to_stops() -> Iterator[None]:
    """Block the signals of `STOPPING` in all processes that the block starts.

    The first signal that comes meanwhile takes effect at the end of the block: other threads do not
    block it, and within Ray's start KeyboardInterrupt may be swallowed. A second one takes effect
    at once.
    """
    came: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt

    handlers: dict[signal.Signals, Any] = {}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        if current_thread() is main_thread():
            handlers = {one: signal.getsignal(one) for one in STOPPING}
            for number in [one for one, given in handlers.items() if given == signal.SIG_IGN]:
                del handlers[number]
            for number in handlers:
                signal.signal(number, note)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, given in handlers.items():
            signal.signal(number, given)
        if came:
            signal.raise_signal(came[0])


@contextmanager
def deaf_children_end_at_once() -> Iterator[None]:
    """While the block runs, kill children to which SIGTERM was sent and that block it. Ray would
    wait a second for each."""
    over = Event()
    thread = Thread(target=_end_deaf_children, args=(over,), name="ending-ray", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _end_deaf_children(over: Event) -> None:
    while not over.wait(_LOOK_EVERY_S):
        for child in psutil.Process().children():  # type: ignore[no-untyped-call]
            if _has_sigterm_pending(child.pid):
                with suppress(psutil.Error):
                    for process in (*child.children(recursive=True), child):
                        process.kill()


def _has_sigterm_pending(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    bit = 1 << (signal.SIGTERM - 1)
    return any(
        int(line.split()[1], 16) & bit
        for line in status.splitlines()
        if line.startswith(("ShdPnd:", "SigPnd:"))
    )
