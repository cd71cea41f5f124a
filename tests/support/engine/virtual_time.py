"""An event loop whose clock jumps to the next timer: hours of pacing pass in milliseconds."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise AssertionError("nothing will ever happen: everyone waits for someone else")
            self.now_s += timeout
        return ready


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


Clock = Callable[[], float]


def run_virtually(scenario: Callable[[Clock], Coroutine[Any, Any, T]]) -> T:
    """Runs `scenario(clock)` to its end; AssertionError on a deadlock."""
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(scenario(runner.get_loop().time))
