"""Maps each kind of view to the painter that draws it.

A painter is created on the first view of its kind, while the renderer's context is current: a sweep
pays only for the worlds that it shows.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from mirror_ray.types import Frame
from mirror_ray.world.photo import FilePainter, FileView
from mirror_ray.world.reaching.painter import ReachPainter
from mirror_ray.world.reaching.scene import ReachView
from mirror_ray.world.room.painter import EyePainter
from mirror_ray.world.room.view import EyeView
from mirror_ray.world.studio.painter import PosingPainter
from mirror_ray.world.studio.shots import PosingView
from mirror_ray.world.tabletop.card import CardView
from mirror_ray.world.tabletop.painter import TabletopPainter


class Painter(Protocol):
    """Draws views of one kind, on the renderer's thread."""

    def draw(self, view: Any) -> Frame:
        """The frame, and the truth about it; RenderError if it cannot be drawn."""
        ...

    def free(self) -> None:
        """Releases OpenGL's resources."""
        ...


PAINTERS: Mapping[type, Callable[[], Painter]] = MappingProxyType(
    {
        EyeView: EyePainter,
        FileView: FilePainter,
        PosingView: PosingPainter,
        ReachView: ReachPainter,
        CardView: TabletopPainter,
    }
)
"""Kind of view → constructor of its painter."""
