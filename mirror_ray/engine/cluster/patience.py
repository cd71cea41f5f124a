"""Lets Ray start on a busy machine: instead of 30 s, its raylet has `STARTS_WITHIN_S`."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic, sleep
from typing import Any

from ray._private import services
from ray.thirdparty_files import psutil

from mirror_ray.core.errors import LostError

STARTS_WITHIN_S = 600.0
SAID_AFTER_S = 30.0
_ASK_EVERY_S = 0.2

_WAITS = {
    # Workers that load their modules slowly would be ended, and started again.
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
    """While the block starts Ray, wait for its raylet as long as its processes live.

    Args:
        say: called once with a line for a person, if it takes long.
    """
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
