"""One start of an engine: its process under the guard, the last lines of its output, its end."""

import asyncio
import os
import sys
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from mirror_ray.core.child_environment import child_environment
from mirror_ray.engine.server.guard import GRACE_S
from mirror_ray.providers.redaction import Secrets
from mirror_ray.providers.served import Served

KEPT_LINES = 50
MOST_LOG_CHARS = 300
_MOST_LINE_BYTES = 8 * 1024


class LogTail:
    """The last lines of a program's output, fed as it arrives. No line shows a value of
    `secrets`."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._lines: deque[bytes] = deque(maxlen=KEPT_LINES)
        self._open = b""

    def feed(self, data: bytes) -> None:
        """Add output; a line that is overwritten, like a progress bar's, counts again."""
        *whole, rest = (self._open + data).replace(b"\r", b"\n").split(b"\n")
        self._lines.extend(line[:_MOST_LINE_BYTES] for line in whole if line.strip())
        self._open = rest[:_MOST_LINE_BYTES]

    @property
    def lines(self) -> tuple[str, ...]:
        """Return at most `KEPT_LINES` lines, the latest last."""
        last = [self._open] if self._open.strip() else []
        kept = [*self._lines, *last][-KEPT_LINES:]
        return tuple(
            self._secrets.one_line(line.decode("utf-8", "replace"), MOST_LOG_CHARS) for line in kept
        )


GUARD = Path(__file__).with_name("guard.py")
_CHUNK_BYTES = 64 * 1024
_KILLED_WITHIN_S = 20.0

_OF_THIS_PYTHON = ("PYTHONPATH", "VIRTUAL_ENV")


class EngineProcess:
    """A running engine, which ends with this process, however this process ends."""

    def __init__(self, process: asyncio.subprocess.Process, log: LogTail) -> None:
        self._process = process
        self._reading = asyncio.create_task(self._read(log))

    @classmethod
    async def start(
        cls, argv: Sequence[str], env: Mapping[str, str], log: LogTail
    ) -> "EngineProcess":
        """Start a program with exactly this environment; `log` gets its output."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", "-S", str(GUARD)),
            *argv,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=dict(env),
            # A terminal's Ctrl-C is for the driver, which ends its servers in order.
            start_new_session=True,
        )
        return cls(process, log)

    async def ended(self) -> int:
        """Wait for the end; return the exit code, 128 plus the signal if one ended it."""
        return await self._process.wait()

    async def end(self) -> None:
        """Ask the engine to end; if it does not, kill it with all its descendants."""
        lifeline = self._process.stdin
        if self._process.returncode is None and lifeline is not None:
            with suppress(OSError):
                lifeline.write(b".")
                await lifeline.drain()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), GRACE_S + _KILLED_WITHIN_S)
        if lifeline is not None:
            lifeline.close()
        self._reading.cancel()

    async def _read(self, log: LogTail) -> None:
        output = self._process.stdout
        while output is not None and (data := await output.read(_CHUNK_BYTES)):
            log.feed(data)


def engine_env(served: Served, keys: Collection[str] = ()) -> dict[str, str]:
    """Return the environment of a model's server: that of `child_environment`, with variables that
    its entry passes by name or sets.

    A server with `engine: command`, such as the mock, may need this process's import path.

    Args:
        keys: variables that hold keys of the run's models.
    """
    ours = _OF_THIS_PYTHON if served.engine == "command" else ()
    env = child_environment(os.environ, named={*served.pass_env, *ours}, keys=keys)
    if not served.gpus:
        env["CUDA_VISIBLE_DEVICES"] = ""
    # If the program is a Python interpreter, it imports nothing from the current folder.
    return {**env, "PYTHONSAFEPATH": "1", **served.env}
