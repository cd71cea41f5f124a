"""The GPU that a process was given, among the devices that EGL lists."""

import pytest

from mirror_ray.core.errors import RenderError
from mirror_ray.world.opengl import device_choice
from mirror_ray.world.opengl.device_choice import NO_GPU, DrawnOn, choose_device, open_display
from mirror_ray.world.opengl.egl_devices import EglDevice
from mirror_ray.world.renderer import Renderer

A, B = "GPU-0a1b2c3d-0000-4000-8000-000000000001", "GPU-0a1bffff-0000-4000-8000-000000000002"
# EGL lists them the other way round.
SECOND = EglDevice(0, "NVIDIA H100", cuda=1, uuid=B)
FIRST = EglDevice(1, "NVIDIA H100", cuda=0, uuid=A)
SOFTWARE = EglDevice(2, is_software=True)
TWO = (SECOND, FIRST, SOFTWARE)
# What the driver lists where CUDA_VISIBLE_DEVICES is empty.
HIDDEN = EglDevice(0, "NVIDIA H200", uuid=A)
MUTE = (EglDevice(0), EglDevice(1), SOFTWARE)
HIDES_THE_OTHER = (EglDevice(0), EglDevice(1, cuda=0), SOFTWARE)


@pytest.mark.parametrize(
    ("devices", "gpu_id", "index", "by"),
    [
        (TWO, "0", 1, "cuda"),
        (TWO, "1", 0, "cuda"),
        (TWO, A, 1, "uuid"),
        (TWO, "GPU-0a1bf", 0, "uuid"),
        # Both begin so: CUDA would refuse it.
        (TWO, "GPU-0a1b", 0, "place"),
        # The driver shows what CUDA shows, and counts it from 0.
        (HIDES_THE_OTHER, "1", 1, "cuda"),
        (HIDES_THE_OTHER, "MIG-3f2c", 1, "cuda"),
        (TWO, "MIG-3f2c", 0, "place"),
        # Nothing is known: processes spread over the GPUs as Ray spread them.
        (MUTE, "1", 1, "place"),
        (MUTE, "5", 1, "place"),
        # A container that shows one GPU alone.
        ((EglDevice(0), SOFTWARE), "3", 0, "only"),
        (TWO, NO_GPU, 2, "software"),
        ((HIDDEN, SOFTWARE), NO_GPU, 2, "software"),
    ],
)
def test_the_given_gpu_is_found(devices, gpu_id, index, by):
    choice = choose_device(devices, gpu_id)
    assert choice is not None
    assert (choice.device.index, choice.by) == (index, by)


@pytest.mark.parametrize(
    ("devices", "gpu_id"),
    [
        ((SOFTWARE,), "0"),
        ((), "0"),
        # A laptop's own graphics is nobody else's.
        ((EglDevice(0, file="/dev/dri/card0"), SOFTWARE), NO_GPU),
        ((SECOND, FIRST), NO_GPU),
    ],
)
def test_elsewhere_mujoco_chooses(devices, gpu_id):
    assert choose_device(devices, gpu_id) is None


@pytest.mark.parametrize(
    ("drawn_on", "says"),
    [
        (DrawnOn("0", FIRST, "cuda"), None),
        (DrawnOn(None, SOFTWARE, None), None),
        (DrawnOn(NO_GPU, SOFTWARE, "software"), None),
        (DrawnOn(NO_GPU, FIRST, None), "it draws on GPU 0"),
        (DrawnOn(NO_GPU, HIDDEN, None), "it draws on GPU NVIDIA H200"),
        (DrawnOn("0", SOFTWARE, None), "draws in software"),
        (DrawnOn("1", EglDevice(1), "place"), "does not say which device"),
        (DrawnOn("0", None, None), None),
    ],
)
def test_what_is_not_as_it_should_be_is_said(drawn_on, says):
    remark = drawn_on.remark()
    assert (says is None) == (remark is None)
    assert says is None or says in remark


def test_a_renderer_draws_on_the_device_that_was_chosen(monkeypatch):
    """Over MuJoCo's own choice, here by a number that it would refuse."""
    opened = []
    monkeypatch.setattr(
        "mirror_ray.world.renderer.choose_device",
        lambda devices, gpu_id: device_choice.DeviceChoice(devices[0], "only"),
    )
    monkeypatch.setattr(
        "mirror_ray.world.renderer.open_display",
        lambda device: (opened.append(device), open_display(device)),
    )
    renderer = Renderer("0")
    assert opened == [renderer.drawn_on.device]
    assert renderer.drawn_on.by == "only"
    renderer.close()


def test_a_device_that_does_not_open_is_refused(monkeypatch):
    import mujoco.egl

    monkeypatch.setattr(mujoco.egl.EGL, "eglInitialize", lambda *_: 0)
    with pytest.raises(RenderError, match="device 0"):
        open_display(EglDevice(0))
