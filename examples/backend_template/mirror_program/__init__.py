"""program: a model whose replies come from a program, started once per request.

The program reads the request from standard input and writes a chat completion in OpenAI's format to
standard output. This is the simplest interface for a checkpoint without a server, or for a tool in
another language.
"""

import asyncio
import json
import os
import shlex
from asyncio.subprocess import PIPE

from mirror_ray.providers.chat_backend import Call
from mirror_ray.providers.chat_completion import HttpError
from mirror_ray.providers.model import Model

API_KEY = "MODEL_API_KEY"
"""The environment variable that passes the catalogue entry's key to the program."""


class Program:
    """A `ChatBackend` that starts a program.

    Args:
        model: its target is the command line, relative to the folder in which the run is started.
    """

    def __init__(self, model: Model) -> None:
        self._command = shlex.split(model.target)

    async def complete(self, call: Call) -> bytes:
        """Start the program and return its output; kill it after the entry's `timeout_s`.

        Raises:
            HttpError: the program exited with a status other than 0.
            ConnectionError: the program cannot be started.
        """
        key = {} if call.api_key is None else {API_KEY: call.api_key}
        try:
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=os.environ | key
            )
        except OSError as error:
            raise ConnectionError(f"{self._command[0]}: {error.strerror}") from error
        try:
            replied, said = await process.communicate(json.dumps(dict(call.body)).encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            raise HttpError(500, {}, said.decode("utf-8", "replace")[-500:])
        return replied

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""
