"""Which painter draws which kind of view.

A painter is made the first time its kind is asked for, while the renderer's context is current: a
sweep pays for the worlds it shows.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from mirror_ray.types import Frame
from mirror_ray.world.eye_painter import EyePainter
from mirror_ray.world.picture_file import FilePainter, FileView
from mirror_ray.world.posing import PosingView
from mirror_ray.world.posing_painter import PosingPainter
from mirror_ray.world.tabletop import CardView
from mirror_ray.world.tabletop_painter import TabletopPainter
from mirror_ray.world.view import EyeView


class Painter(Protocol):
    """Draws views of one kind, on the renderer's thread."""

    def draw(self, view: Any) -> Frame:
        """The frame, and what it truly shows; RenderError when it cannot be drawn."""
        ...

    def free(self) -> None:
        """Gives back what OpenGL holds."""
        ...


PAINTERS: Mapping[type, Callable[[], Painter]] = MappingProxyType(
    {
        EyeView: EyePainter,
        FileView: FilePainter,
        PosingView: PosingPainter,
        CardView: TabletopPainter,
    }
)
"""Kind of view → what makes its painter."""
