"""Run a plug-in's code so that its faults disable only the plug-in.

A module may raise anything at import, SystemExit included, and print; what it prints goes to
standard error, so that a command's JSON stays JSON.
"""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from types import FrameType

from mirror_ray.core.errors import PluginError


@contextmanager
def as_plugin(words: str, package: str) -> Iterator[None]:
    """Run the block; every exception that it raises becomes a PluginError.

    Args:
        words: what brings the plug-in, for the error.
        package: its distribution.

    Raises:
        PluginError: the block raised anything else than a PluginError.
        KeyboardInterrupt: the user pressed Ctrl-C during the block.
    """
    with _interrupts_noted() as interrupted, _printing_to_stderr():
        try:
            yield
        except PluginError:
            raise
        except BaseException as error:
            if interrupted:
                raise
            raise PluginError(
                f"{words}: cannot be imported",
                f"{type(error).__name__}: {_text(error)}",
                "a package that imports here",
                f"fix the package, reinstall it, or run pip uninstall {package}",
            ) from error


@contextmanager
def _interrupts_noted() -> Iterator[list[int]]:
    """Collect the Ctrl-C signals that come during the block, and still raise them as usual."""
    noted: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield noted
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        before(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _printing_to_stderr() -> Iterator[None]:
    """Redirect standard output to standard error, even if a library writes to its descriptor."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    try:
        kept = os.dup(1)
        os.dup2(2, 1)
    except OSError:
        # One of them is closed.
        with redirect_stdout(sys.stderr):
            yield
        return
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _text(error: BaseException) -> str:
    try:
        return str(error)
    # A plug-in's exception may be a plug-in's class.
    except BaseException:
        return "(no text)"
