"""The examples of README and docs, as a reader would copy them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (
    *(ROOT / name for name in ("README.md", "AGENTS.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
)

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Example:
    """One block of code, or one command of a block.

    Args:
        page: the file's name; `line`: where its block begins, 1-based.
    """

    page: str
    line: int
    text: str

    @property
    def words(self) -> list[str]:
        """As a shell splits it, without its comment."""
        return shlex.split(self.text, comments=True)

    @property
    def comment(self) -> str:
        """What stands after the command."""
        return _QUOTED.sub("", self.text).partition(" #")[2]

    @property
    def unquoted(self) -> str:
        """What of the command the shell looks for signs of its own."""
        return _QUOTED.sub("", self.text).partition(" #")[0]

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text.splitlines()[0][:60]}"


def blocks(language: str) -> Iterator[Example]:
    """Every block in a language."""
    for page in PAGES:
        if not page.is_file():
            continue
        text = page.read_text(encoding="utf-8")
        for found in _BLOCK.finditer(text):
            if found[1] == language:
                yield Example(page.name, text.count("\n", 0, found.start()) + 1, found[2])


def commands() -> tuple[Example, ...]:
    """Every command of every `console` block, each once; where some lines begin with ``$``, only
    those."""
    return tuple({shlex.join(one.words): one for one in every_command()}.values())


def every_command() -> Iterator[Example]:
    """Each as often as it stands there."""
    for block in blocks("console"):
        lines = block.text.splitlines()
        typed = [line[2:] for line in lines if line.startswith("$ ")]
        for line in typed or lines:
            for command in re.split(r"\s+&&\s+", line):
                if shlex.split(command, comments=True):
                    yield Example(block.page, block.line, command.strip())
