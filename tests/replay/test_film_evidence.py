"""The overlay shows whose pixels are whose: checked pixel by pixel on a picture made by hand."""

import numpy as np
import pytest

from mirror_ray.replay.film.evidence import outlined, overlay
from mirror_ray.replay.film.floor_plan import floor_plan
from mirror_ray.replay.film.style import ACCENT, paint
from mirror_ray.world.room.evidence import EGO, FIRST_CUBE, FIRST_OTHER
from mirror_ray.world.room.scene import Body, Box, Pose, Scene
from mirror_ray.world.room.view import EyeView, Stance


@pytest.fixture
def picture():
    rgb = np.full((60, 80, 3), 100, np.uint8)
    codes = np.zeros((60, 80), np.uint8)
    reflected = np.zeros((60, 80), bool)
    reflected[10:40, 20:60] = True
    codes[20:30, 30:34] = EGO
    codes[20:30, 5:9] = FIRST_OTHER
    codes[50:55, 70:75] = FIRST_CUBE
    return rgb, codes, reflected


def test_legend_counts_pixels(picture):
    legend = {entry.label: entry.pixels for entry in overlay(*picture).legend}
    assert legend == {"mirror": 1200, "own reflection": 40, "others": 40, "cubes": 25}


def test_each_kind_has_a_colour_of_its_own_and_the_rest_is_grey(picture):
    shown = overlay(*picture).rgb
    colors = {tuple(shown[place]) for place in ((25, 31), (25, 6), (52, 72), (10, 20))}
    assert len(colors) == 4
    assert all(len(set(color)) > 1 for color in colors)
    assert len(set(shown[0, 0])) == 1


def test_outline_surrounds_the_reflection_and_leaves_it_visible(picture):
    rgb, _, _ = picture
    shown = outlined(*picture)
    np.testing.assert_array_equal(shown[20:30, 30:34], rgb[20:30, 30:34])
    assert tuple(shown[25, 29]) == tuple(shown[25, 28]) == ACCENT
    assert tuple(shown[25, 27]) == (100, 100, 100)


def test_plan_has_north_up_and_bodies_where_they_stand():
    """A red ego in the north-east, a blue cube in the south-west; 6 m and the walls on 280 px."""
    pose = Pose(2.0, 2.0, 90.0)
    cube = Box(-2.0, -2.0, 0.0, 0.4, 0.4, 0.4, "blue")
    scene = Scene("west", "mirror", Body(pose, "red"), cubes=(cube,))
    view = EyeView(scene, Stance(pose, 0.0), (), 640, 480, 110.0, "png")
    plan = floor_plan(view, (Pose(0.0, 0.0, 90.0), Pose(1.0, 1.0, 90.0), pose), 280)
    px_per_m = 280 / 6.56
    for (x_m, y_m), color in (((2.0, 2.0), "red"), ((-2.0, -2.0), "blue")):
        place = round(140 + x_m * px_per_m), round(140 - y_m * px_per_m)
        assert np.abs(np.array(plan.getpixel(place)) - paint(color)).max() < 12
    halfway = plan.getpixel((round(140 + px_per_m), round(140 - px_per_m)))
    assert np.abs(np.array(halfway) - ACCENT).max() < 40
