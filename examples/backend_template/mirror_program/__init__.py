"""program: a model that a program answers for, started anew for each ask.

The request goes to its standard input, and a chat completion in OpenAI's form comes from its
standard output: what a checkpoint without a server, or a tool in another language, takes least to
speak.
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
"""The variable in which the program finds the key that the catalogue entry names."""


class Program:
    """A `ChatBackend`.

    Args:
        model: whose target is the command line, relative to where the run is started.
    """

    def __init__(self, model: Model) -> None:
        self._command = shlex.split(model.target)

    async def complete(self, call: Call) -> bytes:
        """One start of the program; it is killed where it outlasts the entry's `timeout_s`.

        Raises:
            HttpError: it ended with a status other than 0.
            ConnectionError: it cannot be started.
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
        """Holds nothing open."""
