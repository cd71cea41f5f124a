"""Draws what the reaching body sees, with the frame's ground truth."""

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.types import Frame
from mirror_ray.world.opengl.canvas import Canvas, Layer
from mirror_ray.world.reaching.model import LEFT_ARM, MARK, OTHER, OWN, RIGHT_ARM, ReachingModel
from mirror_ray.world.reaching.scene import ReachView
from mirror_ray.world.room.evidence import identities


class ReachPainter:
    """Paints `ReachView`s; created while the renderer's context is current."""

    def __init__(self) -> None:
        self._stage = ReachingModel()
        self._canvas = Canvas(self._stage.picture)
        self._picture = Layer(self._stage.picture)
        self._identity = Layer(self._stage.identity)

    def draw(self, view: ReachView) -> Frame:
        """Draw the frame, and count each thing's pixels under the names of marktest's columns."""
        self._stage.show(view)
        rgb = self._pass(self._picture, view).copy()
        codes, mirrored = identities(self._pass(self._identity, view))

        def pixels(code: int, in_glass: bool) -> int:
            return int(np.count_nonzero((codes == code) & (mirrored == in_glass)))

        return Frame(
            rgb,
            {
                "mark_reflection_px": pixels(MARK, True),
                "mark_direct_px": pixels(MARK, False),
                "own_reflection_px": pixels(OWN, True),
                "own_direct_px": pixels(OWN, False),
                "hand_reflection_px": pixels(RIGHT_ARM, True),
                "hand_direct_px": pixels(RIGHT_ARM, False),
                "left_arm_px": pixels(LEFT_ARM, False),
                "other_px": pixels(OTHER, False),
                "mirror_px": int(np.count_nonzero(mirrored)),
            },
        )

    def identify(self, view: ReachView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return two (height, width) arrays: every pixel's identity by the codes of
        `world.reaching.model` (0: no body), and whether it is on the mirror."""
        self._stage.show(view)
        return identities(self._pass(self._identity, view))

    def free(self) -> None:
        """Release OpenGL's resources."""
        self._canvas.free()

    def _pass(self, layer: Layer, view: ReachView) -> NDArray[np.uint8]:
        return self._canvas.render(
            layer,
            self._stage.data,
            view.width_px,
            view.height_px,
            reflecting=view.scene.reflector == "mirror",
        )
