import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from pickle import dumps

import numpy as np
import pytest

from mirror_ray.core.types import Frame, View
from mirror_ray.world.painters import Painter
from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.scene import Scene
from mirror_ray.world.room.view import EyeView

_ELSEWHERE = """
import pickle, sys
from hashlib import sha256
from mirror_ray.world.renderer import Renderer
renderer = Renderer()
for view in pickle.load(sys.stdin.buffer):
    frame = renderer.draw(view)
    print(sha256(frame.rgb.data).hexdigest(), frame.facts)
"""


def test_another_process_draws_the_same_pixels(
    renderer: Renderer, random_scene: Callable[..., Scene]
) -> None:
    views = []
    for seed in range(4):
        scene = random_scene(seed, others=3, cubes=3, clutter=4)
        views.append(Room(scene, np.random.default_rng(seed)).eye())
    here = [renderer.draw(view) for view in views]
    # Neither the order of the views, nor what was drawn before, nor Mesa's threads may matter.
    there = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE],
        input=dumps(views[::-1]),
        env=os.environ | {"LP_NUM_THREADS": "2", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        check=True,
    )
    expected = [f"{sha256(frame.rgb.data).hexdigest()} {frame.facts}" for frame in here[::-1]]
    assert there.stdout.decode().splitlines() == expected


def test_renderers_of_one_process_do_not_disturb_one_another(
    renderer: Renderer, random_scene: Callable[..., Scene]
) -> None:
    view, other = (
        Room(random_scene(seed, others=3), np.random.default_rng(seed)).eye() for seed in (1, 2)
    )
    before = renderer.draw(view)
    second = Renderer()
    assert second.draw(other).facts == renderer.draw(other).facts
    np.testing.assert_array_equal(second.draw(view).rgb, before.rgb)
    second.close()
    np.testing.assert_array_equal(renderer.draw(view).rgb, before.rgb)


@pytest.mark.parametrize("dropped_by", ["this thread", "another"])
def test_a_renderer_that_is_dropped_takes_nothing_of_anothers(
    renderer: Renderer, random_scene: Callable[..., Scene], dropped_by: str
) -> None:
    view = Room(random_scene(1, others=3), np.random.default_rng(1)).eye()
    before = renderer.draw(view)
    held: list[Renderer] = []

    def make_another() -> None:
        held.append(Renderer())
        held[0].draw(view)

    with ThreadPoolExecutor(1) as maker:
        if dropped_by == "another":
            maker.submit(make_another).result()
        else:
            make_another()
        renderer.draw(view)
        held.clear()
        after = renderer.draw(view)
    assert after.facts == before.facts
    np.testing.assert_array_equal(after.rgb, before.rgb)


class _DropsAnother:
    """A painter whose draw has its neighbour collected, as a garbage collection may."""

    def __init__(self, drawing: Painter, held: list[Renderer]) -> None:
        self._drawing, self._held = drawing, held

    def draw(self, view: View) -> Frame:
        self._held.clear()
        return self._drawing.draw(view)

    def free(self) -> None:
        self._drawing.free()


def test_a_renderer_that_is_dropped_during_anothers_draw(
    renderer: Renderer, random_scene: Callable[..., Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    view = Room(random_scene(1, others=3), np.random.default_rng(1)).eye()
    before = renderer.draw(view)
    held = [Renderer()]
    held[0].draw(view)
    dropping = _DropsAnother(renderer._painter_of(EyeView), held)
    monkeypatch.setitem(renderer._painters, EyeView, dropping)
    after = renderer.draw(view)
    assert not held
    np.testing.assert_array_equal(after.rgb, before.rgb)
    assert after.facts == before.facts
