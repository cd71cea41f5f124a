"""Draws views: one OpenGL context, created and used on one thread, for many episodes.

The painter of a kind of view (`mirror_ray.world.painters`) determines its content."""

import os
import weakref
from ctypes import string_at
from importlib import import_module
from threading import Thread
from typing import Any, cast

import mujoco
import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.errors import RenderError
from mirror_ray.core.types import Frame, View
from mirror_ray.world.opengl.context import GlInfo, choose_backend
from mirror_ray.world.opengl.device_choice import DrawnOn, choose_device, open_display
from mirror_ray.world.opengl.egl_devices import device_in_use, listed_devices
from mirror_ray.world.painters import Painter, painter_of
from mirror_ray.world.room.painter import EyePainter
from mirror_ray.world.room.view import EyeView

_CHOSEN = "MUJOCO_EGL_DEVICE_ID"


class Renderer:
    """One OpenGL context; create and use it on one thread.

    A renderer dropped without `close` does not affect the pictures of others.

    Args:
        gpu_id: the GPU that this process was given, as in
            `mirror_ray.world.opengl.device_choice.choose_device`. MuJoCo chooses if it is None, or
            if ``MUJOCO_EGL_DEVICE_ID`` is set.

    Raises:
        RenderError: no usable OpenGL.
    """

    def __init__(self, gpu_id: str | None = None) -> None:
        self._backend = choose_backend()
        self._painters: dict[type, Painter] = {}
        try:
            choice = None
            if self._backend == "egl" and gpu_id is not None and _CHOSEN not in os.environ:
                choice = choose_device(listed_devices(), gpu_id)
            if choice is not None:
                open_display(choice.device)
            self._context = import_module(f"mujoco.{self._backend}").GLContext(640, 480)
            self._dropped = weakref.finalize(self, _release_aside, self._context, self._painters)
            # At exit, the display is closed with all its resources.
            self._dropped.atexit = False
            self._context.make_current()
            self.gl = _gl_info(self._backend)
            device = device_in_use() if self._backend == "egl" else None
            self.drawn_on = DrawnOn(gpu_id, device, choice.by if choice else None)
        # Bindings, loaders and drivers all raise their own kinds of exceptions.
        except Exception as error:
            raise self._unusable(error) from error
        # A context alone does not prove that MuJoCo can draw with it.
        self._painter_of(EyeView)

    def draw(self, view: View) -> Frame:
        """Draw a view and return the frame and its facts. Raise RenderError for a kind or size that
        cannot be drawn, or if MuJoCo failed."""
        # Another renderer of this process may have drawn since; its context would receive the
        # calls.
        self._context.make_current()
        try:
            return self._painter_of(type(view)).draw(view)
        except mujoco.FatalError as error:
            raise RenderError(f"MuJoCo cannot draw: {error}") from error

    def identify(self, view: EyeView) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the identity of every pixel; see `world.room.painter.EyePainter.identify`."""
        self._context.make_current()
        return cast("EyePainter", self._painter_of(EyeView)).identify(view)

    def close(self) -> None:
        """Release the context; nothing can be drawn afterwards."""
        if self._dropped.detach():
            _release(self._context, self._painters)

    def _painter_of(self, kind: type) -> Painter:
        if kind not in self._painters:
            try:
                self._painters[kind] = painter_of(kind)
            except mujoco.FatalError as error:
                raise self._unusable(error) from error
        return self._painters[kind]

    def _unusable(self, error: Exception) -> RenderError:
        return RenderError(f"OpenGL ({self._backend}) cannot be used: {error}")


def _release_aside(context: Any, painters: dict[type, Painter]) -> None:
    thread = Thread(target=_release, args=(context, painters), name="releases a context")
    thread.start()
    thread.join()


def _release(context: Any, painters: dict[type, Painter]) -> None:
    """Free the painters and their context.

    If another context were current, this would free that one's resources of the same numbers."""
    try:
        context.make_current()
        freed_in = context
    # Bindings raise their own exceptions, for example if this context is current on another thread.
    # An empty context has nothing to lose; otherwise destroying the context frees its resources.
    except Exception:
        freed_in = type(context)(1, 1)
        freed_in.make_current()
    for painter in painters.values():
        painter.free()
    painters.clear()
    freed_in.free()
    context.free()


def _gl_info(backend: str) -> GlInfo:
    # Importing all of OpenGL.GL would take as long as importing MuJoCo.
    gl: Any = import_module("OpenGL.raw.GL.VERSION.GL_1_0")
    vendor, renderer, version = (
        string_at(gl.glGetString(name)).decode()
        for name in (gl.GL_VENDOR, gl.GL_RENDERER, gl.GL_VERSION)
    )
    return GlInfo(backend, vendor, renderer, version)
