"""Ends an actor's process together with the raylet that started it.

Ray polls for the raylet, and takes an unreaped one for alive. Meanwhile the actor cannot be
reached, and a Provider's replies would not be recorded."""

import os
from select import POLLIN, poll
from threading import Thread
from time import sleep
from typing import Any, TypeVar

RAYLET_PID = "RAY_RAYLET_PID"
EXIT_ORPHANED = 71

RECORDING_S = 1.0
"""How much longer the processes that make replies durable live. If the whole run is on one host,
they get no new calls meanwhile, because the processes that make requests and grant them have ended
at once."""

_T = TypeVar("_T")


def fate_sharing(kind: type[_T], outlives_s: float = 0.0) -> type[_T]:
    """Return the class, changed so that its process ends with its raylet, or `outlives_s` later."""

    def __init__(self: Any, *arguments: Any, **named: Any) -> None:  # noqa: N807
        end_with(int(os.environ[RAYLET_PID]), outlives_s)
        kind.__init__(self, *arguments, **named)

    return type(kind.__name__, (kind,), {"__init__": __init__, "__module__": kind.__module__})


def end_with(pid: int, outlives_s: float = 0.0) -> None:
    """End this process, without cleanup, `outlives_s` after another process of this host ends.

    Without pidfd (Linux before 5.3), only Ray's own check remains."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        os._exit(EXIT_ORPHANED)
    except OSError:
        return
    Thread(target=_end_after, args=(process, outlives_s), name="fate-sharing", daemon=True).start()


def has_ended(process: int, within_s: float | None) -> bool:
    """Wait until the process of a pidfd has ended, reaped or not; None waits without limit."""
    end = poll()
    end.register(process, POLLIN)
    return bool(end.poll(None if within_s is None else 1000 * within_s))


def _end_after(process: int, outlives_s: float) -> None:
    has_ended(process, None)
    sleep(outlives_s)
    os._exit(EXIT_ORPHANED)
