"""`mirror-ray mock` as a program of its own, and what it has counted."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen


@contextmanager
def mock(sweep: Path | str, catalogue: Path, *options: str) -> Iterator[str]:
    """Host and port of a running server.

    Args:
        catalogue: where it writes how its models are asked.
    """
    command = [sys.executable, "-m", "mirror_ray", "mock", str(sweep), *options]
    with subprocess.Popen(
        [*command, "--port", "0", "--catalogue", str(catalogue)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            yield line.partition("http://")[2].partition("/v1")[0]
        finally:
            process.terminate()


def stats_of(address: str) -> Mapping[str, Mapping[str, Any]]:
    """Key → the server's counts."""
    with urlopen(f"http://{address}/stats") as reply:
        counts: Mapping[str, Mapping[str, Any]] = json.load(reply)
    return counts
