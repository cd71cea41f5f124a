"""The one thread on which a process draws and encodes, and its watchdogs. A GL context is bound to
one thread, and a graphics driver may hang."""

import asyncio
import faulthandler
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.errors import EngineError, HungError
from mirror_ray.core.types import Encoding, FrameRenderer, Image, View
from mirror_ray.core.view_key import view_key
from mirror_ray.engine.pending import resolve
from mirror_ray.engine.rollout import DrawnPicture
from mirror_ray.engine.simulator.picture_cache import PictureCache

RENEWED_EVERY_S = 1.0
"""Starting the timer starts a thread; doing so for every picture would cost 1 % of the drawing."""

_STANDARD_ERROR = 2


class LastResort:
    """A timer that needs no lock, one per process. If `renew` is not called for `after_s` (within
    `RENEWED_EVERY_S`), it ends the process with exit status 1 and each thread's traceback."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._since_s: float | None = None

    def renew(self) -> None:
        """Start or restart the timer."""
        now_s = monotonic()
        if self._since_s is None or now_s - self._since_s >= RENEWED_EVERY_S:
            self._since_s = now_s
            faulthandler.dump_traceback_later(self._after_s, exit=True, file=_STANDARD_ERROR)

    def cancel(self) -> None:
        """Stop the timer."""
        self._since_s = None
        faulthandler.cancel_dump_traceback_later()


WATCH_EVERY_S = 1.0

RESULTS_TOGETHER = 16
"""If many pictures wait, this many are returned at once. A core that alternates between drawing and
episodes for every single one takes twice as long for the episodes' part."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class DrawingStats:
    """Pictures drawn so far, and those that were requested again and not drawn."""

    pictures: int = 0
    reused: int = 0


class RenderThread:
    """Draws views one after another on its own thread, while the event loop continues.

    Args:
        make_renderer: called once, on the thread.
        encode: (rgb, encoding) → Image, called on the thread.
        limit_s: a single draw that takes longer counts as a hung driver.
        on_hang: called with the reason, on the event loop, once the graphics driver hangs.
        cache: of drawn pictures; None: one of the usual size.
        last_resort: renewed while the thread works, to notice a hang with the interpreter's lock.
    """

    def __init__(
        self,
        make_renderer: Callable[[], FrameRenderer],
        encode: Callable[[NDArray[np.uint8], Encoding], Image],
        *,
        limit_s: float,
        on_hang: Callable[[str], None],
        cache: PictureCache | None = None,
        last_resort: LastResort | None = None,
    ) -> None:
        self._make_renderer = make_renderer
        self._encode = encode
        self._cache = PictureCache() if cache is None else cache
        self._last_resort = last_resort
        self._limit_s = limit_s
        self._on_hang = on_hang
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._renderer: FrameRenderer | None = None
        self._busy: tuple[asyncio.Future[Any], float] | None = None
        """The current job of the thread, and its start time."""
        self._hung = False
        self._working = False
        self._jobs: deque[tuple[asyncio.Future[Any], Callable[[], Any]]] = deque()
        self._pending: set[asyncio.Future[Any]] = set()
        self._reason = f"a picture took longer than {limit_s:g} s: the graphics driver hangs"
        self._watch: asyncio.Task[None] | None = None
        self._pictures = 0
        self._reused = 0

    async def open(self) -> None:
        """Make the renderer; await this once, before the first draw. Raise RenderError if GL is not
        usable here, EngineError if making it hangs."""
        self._watch = asyncio.create_task(self._keep_watch())
        await self._on_thread(self._start)

    async def draw(self, view: View) -> DrawnPicture:
        """Draw and encode a view when its turn comes, unless its picture is cached.

        Raises:
            RenderError: this view cannot be drawn.
            EngineError: the graphics driver hangs at it.
            HungError: the driver has hung at another view.
        """
        return await self._on_thread(lambda: self._make_picture(view))

    def stats(self) -> DrawingStats:
        """Return the pictures drawn, and reused, since the start."""
        return DrawingStats(self._pictures, self._reused)

    def _start(self) -> None:
        self._renderer = self._make_renderer()

    def _make_picture(self, view: View) -> DrawnPicture:
        if self._renderer is None:
            raise EngineError("a picture was asked for before the renderer was made")
        key = view_key(view)
        # Looked up here, not when requested, so that models that wait for the same view all get its
        # first drawing.
        kept = self._cache.get(key)
        if kept is not None:
            self._reused += 1
            return kept
        frame = self._renderer.draw(view)
        picture = DrawnPicture(self._encode(frame.rgb, view.encoding), frame.facts)
        self._pictures += 1
        self._cache.put(key, picture)
        return picture

    async def _on_thread(self, job: Callable[[], _T]) -> _T:
        if self._hung:
            raise HungError(self._reason)
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._pending.add(done)
        self._jobs.append((done, job))
        self._go_to_work()
        try:
            return await done
        finally:
            self._pending.discard(done)

    def _go_to_work(self) -> None:
        if self._jobs and not self._working:
            self._working = True
            self._thread.submit(self._work, asyncio.get_running_loop())

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Do one job after another on the thread, and report them in groups."""
        ended: list[_Ended] = []
        while self._jobs:
            done, job = self._jobs.popleft()
            if self._last_resort is not None:
                self._last_resort.renew()
            self._busy = done, monotonic()
            try:
                ended.append((done, job()))
            except Exception as reason:
                ended.append((done, reason))
            self._busy = None
            if len(ended) == RESULTS_TOGETHER and self._jobs:
                loop.call_soon_threadsafe(_resolve, ended)
                ended = []
        if self._last_resort is not None:
            self._last_resort.cancel()
        loop.call_soon_threadsafe(self._rest, ended)

    def _rest(self, ended: "Sequence[_Ended]") -> None:
        self._working = False
        _resolve(ended)
        self._go_to_work()

    async def _keep_watch(self) -> None:
        while not self._hung:
            await asyncio.sleep(min(WATCH_EVERY_S, self._limit_s / 4))
            done, since_s = self._busy or (None, inf)
            if monotonic() - since_s > self._limit_s:
                self._hung = True
                for waiting in self._pending:
                    kind = EngineError if waiting is done else HungError
                    resolve(waiting, kind(self._reason))
                self._on_hang(self._reason)


_Ended: TypeAlias = "tuple[asyncio.Future[Any], object]"
"""A job's future, and its result or error."""


def _resolve(ended: Sequence[_Ended]) -> None:
    for done, outcome in ended:
        resolve(done, outcome)
