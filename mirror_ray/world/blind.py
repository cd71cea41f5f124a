"""Views that hide part of the drawn picture: black, scrambled, or with the mirror masked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mirror_ray.asking.picture import BlindView
from mirror_ray.core.errors import RenderError
from mirror_ray.core.identity import seeded
from mirror_ray.core.types import Facts, Frame, View
from mirror_ray.core.view_key import view_key
from mirror_ray.world.painters import Painter, painter_of

_TILE_PX = 20
_GREY = 128


class BlindPainter:
    """Paints `BlindView`s; created while the renderer's context is current."""

    def __init__(self) -> None:
        self._painters: dict[type, Painter] = {}

    def draw(self, view: BlindView) -> Frame:
        """Draw the original view and hide the hidden part; counts of hidden pixels are 0. Raise
        RenderError if the mirror's pixels in this view are unknown."""
        kind = type(view.view)
        painter = self._painters.get(kind) or self._painters.setdefault(kind, painter_of(kind))
        frame = painter.draw(view.view)
        if view.hidden == "black":
            return Frame(np.zeros_like(frame.rgb), _uncounted(frame.facts, ""))
        if view.hidden == "scrambled":
            return Frame(_scrambled(frame.rgb, view.view), frame.facts)
        identify: Any = getattr(painter, "identify", None)
        if identify is None:
            raise RenderError(f"{kind.__name__}: its mirror is not known by pixels")
        _, mirrored = identify(view.view)
        rgb = np.where(mirrored[..., None], np.uint8(_GREY), frame.rgb)
        facts = _uncounted(_uncounted(frame.facts, "reflection"), "mirror")
        return Frame(rgb, facts)

    def free(self) -> None:
        """Release OpenGL's resources."""
        for painter in self._painters.values():
            painter.free()


def _scrambled(rgb: NDArray[np.uint8], view: View) -> NDArray[np.uint8]:
    """Return the same tiles in another order; rows and columns outside whole tiles do not
    change."""
    down, across = rgb.shape[0] // _TILE_PX, rgb.shape[1] // _TILE_PX
    order = seeded("scrambled", (view_key(view) or b"").hex()).permutation(down * across)
    height_px, width_px = down * _TILE_PX, across * _TILE_PX
    tiles = rgb[:height_px, :width_px].reshape(down, _TILE_PX, across, _TILE_PX, 3)
    tiles = tiles.swapaxes(1, 2).reshape(-1, _TILE_PX, _TILE_PX, 3)[order]
    whole = rgb.copy()
    whole[:height_px, :width_px] = (
        tiles.reshape(down, across, _TILE_PX, _TILE_PX, 3)
        .swapaxes(1, 2)
        .reshape(height_px, width_px, 3)
    )
    return whole


def _uncounted(facts: Facts, part: str) -> Facts:
    return {
        name: _zero(value) if name.endswith("_px") and part in name else value
        for name, value in facts.items()
    }


def _zero(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_zero(one) for one in value]
    return 0 if isinstance(value, int) else value
