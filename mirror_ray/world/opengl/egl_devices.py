"""The devices that EGL lists, and what their drivers say about them.

A GPU has one number in CUDA and another in EGL. For an EGL device, NVIDIA's driver states the CUDA
number (EGL_NV_device_cuda) and the UUID (EGL_EXT_device_persistent_id). Other drivers do not, nor
does NVIDIA's in some containers and with parts of a GPU (MIG)."""

from collections.abc import Callable
from ctypes import CDLL, CFUNCTYPE, POINTER, byref, c_char_p, c_int32, c_ssize_t, c_uint, c_void_p
from ctypes import create_string_buffer as buffer_of
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from mirror_ray.core.untrusted import one_printable_line

GetProcAddress = Callable[[bytes], int | None]

MOST_DEVICES = 64
"""Longer lists are cut."""

_MOST_NAME = 200
_CUDA_DEVICE_NV = 0x323A
_DEVICE_EXT = 0x322C
_DEVICE_UUID_EXT = 0x335C
_DRM_DEVICE_FILE_EXT = 0x3233
_EXTENSIONS = 0x3055
_RENDERER_EXT = 0x335F
_TRUE = 1
_UUID_BYTES = 16


@dataclass(frozen=True, slots=True)
class EglDevice:
    """A device that EGL lists.

    Args:
        index: its place in EGL's list.
        name: the driver's name for it; None if the driver names none.
        cuda: its number in CUDA; None if the driver gives none.
        uuid: as ``nvidia-smi -L`` prints it, ``GPU-…``; None if the driver gives none.
        file: its device file; None for software, or if the driver names none.
        is_software: whether it belongs to Mesa, which draws on the CPU.
    """

    index: int
    name: str | None = None
    cuda: int | None = None
    uuid: str | None = None
    file: str | None = None
    is_software: bool = False

    @property
    def is_nvidia(self) -> bool:
        """Whether it is one of CUDA's devices. If ``CUDA_VISIBLE_DEVICES`` hides it, the driver
        still lists it, but without a number (seen on an H200, driver 580)."""
        return self.cuda is not None or (self.name or "").startswith("NVIDIA")


def listed_devices() -> tuple[EglDevice, ...]:
    """Return EGL's list; empty without EGL, or if it lists none."""
    found = _installed()
    return () if found is None else found.devices()


def device_in_use() -> EglDevice | None:
    """Return the device of this thread's current EGL context; None if EGL does not report it."""
    found = _installed()
    return None if found is None else found.current()


def _installed() -> "Egl | None":
    try:
        library = CDLL("libEGL.so.1")
    except OSError:
        return None
    find = library.eglGetProcAddress
    find.restype, find.argtypes = c_void_p, [c_char_p]
    return Egl(find)


class Egl:
    """EGL's queries about devices. `find` returns a function's address, like
    ``eglGetProcAddress``."""

    def __init__(self, find: GetProcAddress) -> None:
        def function(name: str, result: Any, *arguments: Any) -> Any:
            address = find(name.encode())
            return CFUNCTYPE(result, *arguments)(address) if address else _absent

        devices, size = POINTER(c_void_p), POINTER(c_int32)
        self._list = function("eglQueryDevicesEXT", c_uint, c_int32, devices, size)
        value = POINTER(c_ssize_t)
        self._number = function("eglQueryDeviceAttribEXT", c_uint, c_void_p, c_int32, value)
        self._text = function("eglQueryDeviceStringEXT", c_char_p, c_void_p, c_int32)
        self._bytes = function(
            "eglQueryDeviceBinaryEXT", c_uint, c_void_p, c_int32, c_int32, c_void_p, size
        )
        self._display = function("eglGetCurrentDisplay", c_void_p)
        self._of_display = function("eglQueryDisplayAttribEXT", c_uint, c_void_p, c_int32, value)

    def devices(self) -> tuple[EglDevice, ...]:
        """Return all listed devices."""
        return tuple(self._described(at, handle) for at, handle in enumerate(self._handles()))

    def current(self) -> EglDevice | None:
        """Return the device of the current display."""
        handle = c_ssize_t()
        display = self._display()
        if not display or self._of_display(display, _DEVICE_EXT, byref(handle)) != _TRUE:
            return None
        handles = self._handles()
        if handle.value not in handles:
            return None
        at = handles.index(handle.value)
        return self._described(at, handles[at])

    def _handles(self) -> list[int | None]:
        handles, count = (c_void_p * MOST_DEVICES)(), c_int32()
        if self._list(MOST_DEVICES, handles, byref(count)) != _TRUE:
            return []
        return list(handles)[: count.value]

    def _described(self, index: int, handle: int | None) -> EglDevice:
        # Querying an extension that the device lacks is an error, in which some drivers crash.
        has = (self._said(handle, _EXTENSIONS) or "").split().__contains__
        return EglDevice(
            index,
            name=self._said(handle, _RENDERER_EXT) if has("EGL_EXT_device_query_name") else None,
            cuda=self._cuda(handle) if has("EGL_NV_device_cuda") else None,
            uuid=self._uuid(handle) if has("EGL_EXT_device_persistent_id") else None,
            file=self._said(handle, _DRM_DEVICE_FILE_EXT) if has("EGL_EXT_device_drm") else None,
            is_software=has("EGL_MESA_device_software"),
        )

    def _said(self, handle: int | None, what: int) -> str | None:
        text = self._text(handle, what)
        if not text:
            return None
        said: str = text.decode(errors="replace")
        return said if what == _EXTENSIONS else one_printable_line(said, _MOST_NAME)

    def _cuda(self, handle: int | None) -> int | None:
        number = c_ssize_t()
        said = self._number(handle, _CUDA_DEVICE_NV, byref(number)) == _TRUE
        return number.value if said and number.value >= 0 else None

    def _uuid(self, handle: int | None) -> str | None:
        content, size = buffer_of(_UUID_BYTES), c_int32()
        said = self._bytes(handle, _DEVICE_UUID_EXT, _UUID_BYTES, content, byref(size)) == _TRUE
        return f"GPU-{UUID(bytes=content.raw)}" if said and size.value == _UUID_BYTES else None


def _absent(*_: object) -> None:
    """Stand in for a function that EGL does not have."""
