"""Computes in a copy of this process, so that a library which crashes or hangs ends only the copy.

A new interpreter would have to import everything again."""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from select import select
from time import monotonic
from typing import NoReturn, TypeVar

from mirror_ray.world.opengl.context import kept_waiting_s

T = TypeVar("T")

_READY = b"."
_LOOK_EVERY_S = 0.2
_READ_BYTES = 2**16


def may_fork(*libraries: str) -> bool:
    """Return whether this process may be copied: only one thread runs, and none of these libraries,
    whose locks and devices a copy could not use, is loaded."""
    is_alone = threading.active_count() == 1
    return sys.platform == "linux" and is_alone and not any(map(sys.modules.get, libraries))


def computed_in_fork(
    compute: Callable[[Callable[[], object]], T], ready_within_s: float
) -> T | None:
    """Return the result of `compute` in a copy of this process; None if the copy crashed, raised an
    exception, or was not ready in time.

    Args:
        compute: returns what can be pickled, not None. It is given a function, to be called once
            the library has started.
        ready_within_s: until then, not counting the time that other programs take.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        _compute_and_exit(compute, writing)
    os.close(writing)
    try:
        return _result(pid, reading, ready_within_s)
    finally:
        os.close(reading)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _compute_and_exit(compute: Callable[[Callable[[], object]], T], writing: int) -> NoReturn:
    # Whatever happens, the copy must not go on with what the process was doing.
    try:
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            pipe.write(pickle.dumps(compute(lambda: pipe.write(_READY))))
    finally:
        os._exit(0)


def _result(pid: int, reading: int, ready_within_s: float) -> T | None:
    said = bytearray()
    began_s = monotonic()
    while True:
        is_readable, _, _ = select([reading], [], [], _LOOK_EVERY_S)
        if is_readable:
            some = os.read(reading, _READ_BYTES)
            if not some:
                break
            said += some
        elif not said and monotonic() - began_s - kept_waiting_s(pid) > ready_within_s:
            return None
    try:
        result: T = pickle.loads(said.removeprefix(_READY))  # noqa: S301 - from our own copy
    except (EOFError, pickle.UnpicklingError):
        return None
    return result
