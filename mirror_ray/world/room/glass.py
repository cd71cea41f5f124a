"""What an imperfect mirror does to its reflection: tint, blur, and absorbed light.

It works on the drawn picture. The picture of identities says which pixels lie on a mirror, so that
what the glass shows is known exactly, however little of it can be seen.
"""

from math import radians, tan

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from mirror_ray.world.room.scene import PERFECT, TINTS, Glass


def is_clear(glass: Glass) -> bool:
    """Return whether a glass leaves its reflection unchanged."""
    same = (PERFECT.reflectance, PERFECT.tint, PERFECT.blur_deg)
    return (glass.reflectance, glass.tint, glass.blur_deg) == same


def px_per_deg(height_px: int, fov_deg: float) -> float:
    """Return the pixels per degree of visual angle in the middle of a picture."""
    return height_px / 2 / tan(radians(fov_deg) / 2) * radians(1.0)


def put_behind(
    rgb: NDArray[np.uint8], on_glass: NDArray[np.bool_], glass: Glass, deg_px: float
) -> None:
    """Change a picture in place: blur the reflection within the glass, then dim and tint it.

    Args:
        rgb: (height, width, 3).
        on_glass: (height, width), the pixels that lie on a mirror.
        deg_px: pixels per degree.
    """
    rows, columns = np.flatnonzero(on_glass.any(axis=1)), np.flatnonzero(on_glass.any(axis=0))
    if not rows.size:
        return
    box = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    inside = on_glass[box]
    shown = rgb[box].astype(np.float32)
    if glass.blur_deg:
        shown = _blurred(rgb[box], inside, glass.blur_deg * deg_px)
    shown *= glass.reflectance * np.array(TINTS[glass.tint], np.float32)
    rgb[box][inside] = np.rint(shown).astype(np.uint8)[inside]


def _blurred(
    rgb: NDArray[np.uint8], inside: NDArray[np.bool_], sigma_px: float
) -> NDArray[np.float32]:
    """Blur only the pixels inside: nothing outside the glass bleeds into it."""
    blur = ImageFilter.GaussianBlur(sigma_px)

    def smooth(plane: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.asarray(Image.fromarray(plane).filter(blur), np.float32)

    weight = smooth(inside.astype(np.uint8) * np.uint8(255))
    light = smooth(rgb * inside[..., None])
    spread: NDArray[np.float32] = np.minimum(
        light * np.float32(255.0) / np.maximum(weight, 1.0)[..., None], 255.0
    )
    return spread
