"""Chooses the EGL device on which a process draws: only the GPU that it was given."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from mirror_ray.core.errors import RenderError
from mirror_ray.world.opengl.egl_devices import MOST_DEVICES, EglDevice

By = Literal["uuid", "cuda", "only", "place", "software"]
"""How a device was identified: by its UUID; by its number in CUDA; as the only GPU in the list; by
its place among the GPUs, if the driver states nothing more; as software, without a GPU."""

NO_GPU = ""


@dataclass(frozen=True, slots=True)
class DeviceChoice:
    """A device, and how it was identified."""

    device: EglDevice
    by: By


@dataclass(frozen=True, slots=True)
class DrawnOn:
    """The device that a process draws on.

    Args:
        gpu_id: the GPU that it was given, as in `choose_device`; None: it requested none.
        device: the one in use; None if EGL does not say.
        by: how it was identified; None: MuJoCo chose it.
    """

    gpu_id: str | None
    device: EglDevice | None
    by: By | None

    def remark(self) -> str | None:
        """Return what people should know about the choice; None if nothing."""
        if self.gpu_id is None or self.device is None:
            return None
        if self.gpu_id == NO_GPU:
            number = self.device.name if self.device.cuda is None else self.device.cuda
            return _TAKEN.format(number) if self.device.is_nvidia else None
        if self.device.is_software:
            return _HIDDEN.format(self.gpu_id)
        return _GUESSED.format(self.gpu_id, self.device.index) if self.by == "place" else None


_TAKEN = (
    "given no GPU, but EGL lists nothing else: it draws on GPU {}; software needs Mesa's EGL "
    "(apt-get install libegl-mesa0 libgl1-mesa-dri)"
)
_HIDDEN = (
    "given GPU {}, but EGL lists none: it draws in software; the driver's EGL library is missing "
    "(in a container: NVIDIA_DRIVER_CAPABILITIES=all)"
)
_GUESSED = "given GPU {}, but EGL does not say which device that is: it draws on device {}"


def choose_device(devices: Sequence[EglDevice], gpu_id: str) -> DeviceChoice | None:
    """Return the device of the GPU that a process was given.

    Args:
        devices: EGL's list, as this process sees it.
        gpu_id: in the form of ``CUDA_VISIBLE_DEVICES``: a number, ``GPU-…`` or ``MIG-…``; `NO_GPU`:
            none was given, so that CUDA's devices belong to other processes.

    Returns:
        None if MuJoCo may choose: no GPU is listed; or none was given, and either none of the
            listed devices is CUDA's or there are no others.
    """
    gpus = [one for one in devices if not one.is_software]
    if gpu_id == NO_GPU:
        software = next((one for one in devices if one.is_software), None)
        is_others = any(one.is_nvidia for one in gpus)
        return DeviceChoice(software, "software") if software and is_others else None
    if len(gpus) < 2:
        return DeviceChoice(gpus[0], "only") if gpus else None
    return _by_uuid(gpus, gpu_id) or _by_number(gpus, gpu_id)


def _by_uuid(gpus: Sequence[EglDevice], gpu_id: str) -> DeviceChoice | None:
    # As in CUDA, the beginning of a UUID is enough if only one UUID begins with it.
    if not gpu_id.startswith("GPU-"):
        return None
    alike = [one for one in gpus if one.uuid is not None and one.uuid.startswith(gpu_id)]
    return DeviceChoice(alike[0], "uuid") if len(alike) == 1 else None


def _by_number(gpus: Sequence[EglDevice], gpu_id: str) -> DeviceChoice:
    in_cuda = {one.cuda: one for one in gpus if one.cuda is not None}
    number = int(gpu_id) if gpu_id.isdecimal() else None
    if number in in_cuda:
        return DeviceChoice(in_cuda[number], "cuda")
    if len(in_cuda) == 1:
        # The driver hides the other GPUs, as CUDA does, and numbers the visible ones from 0.
        return DeviceChoice(next(iter(in_cuda.values())), "cuda")
    return DeviceChoice(gpus[(number or 0) % len(gpus)], "place")


def open_display(device: EglDevice) -> None:
    """Make MuJoCo's contexts of this process on `device`, overriding its choice.

    MuJoCo chooses by ``MUJOCO_EGL_DEVICE_ID`` and ``CUDA_VISIBLE_DEVICES``, knows no UUIDs, and
    takes the first device if a driver does not give CUDA's numbers.

    Raises:
        RenderError: the driver does not open it.
    """
    chooser: Any = import_module("mujoco.egl")
    egl = chooser.EGL
    handle = egl.eglQueryDevicesEXT(MOST_DEVICES)[device.index]
    display = egl.eglGetPlatformDisplayEXT(egl.EGL_PLATFORM_DEVICE_EXT, handle, None)
    if display == egl.EGL_NO_DISPLAY or not egl.eglInitialize(display, None, None):
        raise RenderError(f"EGL does not open its device {device.index} ({device.name})")
    chooser.EGL_DISPLAY = display
