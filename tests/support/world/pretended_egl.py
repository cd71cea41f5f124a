"""EGL's queries as NVIDIA's and Mesa's drivers answer them, for hosts that have no GPU.

The functions are called through their addresses, as the real library's are.
"""

import ctypes
from ctypes import CFUNCTYPE, c_int32, c_ssize_t, c_uint, c_void_p, cast
from dataclasses import dataclass
from uuid import UUID

from mirror_ray.world.opengl.egl_devices import Egl

EXTENSIONS, CUDA_DEVICE, DEVICE, UUID_, FILE, RENDERER = (
    *(0x3055, 0x323A, 0x322C, 0x335C, 0x3233, 0x335F),
)
FIRST_HANDLE = 0x1000
DISPLAY = 0x77


@dataclass(frozen=True)
class PretendedDevice:
    """A device as its driver describes it; what it lacks, it has no extension for."""

    name: str | None = None
    cuda: int | None = None
    uuid: str | None = None
    file: str | None = None
    is_software: bool = False

    def extensions(self) -> bytes:
        has = {
            "EGL_EXT_device_query_name": self.name,
            "EGL_NV_device_cuda": self.cuda,
            "EGL_EXT_device_persistent_id": self.uuid,
            "EGL_EXT_device_drm": self.file,
            "EGL_MESA_device_software": self.is_software or None,
        }
        return " ".join(name for name, value in has.items() if value is not None).encode()


def pretended_egl(*devices: PretendedDevice, current: int | None = None, lacks: str = "") -> Egl:
    """EGL over these devices; `current` is the one of the current display.

    Args:
        lacks: a function that it does not have.
    """

    def of(handle: int) -> PretendedDevice:
        return devices[handle - FIRST_HANDLE]

    def list_devices(most: int, handles: int, count: int) -> int:
        shown = min(most, len(devices))
        for at in range(shown):
            (c_void_p * most).from_address(handles)[at] = FIRST_HANDLE + at
        c_int32.from_address(count).value = shown
        return 1

    def number(handle: int, what: int, value: int) -> int:
        assert what == CUDA_DEVICE
        cuda = of(handle).cuda
        assert cuda is not None, "a query of an extension that the device lacks"
        c_ssize_t.from_address(value).value = cuda
        return 1

    kept: list[ctypes.Array[ctypes.c_char]] = []

    def text(handle: int, what: int) -> int | None:
        device = of(handle)
        said = {FILE: device.file, RENDERER: device.name}.get(what)
        assert what == EXTENSIONS or said is not None
        content = device.extensions() if said is None else said.encode()
        kept.append(ctypes.create_string_buffer(content))
        return ctypes.addressof(kept[-1])

    def binary(handle: int, what: int, most: int, content: int, size: int) -> int:
        uuid = of(handle).uuid
        assert (what, most) == (UUID_, 16)
        assert uuid is not None
        ctypes.memmove(content, UUID(uuid.removeprefix("GPU-")).bytes, 16)
        c_int32.from_address(size).value = 16
        return 1

    def current_display() -> int | None:
        return None if current is None else DISPLAY

    def of_display(display: int, what: int, value: int) -> int:
        assert (display, what) == (DISPLAY, DEVICE)
        assert current is not None
        c_ssize_t.from_address(value).value = FIRST_HANDLE + current
        return 1

    pointer = c_void_p
    functions = {
        "eglQueryDevicesEXT": CFUNCTYPE(c_uint, c_int32, pointer, pointer)(list_devices),
        "eglQueryDeviceAttribEXT": CFUNCTYPE(c_uint, pointer, c_int32, pointer)(number),
        "eglQueryDeviceStringEXT": CFUNCTYPE(pointer, pointer, c_int32)(text),
        "eglQueryDeviceBinaryEXT": CFUNCTYPE(c_uint, pointer, c_int32, c_int32, pointer, pointer)(
            binary
        ),
        "eglGetCurrentDisplay": CFUNCTYPE(pointer)(current_display),
        "eglQueryDisplayAttribEXT": CFUNCTYPE(c_uint, pointer, c_int32, pointer)(of_display),
    }
    functions.pop(lacks, None)

    def find(name: bytes) -> int | None:
        function = functions.get(name.decode())
        return None if function is None else cast(function, c_void_p).value

    egl = Egl(find)
    # The addresses are valid for as long as the callbacks live.
    egl.callbacks = functions  # type: ignore[attr-defined]
    return egl
