"""A frame is its owner's: what is drawn afterwards leaves it as it is."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from mirror_ray.core.types import View
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.scene import Scene
from mirror_ray.world.studio.shots import PosingView, Shot, StudioFigure
from mirror_ray.world.tabletop.card import CardView

Pair = tuple[View, View]


@pytest.fixture(params=["eye", "card", "posing", "one row"])
def pair(request: pytest.FixtureRequest, random_scene: Callable[..., Scene]) -> Pair:
    """Two views of a kind and size that look different."""
    if request.param == "card":
        card = CardView("GHTBF", 180, "none", 640, 480, "png")
        return card, replace(card, text="P", monkey_deg=0)
    if request.param == "posing":
        red = StudioFigure("person", "red", 0, 0.0, raised="left hand", worn=None, worn_color=None)
        looks = [Shot((replace(red, azimuth_deg=deg),), 3.6, 1.5, 1) for deg in (0.0, 180.0)]
        first, second = (
            PosingView((shot,), "left hand", "direct", ("direct",), 640, 480, "png")
            for shot in looks
        )
        return first, second
    height_px = 1 if request.param == "one row" else 480
    one, other = (
        Room(random_scene(seed, others=3, cubes=3), np.random.default_rng(seed)).eye(
            height_px=height_px
        )
        for seed in (1, 2)
    )
    return one, other


def test_what_is_drawn_later_leaves_a_frame_as_it_is(renderer: Renderer, pair: Pair) -> None:
    first, second = pair
    frame = renderer.draw(first)
    before = frame.rgb.copy()
    after = renderer.draw(second).rgb
    assert frame.rgb.shape == after.shape
    assert not np.array_equal(after, before)
    np.testing.assert_array_equal(frame.rgb, before)
