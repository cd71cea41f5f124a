"""What a bad file is, and what stands where a file is named.

A case is a folder of files beside a sweep that is otherwise good, and what must be said of it.
"""

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

SWEEP = "sweep.yaml"
GOOD = """
name: small
models: [scripted/observer]
stages:
  - family: selfid
    conditions: [E1, E3]
    seeds: 2
    runs: 2
    temperature: [0.2]
out: runs/${name}
"""

Content = str | bytes | Callable[[Path], object]


@dataclass(frozen=True)
class BadFile:
    """A folder that no sweep can be read from.

    Args:
        name: of the test.
        files: name → what it holds, or what makes it.
        overrides: on the command line.
        says: file and key, or override, as the error names them.
    """

    name: str
    files: Mapping[str, Content]
    says: tuple[str, ...]
    overrides: tuple[str, ...] = field(default=())

    def write(self, folder: Path) -> Path:
        """Makes the folder's files; the sweep's path."""
        for name, content in {SWEEP: GOOD, **self.files}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if callable(content):
                content(path)
            elif isinstance(content, str):
                path.write_text(content, encoding="utf-8", newline="")
            else:
                path.write_bytes(content)
        return folder / SWEEP


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def broken_link(path: Path) -> None:
    path.symlink_to("nowhere")


def huge(path: Path) -> None:
    """A terabyte that takes no room."""
    with path.open("wb") as file:
        file.truncate(2**40)


def repeated(piece: bytes, times: int, before: bytes = b"", after: bytes = b"") -> Content:
    """A large file, made only when it is written."""

    def write(path: Path) -> None:
        with path.open("wb") as file:
            file.write(before)
            for _ in range(times):
                file.write(piece)
            file.write(after)

    return write


def unix_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        # Such a path may have 107 bytes only.
        os.chdir(path.parent)
        try:
            bound.bind(path.name)
        finally:
            os.chdir(here)


NO_FILES: Mapping[str, Callable[[Path], None]] = {
    "fifo": fifo,
    "folder": folder,
    "dev_zero": endless,
    "link_to_itself": loop,
    "broken_link": broken_link,
    "terabyte": huge,
    "socket": unix_socket,
}
