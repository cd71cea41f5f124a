"""Sends requests to a run in progress."""

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from mirror_ray.core.errors import EngineError, MirrorRayError, RunDirError, UnfitError
from mirror_ray.core.plain_json import read_json
from mirror_ray.engine.control.address import Address, is_own_socket, noted_address
from mirror_ray.records.lock import is_held
from mirror_ray.records.rundir import LOCK_NAME

_STARTS_WITHIN_S = 60.0
"""A run listens only once its Ray session is up, and not between two stages."""

_ANSWERS_WITHIN_S = 30.0
_MOST_ANSWER_BYTES = 256 * 1024
_AGAIN_S = 0.2


def ask(
    home: Path, request: Mapping[str, Any], *, within_s: float = _STARTS_WITHIN_S
) -> dict[str, Any]:
    """Return the answer of the run in the folder `home`.

    Raises:
        RunDirError: no run plays there, or not on this machine.
        EngineError: it does not answer.
        MirrorRayError: it refuses; with the run's message.
    """
    deadline = monotonic() + within_s
    while (connection := _connected(home)) is None:
        if not is_held(home / LOCK_NAME):
            raise RunDirError(
                f"{home}: no run plays there on this machine",
                _noted(noted_address(home)),
                "the directory of a run that plays, on its own host",
                "mirror-ray status says how it is; mirror-ray run resumes it",
            )
        if monotonic() > deadline:
            raise EngineError(
                f"{home}: the run does not listen",
                f"nothing for {within_s:.0f} s",
                "a run that plays, of this user's",
                "look at mirror-ray status, and try again",
            )
        sleep(_AGAIN_S)
    with connection:
        said = _answer(connection, request)
    if said.pop("ok", False) is not True:
        where, got, allowed, fix = (
            str(said.get(part, "")) for part in ("where", "got", "allowed", "fix")
        )
        raise MirrorRayError(where, got, allowed, fix)
    return said


def _connected(home: Path) -> socket.socket | None:
    found = noted_address(home)
    if found is None or not is_own_socket(found.path):
        return None
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(_ANSWERS_WITHIN_S)
    try:
        connection.connect(str(found.path))
    # The socket of a dead run, or of one that is about to listen.
    except OSError:
        connection.close()
        return None
    return connection


def _answer(connection: socket.socket, request: Mapping[str, Any]) -> dict[str, Any]:
    got = bytearray()
    with suppress(OSError):
        connection.sendall(f"{json.dumps(request)}\n".encode())
        while not got.endswith(b"\n") and len(got) < _MOST_ANSWER_BYTES:
            more = connection.recv(65_536)
            if not more:
                break
            got += more
    try:
        said = read_json(got.decode())
    except (UnfitError, UnicodeDecodeError):
        said = None
    if not isinstance(said, dict):
        raise EngineError(
            "ctl: the run does not answer",
            f"{len(got):,} bytes that are not an answer",
            "one line of JSON",
            "ask again: a change that the run has made is in mirror-ray status",
        )
    return said


def _noted(address: Address | None) -> str:
    if address is None:
        return "no note of one"
    return f"a note of process {address.pid} on {address.host}"
