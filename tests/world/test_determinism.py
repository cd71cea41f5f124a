import os
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from pickle import dumps

import numpy as np

from mirror_ray.world.renderer import Renderer
from mirror_ray.world.room.motion import Room
from mirror_ray.world.room.scene import Scene

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
