"""The one thread that draws: it makes the renderer, owns its OpenGL context, and ends with it.

Knows that a context lives and dies on one thread; does not know what is drawn.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from mirror_ray.types import Frame, View
from mirror_ray.world.view import EyeView

T = TypeVar("T")


class Draws(Protocol):
    """A renderer that can be given up."""

    def draw(self, view: View) -> Frame:
        """Draws a view; RenderError when it cannot."""
        ...

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Whose each pixel is, and whether it lies on the mirror's surface."""
        ...

    def close(self) -> None:
        """Gives the context back."""
        ...


class Darkroom:
    """Draws for whoever asks, one after another.

    Args:
        make_renderer: called on the thread when first something is to be drawn; RenderError where
            nothing can be.
    """

    def __init__(self, make_renderer: Callable[[], Draws]) -> None:
        self._make_renderer = make_renderer
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="darkroom")
        self._renderer: Draws | None = None

    def draw(self, job: Callable[[Draws], T]) -> T:
        """What `job` makes with the renderer, on the drawing thread.

        Raises:
            RenderError: there is no usable OpenGL, or the job cannot be drawn.
        """
        return self._thread.submit(self._drawn, job).result()

    def close(self) -> None:
        """Give the context back, on its thread; nothing can be drawn afterwards."""
        self._thread.submit(self._end).result()
        self._thread.shutdown()

    def _drawn(self, job: Callable[[Draws], T]) -> T:
        if self._renderer is None:
            self._renderer = self._make_renderer()
        return job(self._renderer)

    def _end(self) -> None:
        if self._renderer is not None:
            self._renderer.close()
