"""Draws the pictures of sample episodes."""

import os
from collections.abc import Mapping
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING

from mirror_ray.core.errors import RenderError
from mirror_ray.core.types import Image, View
from mirror_ray.core.view_key import view_key
from mirror_ray.world.opengl.context import choose_backend, self_test
from mirror_ray.world.opengl.encode import encode

if TYPE_CHECKING:
    from mirror_ray.world.renderer import Renderer


class SamplePictures:
    """Draws the views of sample episodes, and lists how large each picture is and how long it took:
    to draw, and for an agent to look at it (`thinking_s`). `trouble` is why nothing can be drawn;
    None if drawing works."""

    def __init__(self, renderer: "Renderer | None", trouble: str | None = None) -> None:
        self.image_bytes: list[int] = []
        self.drawing_s: list[float] = []
        self.thinking_s: list[float] = []
        self.trouble = trouble
        self._drawn: dict[bytes, tuple[Image, Mapping[str, object]]] = {}
        self._renderer = renderer

    def close(self) -> None:
        """Release the OpenGL context, because the planning process, e.g. a notebook, may continue
        to run."""
        if self._renderer is not None:
            self._renderer.close()

    def draw(self, view: View) -> tuple[Image, Mapping[str, object]]:
        """Draw a view once, as a run does: conditions of one scene share many."""
        key = view_key(view)
        if key is not None and key in self._drawn:
            return self._drawn[key]
        if self._renderer is None:
            raise RenderError(f"nothing can be drawn: {self.trouble}")
        began_s = perf_counter()
        frame = self._renderer.draw(view)
        image = encode(frame.rgb, view.encoding)
        self.drawing_s.append(perf_counter() - began_s)
        self.image_bytes.append(len(image.data))
        if key is not None:
            self._drawn[key] = image, frame.facts
        return image, frame.facts


def new_renderer() -> "Renderer":
    """Create a renderer in this process. Raise RenderError if none works here, ImportError if
    MuJoCo is missing."""
    # Without a choice, MuJoCo loads a library for windows when it is imported.
    if "MUJOCO_GL" not in os.environ:
        choose_backend()
    # Imported late: MuJoCo and OpenGL are for machines that have them.
    from mirror_ray.world.renderer import Renderer  # noqa: PLC0415

    return Renderer()


@cache
def probe_driver() -> None:
    """Try the driver in a separate process first, because a broken one may crash its process.

    A working driver is then loaded in this process. The result is cached, so that a notebook that
    plans again does not wait a second time.

    Raises:
        RenderError: it does not work; the next call looks again.
    """
    self_test()
