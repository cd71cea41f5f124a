"""Renderers in processes of their own: what they drew, and those that hang or fail."""

from dataclasses import replace

import pytest

from mirror_ray.world.drawing_check.process import Drawn, sample_views
from mirror_ray.world.drawing_check.together import Together, devices_here, draw_together
from mirror_ray.world.opengl.context import GlInfo
from mirror_ray.world.opengl.egl_devices import listed_devices
from support.world.hanging_gl import hanging_gl

DRAWN = Drawn(GlInfo("egl", "v", "r", "1"), (("a",), ("b",)), ({}, {}), 100, 2.0)


def test_every_sample_view_shows_a_mirror_and_something_in_it(renderer):
    pictures = [renderer.draw(view) for view in sample_views()]
    assert len({frame.rgb.tobytes() for frame in pictures}) == len(pictures)
    assert all(frame.facts["mirror_px"] > 0 for frame in pictures)
    assert any(frame.facts["ego_reflection_px"] for frame in pictures)


def test_devices_are_those_that_this_process_sees():
    assert devices_here() == listed_devices()


def test_two_draw_what_one_draws():
    one, two = draw_together(None, 1, rounds=1), draw_together(None, 2, rounds=2)
    assert (two.renderers, two.hung, two.failed) == (2, 0, ())
    assert [drawn.frames for drawn in two.drawn] == [8, 8]
    assert two.digests_equal
    assert {drawn.digests for drawn in two.drawn} == {one.drawn[0].digests}


def test_one_that_hangs_is_given_up_and_the_others_are_not(monkeypatch, tmp_path):
    for name, value in hanging_gl(tmp_path, "glReadPixels", at=5, once=True).items():
        monkeypatch.setenv(name, value)
    two = draw_together(None, 2, rounds=2, deadline_s=5.0)
    assert (two.hung, two.failed, len(two.drawn)) == (1, (), 1)


def test_one_that_fails_says_why(monkeypatch, tmp_path):
    vendor = tmp_path / "vendor.json"
    vendor.write_text('{"file_format_version": "1.0.0", "ICD": {"library_path": "no_driver.so"}}')
    monkeypatch.setenv("__EGL_VENDOR_LIBRARY_FILENAMES", str(vendor))
    one = draw_together(None, 1)
    assert (one.hung, one.drawn, one.frames_per_s, one.digests_equal) == (0, (), None, None)
    assert "RenderError" in one.failed[0]


@pytest.mark.parametrize(
    ("others", "equal"),
    [
        ((("a",), ("b",)), True),
        ((("a",), ("c",)), False),
        # The same process drew a view in two ways.
        ((("a", "x"), ("b",)), False),
    ],
)
def test_pictures_are_equal_only_if_all_are(others, equal):
    together = Together(2, 0, (), (DRAWN, replace(DRAWN, digests=others)))
    assert together.digests_equal is equal


def test_the_slowest_decides_the_rate():
    together = Together(2, 0, (), (DRAWN, replace(DRAWN, elapsed_s=4.0)))
    assert together.frames_per_s == 50.0
