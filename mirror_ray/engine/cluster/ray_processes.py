"""Ray's own processes on this machine. On a busy machine, a raylet gets `STARTS_WITHIN_S` to start
instead of 30 s. All are protected from signals that are meant for the driver.

A terminal, `timeout`, systemd and `scancel` signal whole process groups or control groups. The
driver stops a run in order, but a raylet that ended at once would lose the replies in flight."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from time import monotonic, sleep
from types import FrameType
from typing import Any

from ray._private import services
from ray.thirdparty_files import psutil

from mirror_ray.core.errors import LostError

STARTS_WITHIN_S = 600.0
SAID_AFTER_S = 30.0
_ASK_EVERY_S = 0.2

_WAITS = {
    # Otherwise workers that load their modules slowly would be ended and started again.
    "RAY_worker_register_timeout_seconds": str(int(STARTS_WITHIN_S)),
    "RAY_gcs_server_request_timeout_seconds": "120",
}


def _raylet_lives() -> bool:
    for child in psutil.Process().children():  # type: ignore[no-untyped-call]
        with suppress(psutil.Error):
            if child.name() == "raylet" and child.status() != psutil.STATUS_ZOMBIE:
                return True
    return False


@contextmanager
def patient(say: Callable[[str], object]) -> Iterator[None]:
    """Wait for a starting Ray's raylet as long as its processes live; call `say` once if it is
    slow."""
    for name, value in _WAITS.items():
        os.environ.setdefault(name, value)
    get_node = services.get_node
    began_s, said = monotonic(), False

    def get_node_patiently(*words: Any, **named: Any) -> Any:
        nonlocal said
        while True:
            try:
                return get_node(*words, **named)  # type: ignore[no-untyped-call]
            except RuntimeError:
                if not _raylet_lives():
                    raise LostError("its raylet has died") from None
                waited_s = monotonic() - began_s
                if waited_s > STARTS_WITHIN_S:
                    raise
                if waited_s > SAID_AFTER_S and not said:
                    said = True
                    say(
                        f"Ray has not started after {waited_s:.0f} s: this machine is busy (load"
                        f" {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores). Waiting up to"
                        f" {STARTS_WITHIN_S / 60:.0f} min."
                    )
            sleep(_ASK_EVERY_S)

    services.get_node = get_node_patiently
    try:
        yield
    finally:
        services.get_node = get_node


STOPPING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
_LOOK_EVERY_S = 0.02


@contextmanager
def children_deaf_to_stops() -> Iterator[None]:
    """Block the signals of `STOPPING` in all processes that the block starts.

    The first signal that comes meanwhile takes effect at the end of the block: other threads do not
    block it, and within Ray's start KeyboardInterrupt may be swallowed. A second one takes effect
    at once."""
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
        try:
            yield
        finally:
            for number in handlers:
                signal.signal(number, note)
    except SystemExit as stopped:
        # Raised by Ray's own handler of SIGTERM, which Ray sets meanwhile.
        raise KeyboardInterrupt from stopped
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, given in handlers.items():
            signal.signal(number, given)
        if came:
            signal.raise_signal(came[0])


@contextmanager
def deaf_children_end_at_once() -> Iterator[None]:
    """Kill child processes that block a SIGTERM sent to them: Ray would wait a second for each."""
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
