"""Listens for control requests: one line each, answered with one line. A slow, silent or malformed
client costs only its own connection."""

import asyncio
import json
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from mirror_ray.core.errors import MirrorRayError, RunDirError, SweepError
from mirror_ray.engine.control.requests import (
    MOST_REQUEST_BYTES,
    USAGE,
    ControlRequest,
    read_request,
)

Answers: TypeAlias = Callable[[ControlRequest, str], Awaitable[Mapping[str, Any]]]
"""Carries out a request for a client, described in words, and returns the state of the run.

Raises MirrorRayError if it cannot.
"""

MOST_CLIENTS = 16
LINE_WITHIN_S = 5.0
_CREDENTIALS = struct.Struct("3i")
"""The contents of Linux's SO_PEERCRED: process, user, group."""


@asynccontextmanager
async def listening(path: Path, answers: Answers) -> AsyncIterator[None]:
    """While the block runs, accept requests of this user's processes on the socket at `path`. Raise
    RunDirError if no socket can be created, for example on a full disk."""
    waiting = asyncio.Semaphore(MOST_CLIENTS)
    silent: dict[asyncio.StreamWriter, None] = {}  # oldest first

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if len(silent) >= MOST_CLIENTS:
                # A client that has a request sends it at once.
                oldest = next(iter(silent))
                del silent[oldest]
                oldest.transport.abort()
            silent[writer] = None
            try:
                line = await _line(reader)
            finally:
                silent.pop(writer, None)
            if not waiting.locked():
                async with waiting:
                    await _serve(line, writer, answers)
        except (OSError, TimeoutError):
            # The client has closed the connection, or sends nothing.
            pass
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    listener = _bound(path)
    server = await asyncio.start_unix_server(serve, sock=listener, limit=MOST_REQUEST_BYTES)
    try:
        yield
    finally:
        server.close()
        path.unlink(missing_ok=True)


def _bound(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        # Nobody can connect before the socket listens.
        path.chmod(0o600)
    except OSError as error:
        listener.close()
        raise RunDirError(
            str(path),
            f"no socket can be made for mirror-ray ctl: {error.strerror or error}",
            "a folder with room, in which this user may write",
            "make room on its disk, or set TMPDIR to another folder; then run the same again",
        ) from error
    return listener


async def _serve(line: bytes | SweepError, writer: asyncio.StreamWriter, answers: Answers) -> None:
    pid, uid = _peer(writer)
    if uid not in (os.geteuid(), 0):
        return
    try:
        if isinstance(line, SweepError):
            raise line
        request = read_request(line)
        said: Mapping[str, Any] = {"ok": True, **await answers(request, f"process {pid}")}
    except MirrorRayError as error:
        parts = {name: getattr(error, name) for name in ("where", "got", "allowed", "fix")}
        said = {"ok": False, **parts}
    writer.write(f"{json.dumps(said)}\n".encode())
    async with asyncio.timeout(LINE_WITHIN_S):
        await writer.drain()


async def _line(reader: asyncio.StreamReader) -> bytes | SweepError:
    async with asyncio.timeout(LINE_WITHIN_S):
        try:
            return await reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as error:
            return error.partial
        except asyncio.LimitOverrunError:
            got = f"more than {MOST_REQUEST_BYTES:,} bytes"
            return SweepError("ctl: request", got, USAGE, "send one line")


def _peer(writer: asyncio.StreamWriter) -> tuple[int, int]:
    its = writer.get_extra_info("socket")
    packed = its.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    pid, uid, _ = _CREDENTIALS.unpack(packed)
    return pid, uid
