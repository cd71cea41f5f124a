"""Real file systems that are small or read-only: mounted for a test, where that is allowed."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def _mount(*arguments: str) -> None:
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"file systems may not be mounted here: {done.stderr.strip()}")


@contextmanager
def small_disk(path: Path, size: str) -> Iterator[Path]:
    """A disk of `size`, e.g. ``1m``, at `path`."""
    path.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={size}", "none", str(path))
    try:
        yield path
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)


def fill(path: Path) -> Path:
    """A file that takes all the room that is left on the disk at `path`."""
    ballast = path / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    return ballast


def enlarge(path: Path, size: str) -> None:
    _mount("-o", f"remount,size={size}", str(path))


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    """Makes `path` read-only within the block, for root as well."""
    _mount("--bind", str(path), str(path))
    try:
        _mount("-o", "remount,bind,ro", str(path))
        yield
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)
