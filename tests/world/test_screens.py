"""The screens show what they are said to, and their facts agree with the geometry of a mirror."""

from math import radians, tan

import numpy as np
import pytest

from mirror_ray.families.contingency.moving import START, hand_after
from mirror_ray.families.contingency.scenes import GLOVE
from mirror_ray.world.reaching.scene import Person
from mirror_ray.world.screens.painter import CAMERA_FOV_DEG, CAMERA_M, GAP_PX, screen_size
from mirror_ray.world.screens.scene import ScreenContent, ScreensView
from sim_assets.colors import COLORS

WIDTH_PX, HEIGHT_PX = 960, 400


def view_of(*hands):
    shown = tuple(ScreenContent(Person(0, "red", GLOVE), hand) for hand in hands)
    return ScreensView(shown, WIDTH_PX, HEIGHT_PX, "png")


def glove_middle(rgb, screen, wide):
    """(x, y) of the glove's pixels, by colour: twice as much blue as red, as nothing else here."""
    left = GAP_PX + screen * (wide + GAP_PX)
    part = rgb[:, left : left + wide].astype(int)
    rows, columns = np.nonzero((part[..., 2] > 2 * part[..., 0]) & (part[..., 1] > 110))
    return columns.mean() + left, rows.mean()


def test_a_glove_is_where_a_mirror_would_show_it(renderer):
    hands = (START, hand_after(hand_after(START, "left"), "up"), hand_after(START, "down"))
    view = view_of(*hands)
    frame = renderer.draw(view)
    assert frame.rgb.shape == (HEIGHT_PX, WIDTH_PX, 3)
    wide, high = screen_size(view)
    focal_px = high / 2 / tan(radians(CAMERA_FOV_DEG / 2))
    for screen, hand in enumerate(hands):
        x_m, y_m, z_m = hand.point_m
        away_m = CAMERA_M[0] - x_m
        # The body's left is on the picture's left.
        x_px = GAP_PX + screen * (wide + GAP_PX) + wide / 2 - focal_px * y_m / away_m
        y_px = HEIGHT_PX / 2 - focal_px * (z_m - CAMERA_M[2]) / away_m
        assert glove_middle(frame.rgb, screen, wide) == pytest.approx((x_px, y_px), abs=2.5)


def test_each_screen_shows_its_own_person_and_facts(renderer):
    one, other = START, hand_after(hand_after(START, "right"), "right")
    alike = renderer.draw(view_of(one, one, one))
    wide, _ = screen_size(view_of(one, one, one))
    parts = [alike.rgb[:, GAP_PX + number * (wide + GAP_PX) :][:, :wide] for number in range(3)]
    assert np.array_equal(parts[0], parts[1])
    assert np.array_equal(parts[0], parts[2])
    assert len(set(alike.facts["hand_px"])) == 1
    differs = renderer.draw(view_of(one, other, one))
    assert np.array_equal(differs.rgb[:, : wide + GAP_PX], alike.rgb[:, : wide + GAP_PX])
    assert differs.facts["hand_x_px"][1] > alike.facts["hand_x_px"][1] + 10
    assert differs.facts["hand_x_px"][2] == alike.facts["hand_x_px"][2]


def test_shirts_are_those_that_are_worn(renderer):
    shown = tuple(
        ScreenContent(Person(0, shirt, GLOVE), START) for shirt in ("red", "green", "blue")
    )
    rgb = renderer.draw(ScreensView(shown, WIDTH_PX, HEIGHT_PX, "png")).rgb
    wide, _ = screen_size(view_of(START, START, START))
    for number, shirt in enumerate(("red", "green", "blue")):
        left = GAP_PX + number * (wide + GAP_PX)
        chest = rgb[HEIGHT_PX // 2 + 20, left + wide // 2]
        assert int(np.argmax(chest)) == int(np.argmax(COLORS[shirt]))
