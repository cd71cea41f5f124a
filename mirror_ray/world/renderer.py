"""Draws views with MuJoCo: the frame, and the truth about it.

Knows OpenGL's life: one context for many episodes, made and used on one thread. Does not know
episodes.
"""

from importlib import import_module
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from mirror_ray.errors import RenderError
from mirror_ray.types import Frame, View
from mirror_ray.world.camera import bodies_in_view, reflector_in_view
from mirror_ray.world.evidence import facts, identities
from mirror_ray.world.gl import GlInfo, choose_backend
from mirror_ray.world.stage import Stage
from mirror_ray.world.view import EyeView

_MAX_GEOMS = 256
_MAX_SIDE_PX = 2048
_OFF = (
    mujoco.mjtRndFlag.mjRND_SHADOW,
    mujoco.mjtRndFlag.mjRND_SKYBOX,
    mujoco.mjtRndFlag.mjRND_FOG,
    mujoco.mjtRndFlag.mjRND_HAZE,
)


class Renderer:
    """One OpenGL context for life; make and use it on one thread.

    Raises:
        RenderError: no usable OpenGL.
    """

    def __init__(self) -> None:
        backend = choose_backend()
        self._stage = Stage()
        try:
            # MuJoCo draws into a buffer of its own, whose size this one does not bound.
            self._context = import_module(f"mujoco.{backend}").GLContext(640, 480)
            self._context.make_current()
            self._mjr = mujoco.MjrContext(self._stage.picture, mujoco.mjtFontScale.mjFONTSCALE_50)
            mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._mjr)
            self.gl = _gl_info(backend)
        # Bindings, loaders and drivers each raise kinds of their own.
        except Exception as error:
            raise RenderError(f"OpenGL ({backend}) cannot be used: {error}") from error
        self._option = mujoco.MjvOption()
        self._perturb = mujoco.MjvPerturb()
        self._camera = mujoco.MjvCamera()
        self._camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
        self._camera.fixedcamid = 0
        self._picture = _Layer(self._stage.picture)
        self._identity = _Layer(self._stage.identity)

    def draw(self, view: View) -> Frame:
        """Draw a view and say what it shows.

        Raises:
            RenderError: a kind or size of view that cannot be drawn, or MuJoCo gave up.
        """
        try:
            match view:
                case EyeView():
                    return self._draw_eye(view)
                case _:
                    raise RenderError(f"no renderer for {type(view).__name__}")
        except mujoco.FatalError as error:
            raise RenderError(f"MuJoCo cannot draw: {error}") from error

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Whose every pixel is: the truth that a frame's facts are counted from.

        Returns:
            (height, width) each: the codes of `mirror_ray.world.evidence` (0 is nobody), and
            whether the pixel lies on the mirror's surface.
        """
        return identities(self._pass(self._identity, view, self._prepare(view))[::-1])

    def close(self) -> None:
        """Give the context back; nothing can be drawn afterwards."""
        # What is freed belongs to the current context, whoever's that is.
        self._context.make_current()
        self._mjr.free()
        self._context.free()

    def _draw_eye(self, view: EyeView) -> Frame:
        reflecting = self._prepare(view)
        rgb = self._pass(self._picture, view, reflecting)
        truth = self._pass(self._identity, view, reflecting)
        # OpenGL's rows run upwards.
        return Frame(np.ascontiguousarray(rgb[::-1]), facts(truth, view.scene))

    def _prepare(self, view: EyeView) -> bool:
        """Make room and set the stage; returns whether the mirror is to be drawn as one."""
        # Another renderer of this process may have drawn since: its context would take the calls.
        self._context.make_current()
        self._fit(view.width_px, view.height_px)
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

    def _pass(self, layer: "_Layer", view: EyeView, reflecting: bool) -> NDArray[np.uint8]:
        scene = layer.scene
        mujoco.mjv_updateScene(
            layer.model,
            self._stage.data,
            self._option,
            self._perturb,
            self._camera,
            mujoco.mjtCatBit.mjCAT_ALL,
            scene,
        )
        scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = reflecting
        viewport = mujoco.MjrRect(0, 0, view.width_px, view.height_px)
        rgb = np.empty((view.height_px, view.width_px, 3), np.uint8)
        mujoco.mjr_render(viewport, scene, self._mjr)
        mujoco.mjr_readPixels(rgb, None, viewport, self._mjr)
        return rgb

    def _fit(self, width_px: int, height_px: int) -> None:
        if not (0 < width_px <= _MAX_SIDE_PX and 0 < height_px <= _MAX_SIDE_PX):
            raise RenderError(
                f"a picture of {width_px}×{height_px} pixels; each side may be 1–{_MAX_SIDE_PX}"
            )
        if width_px > self._mjr.offWidth or height_px > self._mjr.offHeight:
            mujoco.mjr_resizeOffscreen(
                max(width_px, self._mjr.offWidth), max(height_px, self._mjr.offHeight), self._mjr
            )


class _Layer:
    """A model as OpenGL is to draw it: reflections aside, nothing but the things themselves."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self.model = model
        self.scene = mujoco.MjvScene(model, maxgeom=_MAX_GEOMS)
        for flag in _OFF:
            self.scene.flags[flag] = 0


def _gl_info(backend: str) -> GlInfo:
    gl: Any = import_module("OpenGL.GL")
    vendor, renderer, version = (
        gl.glGetString(name).decode() for name in (gl.GL_VENDOR, gl.GL_RENDERER, gl.GL_VERSION)
    )
    return GlInfo(backend, vendor, renderer, version)
