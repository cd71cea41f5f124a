"""Finds the painter of a kind of view: a view's class names it, as ``painter = "module:class"``.

A painter is created on the first view of its kind, while the renderer's context is current, so that
a sweep pays only for the worlds that it shows."""

from importlib import import_module
from typing import Any, Protocol, cast

from mirror_ray.core.errors import RenderError
from mirror_ray.core.types import Frame


class Painter(Protocol):
    """Draws views of one kind, on the renderer's thread."""

    def draw(self, view: Any) -> Frame:
        """Draw a view; return the frame and its facts. Raise RenderError if it cannot be drawn."""

    def free(self) -> None:
        """Release OpenGL's resources."""


def painter_of(kind: type) -> Painter:
    """Return a new painter of a kind of view, in the renderer's context. Raise RenderError if the
    kind names no painter."""
    place = getattr(kind, "painter", None)
    if not isinstance(place, str):
        raise RenderError(f"no painter for {kind.__name__}: its class has no `painter`")
    module, _, name = place.partition(":")
    return cast("Painter", getattr(import_module(module), name)())
