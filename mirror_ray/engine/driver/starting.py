"""Reports what a run does before its first request and after its last: a spinner on a terminal,
otherwise a line."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from rich.console import Console

from mirror_ray.core.terminal import say


class Starting(ExitStack):
    """Shows what is being done, while its block runs or until `close`; if `plain`, as lines."""

    def __init__(self, console: Console, *, plain: bool) -> None:
        super().__init__()
        self._console = console
        self._spins = console.is_terminal and not console.is_dumb_terminal and not plain

    def step(self, words: str) -> None:
        """Begin the next step."""
        self.close()
        if self._spins:
            self.enter_context(self._console.status(f"{words} …"))
        else:
            say(self._console, f"{words}.")

    @contextmanager
    def ended_by(self, next_display: AbstractContextManager[None]) -> Iterator[None]:
        """Stop, and show another display while the block runs."""
        self.close()
        with next_display:
            yield
