"""What EGL says of its devices: Mesa's own answers here, and NVIDIA's as they are documented."""

from mirror_ray.world.opengl.egl_devices import EglDevice, listed_devices
from mirror_ray.world.renderer import Renderer
from support.world.pretended_egl import PretendedDevice, pretended_egl

FIRST = "GPU-0a1b2c3d-0000-4000-8000-000000000001"
H100 = PretendedDevice("NVIDIA H100", cuda=1, uuid=FIRST, file="/dev/dri/card2")
MESA = PretendedDevice(is_software=True)


def test_the_device_in_use_is_one_of_the_list(renderer: Renderer) -> None:
    assert renderer.drawn_on.device in listed_devices()


def test_this_machine_names_the_software_that_draws(renderer: Renderer) -> None:
    device = renderer.drawn_on.device
    assert device is not None
    assert device.is_software == ("llvmpipe" in renderer.gl.renderer)


def test_each_extension_is_read_where_the_device_has_it() -> None:
    assert pretended_egl(MESA, H100).devices() == (
        EglDevice(0, is_software=True),
        EglDevice(1, "NVIDIA H100", cuda=1, uuid=FIRST, file="/dev/dri/card2"),
    )


def test_the_current_display_tells_its_device() -> None:
    egl = pretended_egl(H100, MESA, current=1)
    assert egl.current() == EglDevice(1, is_software=True)
    assert pretended_egl(H100, MESA).current() is None


def test_an_egl_without_the_extension_lists_nothing() -> None:
    assert pretended_egl(H100, lacks="eglQueryDevicesEXT").devices() == ()
    assert pretended_egl(H100, current=0, lacks="eglQueryDisplayAttribEXT").current() is None


def test_a_name_is_one_bounded_printable_line() -> None:
    (device,) = pretended_egl(PretendedDevice("Tesla\x1b[31m\n" + "x" * 9999)).devices()
    assert device.name is not None
    assert device.name.isprintable()
    assert len(device.name) <= 200
