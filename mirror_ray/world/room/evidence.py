"""What a frame shows, counted in a picture of identities that is drawn along with it.

In that picture a pixel's red encodes its body, and its blue whether it is seen in the mirror. The
selfid paper (arXiv 2605.08816) leaves the mirror evidence v_t open; it is derived from these
counts."""

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.types import Facts
from mirror_ray.world.room.scene import MAX_CUBES, MAX_OTHERS, Scene

EGO = 1
FIRST_OTHER = 2
FIRST_CUBE = FIRST_OTHER + MAX_OTHERS
CLUTTER = FIRST_CUBE + MAX_CUBES
_CODES = 32

# Without any light OpenGL shows 0.3 of a colour, so 1.0 comes out as 76.5 of 255 levels. Three
# levels per code leave room for rounding either way.
_LEVELS_PER_CODE = 3
_UNLIT_LEVELS = 76.5

REFLECTOR_RGBA = (0.0, 0.0, 0.5, 1.0)
"""The mirror's own colour in the picture of identities, added to the colours it reflects."""
_REFLECTED_LEVEL = 19


def identity_rgba(code: int) -> tuple[float, float, float, float]:
    """Return the colour that encodes a body in the picture of identities."""
    return (code * _LEVELS_PER_CODE / _UNLIT_LEVELS, 0.0, 0.0, 1.0)


def identities(rgb: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return, from (..., 3), each pixel's code and whether it is on the mirror's surface."""
    codes = (rgb[..., 0] + np.uint8(1)) // np.uint8(_LEVELS_PER_CODE)
    return codes, rgb[..., 2] > _REFLECTED_LEVEL


def facts(rgb: NDArray[np.uint8], scene: Scene) -> Facts:
    """Return the counts of pixels, under the names of selfid's ``*_px`` columns."""
    codes, reflected = identities(rgb[rgb[..., 0] > 0])
    direct = np.bincount(codes[~reflected], minlength=_CODES).tolist()
    mirrored = np.bincount(codes[reflected], minlength=_CODES).tolist()
    others = slice(FIRST_OTHER, FIRST_OTHER + len(scene.others))
    cubes = slice(FIRST_CUBE, FIRST_CUBE + len(scene.cubes))
    return {
        "mirror_px": int(np.count_nonzero(rgb[..., 2] > _REFLECTED_LEVEL)),
        "ego_reflection_px": mirrored[EGO],
        "other_reflection_px": mirrored[others],
        "other_px": direct[others],
        "cube_reflection_px": mirrored[cubes],
        "cube_px": direct[cubes],
        "clutter_reflection_px": mirrored[CLUTTER],
        "clutter_px": direct[CLUTTER],
        "ego_direct_px": direct[EGO],
    }
