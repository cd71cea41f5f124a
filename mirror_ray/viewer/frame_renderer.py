"""The one thread that renders: it creates the renderer, owns its OpenGL context, and closes it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol, TypeVar

from mirror_ray.replay.episode import EvidenceRenderer
from mirror_ray.world.opengl.context import choose_backend

if TYPE_CHECKING:
    from mirror_ray.world.renderer import Renderer

_T = TypeVar("_T")


class ClosableRenderer(EvidenceRenderer, Protocol):
    """A renderer that can be closed."""

    def close(self) -> None:
        """Release the context."""
        ...


def new_renderer() -> "Renderer":
    """Create a renderer with its own context. Raise RenderError if nothing can be drawn."""
    # MuJoCo binds its GL backend when it is imported.
    choose_backend()
    from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

    return Renderer()


class RenderWorker:
    """Runs drawing jobs, one after another. Before the first job, it calls `make_renderer` on its
    thread, which may raise RenderError."""

    def __init__(self, make_renderer: Callable[[], ClosableRenderer]) -> None:
        self._make_renderer = make_renderer
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="render")
        self._renderer: ClosableRenderer | None = None

    def draw(self, job: Callable[[ClosableRenderer], _T]) -> _T:
        """Return the result of `job`, called with the renderer on the drawing thread. Raise
        RenderError if no usable OpenGL was found, or the job cannot be drawn."""
        return self._thread.submit(self._drawn, job).result()

    def close(self) -> None:
        """Release the context, on its thread; nothing can be drawn afterwards."""
        self._thread.submit(self._end).result()
        self._thread.shutdown()

    def _drawn(self, job: Callable[[ClosableRenderer], _T]) -> _T:
        if self._renderer is None:
            self._renderer = self._make_renderer()
        return job(self._renderer)

    def _end(self) -> None:
        if self._renderer is not None:
            self._renderer.close()
