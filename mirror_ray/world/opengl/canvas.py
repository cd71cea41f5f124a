"""One model's resources in OpenGL: its uploads, and the buffer it is drawn into.

All of it belongs to the thread on which the renderer's context is current."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.errors import RenderError

MAX_SIDE_PX = 2048
_MAX_GEOMS = 512
_OFF = (mujoco.mjtRndFlag.mjRND_SKYBOX, mujoco.mjtRndFlag.mjRND_FOG, mujoco.mjtRndFlag.mjRND_HAZE)


class Layer:
    """A model prepared for drawing: its geoms only; reflections are an option of each rendering.

    The layers of a canvas are copies of its model that differ only in colours.

    Args:
        shadows: whether lights cast shadows, as their model says.
    """

    def __init__(self, model: mujoco.MjModel, *, shadows: bool = False) -> None:
        self.model = model
        self.scene = mujoco.MjvScene(model, maxgeom=_MAX_GEOMS)
        for flag in _OFF:
            self.scene.flags[flag] = 0
        self.scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = shadows


class Canvas:
    """Draws layers of one model, whose textures and meshes it uploads."""

    def __init__(self, model: mujoco.MjModel) -> None:
        # MuJoCo draws into its offscreen buffer, whose size does not depend on the context's.
        self._mjr = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
        self._option = mujoco.MjvOption()
        self._perturb = mujoco.MjvPerturb()
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._read = np.empty((0, 0, 3), np.uint8)

    def render(
        self,
        layer: Layer,
        data: mujoco.MjData,
        width_px: int,
        height_px: int,
        *,
        camera: int = 0,
        reflecting: bool = False,
    ) -> NDArray[np.uint8]:
        """Draw a layer from one of its model's cameras.

        Args:
            data: the positions, with up-to-date kinematics.
            camera: the camera's number in the model.
            reflecting: whether reflective geoms reflect.

        Returns:
            (height, width, 3) uint8 RGB, rows from the top, until the next rendering overwrites it.

        Raises:
            RenderError: the size cannot be drawn.
        """
        self._fit(width_px, height_px)
        self._camera.fixedcamid = camera
        scene = layer.scene
        mujoco.mjv_updateScene(
            layer.model,
            data,
            self._option,
            self._perturb,
            self._camera,
            mujoco.mjtCatBit.mjCAT_ALL,
            scene,
        )
        scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = reflecting
        viewport = mujoco.MjrRect(0, 0, width_px, height_px)
        # Another canvas may have drawn since.
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._mjr)
        mujoco.mjr_render(viewport, scene, self._mjr)
        if self._read.shape[:2] != (height_px, width_px):
            self._read = np.empty((height_px, width_px, 3), np.uint8)
        mujoco.mjr_readPixels(self._read, None, viewport, self._mjr)
        # OpenGL's rows run upwards.
        return self._read[::-1]

    def upload_texture(self, model: mujoco.MjModel, texture: int) -> None:
        """Upload a texture's pixels again after they were rewritten in the model's arrays."""
        mujoco.mjr_uploadTexture(model, self._mjr, texture)

    def free(self) -> None:
        """Release OpenGL's resources; nothing can be drawn afterwards."""
        self._mjr.free()

    def _fit(self, width_px: int, height_px: int) -> None:
        if not (0 < width_px <= MAX_SIDE_PX and 0 < height_px <= MAX_SIDE_PX):
            raise RenderError(
                f"a picture of {width_px}×{height_px} pixels; each side may be 1–{MAX_SIDE_PX}"
            )
        if width_px > self._mjr.offWidth or height_px > self._mjr.offHeight:
            mujoco.mjr_resizeOffscreen(
                max(width_px, self._mjr.offWidth), max(height_px, self._mjr.offHeight), self._mjr
            )
