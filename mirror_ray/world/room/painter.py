"""Draws the ego's view of the mirrored room, with the frame's ground truth."""

from math import radians, tan

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from mirror_ray.core.types import Frame
from mirror_ray.world.opengl.canvas import Canvas, Layer
from mirror_ray.world.room.camera import bodies_in_view, reflector_in_view
from mirror_ray.world.room.evidence import facts, identities
from mirror_ray.world.room.model import RoomModel
from mirror_ray.world.room.scene import PERFECT, TINTS, Glass
from mirror_ray.world.room.view import EyeView
from sim_assets.look import Look


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
        on_glass: (height, width), the pixels that are on a mirror.
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
    """Blur only the pixels inside, so that nothing outside the glass bleeds into it."""
    blur = ImageFilter.GaussianBlur(sigma_px)

    def smooth(plane: NDArray[np.uint8]) -> NDArray[np.float32]:
        return np.asarray(Image.fromarray(plane).filter(blur), np.float32)

    weight = smooth(inside.astype(np.uint8) * np.uint8(255))
    light = smooth(rgb * inside[..., None])
    spread: NDArray[np.float32] = np.minimum(
        light * np.float32(255.0) / np.maximum(weight, 1.0)[..., None], 255.0
    )
    return spread


class EyePainter:
    """Paints `EyeView`s; created while the renderer's context is current."""

    def __init__(self) -> None:
        self._stages = {"plain": _Stage("plain")}

    def draw(self, view: EyeView) -> Frame:
        """Draw the frame, and count what it shows."""
        stage = self._stage_of(view)
        reflecting = stage.prepare(view)
        rgb = stage.drawn(stage.picture, view, reflecting).copy()
        truth = stage.drawn(stage.identity, view, reflecting)
        glass = view.scene.glass
        if reflecting and not is_clear(glass):
            put_behind(rgb, identities(truth)[1], glass, px_per_deg(view.height_px, view.fov_deg))
        return Frame(rgb, facts(truth, view.scene))

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the identity of every pixel: the truth from which a frame's facts are counted.

        Returns:
            (height, width) each: the codes of `mirror_ray.world.room.evidence` (0: no body), and
            whether the pixel lies on the mirror's surface.
        """
        stage = self._stage_of(view)
        return identities(stage.drawn(stage.identity, view, stage.prepare(view)))

    def free(self) -> None:
        """Release OpenGL's resources."""
        for stage in self._stages.values():
            stage.canvas.free()

    def _stage_of(self, view: EyeView) -> "_Stage":
        look = view.scene.look
        if look not in self._stages:
            self._stages[look] = _Stage(look)
        return self._stages[look]


class _Stage:
    def __init__(self, look: Look) -> None:
        self.model = RoomModel(look)
        self.canvas = Canvas(self.model.picture)
        self.picture = Layer(self.model.picture, shadows=look != "plain")
        self.identity = Layer(self.model.identity)

    def prepare(self, view: EyeView) -> bool:
        """Prepare the model; return whether the mirror has to be drawn with reflections."""
        # Reflecting costs a third of a frame, and a mirror outside the picture shows nothing.
        reflecting = any(
            reflector_in_view(
                view.ego.pose,
                wall,
                width_px=view.width_px,
                height_px=view.height_px,
                fov_deg=view.fov_deg,
                glass=view.scene.glass,
            )
            for wall in view.scene.glass_walls
        )
        self.model.show(view, bodies_in_view(view, reflecting=reflecting))
        return reflecting

    def drawn(self, layer: Layer, view: EyeView, reflecting: bool) -> NDArray[np.uint8]:
        """Draw a layer; return the canvas's own buffer, which the next drawing overwrites."""
        return self.canvas.render(
            layer, self.model.data, view.width_px, view.height_px, reflecting=reflecting
        )
