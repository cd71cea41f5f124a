"""What a run does before its first request: a spinner on a terminal, a line otherwise."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType

from rich.console import Console

from mirror_ray.core.terminal import say


class Starting:
    """Says what is being done, for as long as its block runs or until `end`.

    Args:
        plain: lines instead of a spinner.
    """

    def __init__(self, console: Console, *, plain: bool) -> None:
        self._console = console
        self._spins = console.is_terminal and not plain
        self._shown = ExitStack()

    def __enter__(self) -> "Starting":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def step(self, words: str) -> None:
        """Begin the next step."""
        self.end()
        if self._spins:
            self._shown.enter_context(self._console.status(f"{words} …"))
        else:
            say(self._console, f"{words}.")

    @contextmanager
    def ended_by(self, next_display: AbstractContextManager[None]) -> Iterator[None]:
        """Stop, and show another display for as long as the block runs."""
        self.end()
        with next_display:
            yield

    def end(self) -> None:
        """Stop showing it."""
        self._shown.close()
