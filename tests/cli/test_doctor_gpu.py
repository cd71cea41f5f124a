"""`doctor --gpu` on pretended GPUs, and on the software that is here."""

import json

import pytest

from mirror_ray.cli import doctor_gpu, main
from mirror_ray.world.drawing_check.process import Drawn
from mirror_ray.world.drawing_check.together import Together
from mirror_ray.world.opengl.context import GlInfo
from mirror_ray.world.opengl.egl_devices import EglDevice

GPU, OTHER_GPU = EglDevice(0, "NVIDIA H100", cuda=1), EglDevice(1, "NVIDIA H100", cuda=0)
SOFTWARE = EglDevice(2, is_software=True)


def drawn(digest: str, mirror_px: int) -> Drawn:
    return Drawn(
        GlInfo("egl", "NVIDIA", "H100", "4.6"), ((digest,),), ({"mirror_px": mirror_px},), 100, 0.5
    )


@pytest.fixture
def gpus(monkeypatch):
    """Two GPUs: one on which four hang, one whose evidence is 40 pixels off."""

    def draw_together(device, renderers, **_):
        if device.is_software:
            return Together(1, 0, (), (drawn("cpu", 1000),))
        if device == GPU and renderers == 4:
            return Together(4, 1, (), (drawn("a", 1007),) * 3)
        off_px = 40 if device == OTHER_GPU else 7
        return Together(renderers, 0, (), (drawn("a", 1000 + off_px),) * renderers)

    monkeypatch.setattr(doctor_gpu, "devices_here", lambda: (GPU, OTHER_GPU, SOFTWARE))
    monkeypatch.setattr(doctor_gpu, "draw_together", draw_together)


def test_each_gpu_is_checked_up_to_the_first_hang(gpus, capsys):
    assert main(["doctor", "--gpu", "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)["devices"]
    assert first["device"]["cuda"] == 1
    assert [one["renderers"] for one in first["rounds"]] == [1, 2, 4]
    assert [one["is_sound"] for one in first["rounds"]] == [True, True, False]
    assert first["rounds"][2]["hung"] == 1
    assert first["rounds"][1] == {
        "renderers": 2,
        "frames_per_s": 400.0,
        "digests_equal": True,
        "evidence_gap_px": 7.0,
        "hung": 0,
        "failed": [],
        "is_sound": True,
    }
    assert [one["renderers"] for one in second["rounds"]] == [1, 2, 4, 8]
    assert not any(one["is_sound"] for one in second["rounds"])


def test_the_table_names_device_and_gap(gpus, capsys):
    assert main(["doctor", "--gpu", "--renderers", "1"]) == 1  # the second GPU's evidence
    said = capsys.readouterr().out
    assert "within 7 px" in said
    assert "CUDA 1" in said


def test_without_a_gpu_it_says_so_and_what_can_be_checked(monkeypatch, capsys):
    monkeypatch.setattr(doctor_gpu, "devices_here", lambda: (SOFTWARE,))
    assert main(["doctor", "--gpu"]) == 2
    said = capsys.readouterr().err
    assert "no GPU" in said
    assert "doctor --renderers 1,2,4,8" in said


def test_software_is_checked_when_asked(capsys):
    assert main(["doctor", "--renderers", "1", "--json"]) == 0
    (device,) = json.loads(capsys.readouterr().out)["devices"]
    assert device["device"]["is_software"]
    (one,) = device["rounds"]
    assert one["digests_equal"]
    assert one["evidence_gap_px"] is None


@pytest.mark.parametrize("counts", ["0", "1,x", "", "1,,2", "999"])
def test_odd_counts_are_refused(counts, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--renderers", counts])
    assert ended.value.code == 2
    assert "whole numbers from 1 to 64" in capsys.readouterr().err
