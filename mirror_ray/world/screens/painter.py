"""Draws three screens, each showing a person as a mirror straight ahead would, with ground truth.

A camera in front of the body looks at it; its picture is shown with left and right exchanged."""

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.types import Frame
from mirror_ray.world.opengl.canvas import Canvas, Layer
from mirror_ray.world.reaching.body import Point
from mirror_ray.world.reaching.model import RIGHT_ARM, ReachingModel
from mirror_ray.world.reaching.scene import MIRROR_Z_M, MarkScene, ReachView
from mirror_ray.world.room.evidence import identities
from mirror_ray.world.screens.scene import ScreenContent, ScreensView

CAMERA_M: Point = (1.35, 0.0, MIRROR_Z_M)
CAMERA_FOV_DEG = 52.0
"""Vertical field of view."""
GAP_PX = 12
"""The gap between screens, and around them, in pixels."""
_BACK = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""Right, up and backward vectors of a camera that looks west."""
_WALL = (148, 142, 132)


class ScreensPainter:
    """Paints `ScreensView`s; created while the renderer's context is current."""

    def __init__(self) -> None:
        self._stage = ReachingModel(CAMERA_M, _BACK, CAMERA_FOV_DEG)
        self._canvas = Canvas(self._stage.picture)
        self._picture = Layer(self._stage.picture)
        self._identity = Layer(self._stage.identity)

    def draw(self, view: ScreensView) -> Frame:
        """Draw the frame; its facts are, for each screen from left to right, the moving arm's
        pixels (``hand_px``) and their middle within the frame (``hand_x_px``, ``hand_y_px``; null
        if none is visible)."""
        frame = np.full((view.height_px, view.width_px, 3), _WALL, np.uint8)
        wide, high = screen_size(view)
        seen: list[tuple[int, float | None, float | None]] = []
        for number, shown in enumerate(view.screens):
            left, top = GAP_PX + number * (wide + GAP_PX), GAP_PX
            self._stage.show(_alone(shown, wide, high))
            frame[top : top + high, left : left + wide] = self._pass(self._picture, wide, high)
            codes, _ = identities(self._pass(self._identity, wide, high))
            rows, columns = np.nonzero(codes == RIGHT_ARM)
            x_px = float(columns.mean()) + left if rows.size else None
            y_px = float(rows.mean()) + top if rows.size else None
            seen.append((int(rows.size), x_px, y_px))
        names = ("hand_px", "hand_x_px", "hand_y_px")
        return Frame(frame, dict(zip(names, map(list, zip(*seen, strict=True)), strict=True)))

    def free(self) -> None:
        """Release OpenGL's resources."""
        self._canvas.free()

    def _pass(self, layer: Layer, wide: int, high: int) -> NDArray[np.uint8]:
        drawn = self._canvas.render(layer, self._stage.data, wide, high, reflecting=False)
        return drawn[:, ::-1]


def screen_size(view: ScreensView) -> tuple[int, int]:
    """Return (width, height) of each screen in pixels."""
    return (view.width_px - 4 * GAP_PX) // 3, view.height_px - 2 * GAP_PX


def _alone(shown: ScreenContent, wide: int, high: int) -> ReachView:
    scene = MarkScene(
        own=shown.look,
        reflector="none",
        marked="nothing",
        site="chin",
        mark_color="green",
        glass_y_m=0.0,
        glass_z_m=MIRROR_Z_M,
    )
    return ReachView(scene, shown.hand, wide, high, "png")
