"""Every body colour can be told from the pixels, directly and in the mirror."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.evidence import EGO, FIRST_OTHER
from mirror_ray.world.room.scene import WALLS, Body, Box, Pose, Scene
from mirror_ray.world.room.view import EyeView, Stance
from sim_assets.colors import CLUTTER_TONES, COLOR_NAMES, COLORS
from support.whole import mostly_thorough

PALETTE = 255 * np.array(list(COLORS.values()))


def nearest(pixels: NDArray[np.uint8]) -> NDArray[np.int_]:
    return ((pixels[:, None].astype(float) - PALETTE) ** 2).sum(axis=-1).argmin(axis=1)


def views(color: str) -> Iterator[EyeView]:
    """The ego before the mirror and another of its colour beside it, from each wall."""
    turns = np.random.default_rng(COLOR_NAMES.index(color))
    for (index, wall), distance_m in product(enumerate(WALLS), (1.0, 2.5)):
        yaw = index * np.pi / 2
        ahead = np.array([np.cos(yaw), np.sin(yaw)])
        left = np.array([-ahead[1], ahead[0]])
        here = (3.0 - distance_m) * ahead
        ego = Pose(*here.tolist(), 90.0 * index)
        there = here + 0.6 * ahead + 0.6 * left
        other = Pose(*there.tolist(), 30.0 * int(turns.integers(12)))
        phases = turns.uniform(0, 2 * np.pi, 2).tolist()
        scene = Scene(wall, "mirror", Body(ego, color), others=(Body(other, color),))
        yield EyeView(
            scene, Stance(ego, phases[0]), (Stance(other, phases[1]),), 640, 480, 110.0, "png"
        )


@pytest.mark.parametrize("color", mostly_thorough(3, COLOR_NAMES))
def test_a_colour_reads_alike_directly_and_reflected(renderer: Renderer, color: str) -> None:
    own = COLOR_NAMES.index(color)
    brightness: dict[str, list[float]] = {"ego": [], "reflected": [], "direct": []}
    for view in views(color):
        rgb = renderer.draw(view).rgb
        codes, reflected = renderer.identify(view)
        for name, mask in (
            ("ego", (codes == EGO) & reflected),
            ("reflected", (codes == FIRST_OTHER) & reflected),
            ("direct", (codes == FIRST_OTHER) & ~reflected),
        ):
            pixels = rgb[mask]
            if len(pixels) < 50:
                continue
            readings = nearest(pixels)
            assert np.bincount(readings, minlength=10).argmax() == own
            assert (readings == own).mean() > 0.9
            assert nearest(pixels.mean(axis=0, keepdims=True))[0] == own
            brightness[name].append(float(pixels.mean()))
    assert min(map(len, brightness.values())) >= 4
    direct = np.mean(brightness["direct"])
    assert 0.95 < np.mean(brightness["ego"]) / direct < 1.25
    assert 0.95 < np.mean(brightness["reflected"]) / direct < 1.25


def test_no_two_colours_are_near_one_another() -> None:
    gaps = [np.linalg.norm(PALETTE[i] - PALETTE[j]) for i, j in combinations(range(10), 2)]
    assert min(gaps) > 80


def test_nothing_but_bodies_and_cubes_has_a_bodys_colour(renderer: Renderer) -> None:
    boxes = tuple(
        Box(1.2, -1.5 + index, 20.0, 0.5, 0.4, 0.6, tone)
        for index, tone in enumerate(CLUTTER_TONES)
    )
    for index, wall in enumerate(WALLS):
        for yaw_deg in range(0, 360, 90):
            pose = Pose(-0.3, 0.2, float(yaw_deg))
            scene = Scene(wall, "mirror", Body(pose, COLOR_NAMES[index]), clutter=boxes)
            view = EyeView(scene, Stance(pose, 0.0), (), 640, 480, 110.0, "png")
            rgb = renderer.draw(view).rgb
            codes, _ = renderer.identify(view)
            neutral = rgb[codes != EGO]
            chroma = neutral.max(axis=-1) - neutral.min(axis=-1)
            # Brown, the dullest of the nine colours, has at least 55 levels; white is above 195.
            assert chroma.max() < 40
            assert neutral.min(axis=-1).max() < 190
