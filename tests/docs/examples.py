"""The examples of README and docs, as a reader would copy them."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mirror_ray.analysis import warehouse
from mirror_ray.analysis.episode_tables import hold_episodes
from mirror_ray.contract.metrics import METRICS

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


class Opened:
    """What `mirror-ray sql` has opened of the run that all directories are copies of."""

    def __init__(self) -> None:
        self.connections: dict[Any, duckdb.DuckDBPyConnection] = {}

    def for_query(self, text: str) -> Callable[..., AbstractContextManager[Any]]:
        """What opens a run for a command, each number of directories and set of families once.

        Views over all families have the run's own family and those that the command names: DuckDB
        takes seconds to bind such a view of all.
        """
        families = frozenset(name for name in METRICS if f".{name}" in text)

        def opens(
            directories: Sequence[str], *, variables: Mapping[str, Any], **_: object
        ) -> AbstractContextManager[Any]:
            key = (len(directories), families, *sorted(variables.items()))
            if key not in self.connections:
                # A page's runs are of its own families; here all are copies of one of selfid.
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(warehouse, "_stated_families", lambda _: families)
                    patch.setattr(warehouse, "hold_episodes", _hold_every_family)
                    self.connections[key] = warehouse.open_run(
                        directories, variables=variables, hold=True
                    )
            return nullcontext(self.connections[key])

        return opens


def _hold_every_family(run: duckdb.DuckDBPyConnection, sources: Any, *_: Any, **__: Any) -> None:
    """Those without episodes, too: without a list of files nobody knows which they are."""
    hold_episodes(run, sources, ())


@contextmanager
def opening_once() -> Iterator[Opened]:
    opened = Opened()
    yield opened
    for connection in opened.connections.values():
        connection.close()
