"""One start of an engine: its process under the guard, its output, its end."""

import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from mirror_ray.engine.server.guard import GRACE_S
from mirror_ray.engine.server.log_tail import LogTail

GUARD = Path(__file__).with_name("guard.py")
_CHUNK_BYTES = 64 * 1024
_KILLED_WITHIN_S = 20.0

_NOT_HANDED_ON = (
    # Ray sets it for the actor, to the number of cores that it asked for: 0 becomes 1.
    "OMP_NUM_THREADS",
    # vLLM would ask for it in every call; those that are made here carry no key.
    "VLLM_API_KEY",
)


class EngineProcess:
    """A running engine; ends with this process, however this one ends."""

    def __init__(self, process: asyncio.subprocess.Process, log: LogTail) -> None:
        self._process = process
        self._reading = asyncio.create_task(self._read(log))

    @classmethod
    async def start(
        cls, argv: Sequence[str], env: Mapping[str, str], log: LogTail
    ) -> "EngineProcess":
        """Starts a program.

        Args:
            env: its whole environment.
            log: gets its output.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-S", str(GUARD)),
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
        """Waits for its end; returns its exit code, 128 and the signal where one ended it."""
        return await self._process.wait()

    async def end(self) -> None:
        """Asks it to end, and kills it with all of its descendants if it does not."""
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


def engine_env(
    own: Mapping[str, str], *, gpus: float, hidden: frozenset[str], ours: bool
) -> dict[str, str]:
    """The environment of an engine: this host's, without what is meant for this program.

    Args:
        own: what its catalogue entry adds.
        hidden: variables with other models' keys.
        ours: whether it may import what this program imports.
    """
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    for name in _NOT_HANDED_ON:
        env.pop(name, None)
    if not ours:
        for name in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"):
            env.pop(name, None)
    if not gpus:
        env["CUDA_VISIBLE_DEVICES"] = ""
    return {**env, **own}
