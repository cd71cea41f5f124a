"""Processes of this machine by a word on their command lines, as `ps` would show them."""

from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

PATIENCE_S = 60.0


def with_word(word: str) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                if word.encode() in words and state != "Z":
                    found.append(int(folder.name))
    return found


def command_line(pid: int) -> bytes:
    """Its words, each ended by a zero byte."""
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def wait_for(condition, patience_s: float = PATIENCE_S):
    """The first true value of a condition."""
    until_s = monotonic() + patience_s
    while not (value := condition()):
        assert monotonic() < until_s, "it did not happen"
        sleep(0.05)
    return value
