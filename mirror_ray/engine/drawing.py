"""The one thread on which a process draws and encodes, and the watch over it.

Knows that a GL context lives and dies on one thread and that a graphics driver may hang; does not
know Ray, nor what a view shows.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic, thread_time
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from mirror_ray.engine.rollout import Picture
from mirror_ray.errors import EngineError
from mirror_ray.types import Encoding, Frame, Image, View

WATCH_EVERY_S = 1.0

TOLD_TOGETHER = 16
"""Where many pictures wait, so many are handed over at once: a core that turns from drawing to
episodes and back for every single one takes twice as long for the episodes' part."""

T = TypeVar("T")


class Draws(Protocol):
    """A renderer, made and used on one thread."""

    def draw(self, view: View) -> Frame:
        """Draws a view; RenderError when it cannot."""
        ...


@dataclass(frozen=True, slots=True)
class DrawingStats:
    """Pictures drawn so far, and the CPU time of drawing and of encoding them."""

    pictures: int
    draw_cpu_s: float
    encode_cpu_s: float


class Easel:
    """Draws views one after another on a thread of its own, while the event loop runs on.

    Args:
        make_renderer: called once, on the thread.
        encode: (rgb, encoding) → Image, called on the thread: handing frames to another thread
            gains nothing where every core already renders.
        limit_s: a single draw that takes longer counts as a hung driver.
        on_hang: called with the reason, on the event loop, once the graphics driver hangs.
    """

    def __init__(
        self,
        make_renderer: Callable[[], Draws],
        encode: Callable[[NDArray[np.uint8], Encoding], Image],
        *,
        limit_s: float,
        on_hang: Callable[[str], None],
    ) -> None:
        self._make_renderer = make_renderer
        self._encode = encode
        self._limit_s = limit_s
        self._on_hang = on_hang
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="easel")
        self._renderer: Draws | None = None
        self._busy_since_s: float | None = None
        self._hung = False
        self._working = False
        self._jobs: deque[tuple[asyncio.Future[Any], Callable[[], Any]]] = deque()
        self._pending: set[asyncio.Future[Any]] = set()
        self._reason = f"a picture took longer than {limit_s:g} s: the graphics driver hangs"
        self._watch: asyncio.Task[None] | None = None
        self._pictures = 0
        self._draw_cpu_s = 0.0
        self._encode_cpu_s = 0.0

    async def open(self) -> None:
        """Makes the renderer; to be awaited once, before the first draw.

        Raises:
            RenderError: there is no usable GL.
            EngineError: making it hangs.
        """
        self._watch = asyncio.create_task(self._keep_watch())
        await self._on_thread(self._start)

    async def draw(self, view: View) -> Picture:
        """Draws and encodes a view when its turn comes.

        Raises:
            RenderError: this view cannot be drawn.
            EngineError: the graphics driver hangs.
        """
        return await self._on_thread(lambda: self._make_picture(view))

    def stats(self) -> DrawingStats:
        """What was drawn since the start."""
        return DrawingStats(self._pictures, self._draw_cpu_s, self._encode_cpu_s)

    def _start(self) -> None:
        self._renderer = self._make_renderer()

    def _make_picture(self, view: View) -> Picture:
        if self._renderer is None:
            raise EngineError("a picture was asked for before the renderer was made")
        began_s = thread_time()
        frame = self._renderer.draw(view)
        drawn_s = thread_time()
        image = self._encode(frame.rgb, view.encoding)
        self._pictures += 1
        self._draw_cpu_s += drawn_s - began_s
        self._encode_cpu_s += thread_time() - drawn_s
        return Picture(image, frame.facts)

    async def _on_thread(self, job: Callable[[], T]) -> T:
        if self._hung:
            raise EngineError(self._reason)
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._pending.add(done)
        self._jobs.append((done, job))
        self._go_to_work()
        try:
            return await done
        finally:
            self._pending.discard(done)

    def _go_to_work(self) -> None:
        """On the event loop; the thread works until it finds nothing more to do."""
        if self._jobs and not self._working:
            self._working = True
            self._thread.submit(self._work, asyncio.get_running_loop())

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """On the thread: one job after another, told of together."""
        ended: list[_Ended] = []
        while self._jobs:
            done, job = self._jobs.popleft()
            self._busy_since_s = monotonic()
            try:
                ended.append(_Ended(done, job(), None))
            except Exception as reason:
                ended.append(_Ended(done, None, reason))
            self._busy_since_s = None
            if len(ended) == TOLD_TOGETHER and self._jobs:
                loop.call_soon_threadsafe(_tell, ended)
                ended = []
        loop.call_soon_threadsafe(self._rest, ended)

    def _rest(self, ended: Sequence["_Ended"]) -> None:
        self._working = False
        _tell(ended)
        self._go_to_work()

    async def _keep_watch(self) -> None:
        while not self._hung:
            await asyncio.sleep(min(WATCH_EVERY_S, self._limit_s / 4))
            busy_since_s = self._busy_since_s
            if busy_since_s is not None and monotonic() - busy_since_s > self._limit_s:
                self._hung = True
                for waiting in self._pending:
                    if not waiting.done():
                        waiting.set_exception(EngineError(self._reason))
                self._on_hang(self._reason)


@dataclass(frozen=True, slots=True)
class _Ended:
    done: "asyncio.Future[Any]"
    result: object
    error: Exception | None


def _tell(ended: Sequence[_Ended]) -> None:
    """On the event loop: those who wait hear what became of their jobs."""
    for one in ended:
        if one.done.done():
            continue
        if one.error is not None:
            one.done.set_exception(one.error)
        else:
            one.done.set_result(one.result)
