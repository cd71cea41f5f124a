"""Ctrl-C, SIGTERM and a lost terminal (SIGHUP) stop a run: gently at first, then at once."""

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def stop_as_interrupt() -> None:
    """Make SIGTERM and SIGHUP raise KeyboardInterrupt, as Ctrl-C does, before and after a run
    plays. The run then ends with the same exit code, and can be resumed."""
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            # Ignored, as under nohup: the run is to outlive its terminal.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.default_int_handler)


@contextmanager
def interrupts(
    playing: "asyncio.Task[None]",
    stopping: Callable[[], None],
    drain: Callable[[], Awaitable[None]],
) -> Iterator[Callable[[], None]]:
    """While the block runs, the first signal drains and a second one cancels `playing`; each calls
    `stopping`. Yield the first signal's effect, for other ways to stop a run."""
    draining: list[asyncio.Future[None]] = []

    def stop() -> None:
        stopping()
        if draining:
            playing.cancel()
        else:
            draining.append(asyncio.ensure_future(drain()))

    def stop_gently() -> None:
        if not draining:
            stop()

    if threading.current_thread() is not threading.main_thread():
        yield stop_gently
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    if before[signal.SIGHUP] is signal.SIG_IGN:
        # As in `stop_as_interrupt`.
        del before[signal.SIGHUP]
    for number in before:
        loop.add_signal_handler(number, stop)
    try:
        yield stop_gently
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
