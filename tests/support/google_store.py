"""Google Cloud Storage on loopback, reached over HTTP as the real one is."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROGRAM = Path(__file__).with_name("gs_server.py")


@contextmanager
def google_store(bucket: str) -> Iterator[int]:
    """The port of a server that holds one empty bucket."""
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), bucket],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(30)
