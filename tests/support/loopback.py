"""The loopback server as a program of its own, reached over real HTTP."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

PROGRAM = Path(__file__).with_name("openai_server.py")
LIMITS_PROGRAM = Path(__file__).with_name("limits_server.py")


@dataclass(frozen=True, slots=True)
class Loopback:
    port: int

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def stats(self) -> dict[str, Any]:
        with urlopen(f"http://127.0.0.1:{self.port}/stats") as reply:
            return json.load(reply)

    def heard(self, system: str, user: str) -> list[tuple[list[str], str]]:
        """The replies to this text: the pictures' digests, and the reply."""
        with urlopen(f"http://127.0.0.1:{self.port}/heard/{digest_of(system, user)}") as reply:
            return json.load(reply)

    def hold(self, at: int = 0) -> None:
        """No call is answered from now on, or after so many calls."""
        self._post(f"hold?at={at}")

    def release(self) -> None:
        self._post("release")

    def _post(self, what: str) -> None:
        with urlopen(Request(f"http://127.0.0.1:{self.port}/{what}", method="POST")):
            pass


def digest_of(system: str, user: str) -> str:
    """Words in a URL."""
    return sha256(f"{system}\n{user}".encode()).hexdigest()


@contextmanager
def loopback_server(*arguments: str, program: Path = PROGRAM) -> Iterator[Loopback]:
    with subprocess.Popen(
        [sys.executable, str(program), "--port", "0", *arguments], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Loopback(int(process.stdout.readline()))
        finally:
            process.terminate()
