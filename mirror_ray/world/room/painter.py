"""Draws the ego's view of the mirrored room: the frame, and the truth about it."""

import numpy as np
from numpy.typing import NDArray

from mirror_ray.types import Frame
from mirror_ray.world.opengl.canvas import Canvas, Layer
from mirror_ray.world.room.camera import bodies_in_view, reflector_in_view
from mirror_ray.world.room.evidence import facts, identities
from mirror_ray.world.room.model import RoomModel
from mirror_ray.world.room.view import EyeView


class EyePainter:
    """Paints `EyeView`s; made while the renderer's context is current."""

    def __init__(self) -> None:
        self._stage = RoomModel()
        self._canvas = Canvas(self._stage.picture)
        self._picture = Layer(self._stage.picture)
        self._identity = Layer(self._stage.identity)

    def draw(self, view: EyeView) -> Frame:
        """The frame, and what it shows."""
        reflecting = self._prepare(view)
        rgb = self._pass(self._picture, view, reflecting).copy()
        truth = self._pass(self._identity, view, reflecting)
        return Frame(rgb, facts(truth, view.scene))

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The identity of every pixel: the truth from which a frame's facts are counted.

        Returns:
            (height, width) each: the codes of `mirror_ray.world.room.evidence` (0: no body), and
            whether the pixel lies on the mirror's surface.
        """
        return identities(self._pass(self._identity, view, self._prepare(view)))

    def free(self) -> None:
        """Releases OpenGL's resources."""
        self._canvas.free()

    def _prepare(self, view: EyeView) -> bool:
        """Prepares the model; returns whether the mirror is to be drawn as one."""
        # Reflecting costs a third of a frame, and a mirror outside the picture shows nothing.
        reflecting = view.scene.reflector == "mirror" and reflector_in_view(
            view.ego.pose,
            view.scene.reflector_wall,
            width_px=view.width_px,
            height_px=view.height_px,
            fov_deg=view.fov_deg,
        )
        self._stage.show(view, bodies_in_view(view, reflecting=reflecting))
        return reflecting

    def _pass(self, layer: Layer, view: EyeView, reflecting: bool) -> NDArray[np.uint8]:
        return self._canvas.render(
            layer, self._stage.data, view.width_px, view.height_px, reflecting=reflecting
        )
