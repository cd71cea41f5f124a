"""The one thread on which a process draws and encodes, and the watch over it.

Knows that a GL context lives and dies on one thread and that a graphics driver may hang; does not
know Ray, nor what a view shows.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import monotonic, thread_time
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from mirror_ray.engine.rollout import Picture
from mirror_ray.errors import EngineError
from mirror_ray.types import Encoding, Frame, Image, View

WATCH_EVERY_S = 1.0

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
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._pending.add(done)

        def settle(result: T | None, error: BaseException | None) -> None:
            if done.done():
                return
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(cast(T, result))

        def timed() -> None:
            self._busy_since_s = monotonic()
            result, error = None, None
            try:
                result = job()
            except Exception as reason:
                error = reason
            self._busy_since_s = None
            loop.call_soon_threadsafe(settle, result, error)

        self._thread.submit(timed)
        try:
            return await done
        finally:
            self._pending.discard(done)

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
