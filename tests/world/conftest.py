"""Scenes as they may come, for the tests of the world."""

from collections.abc import Callable

import numpy as np
import pytest

from mirror_ray.world.room.collision import Disc, Floor
from mirror_ray.world.room.motion import EGO_DISTANCE_M
from mirror_ray.world.room.scene import BODY_RADIUS_M, WALLS, Body, Box, Pose, Scene
from sim_assets.colors import CLUTTER_TONES, COLOR_NAMES


@pytest.fixture(scope="session")
def random_scene() -> Callable[..., Scene]:
    """A scene in which everything stands free, the mirror on the wall that the ego looks at."""

    def build(seed: int, *, others: int = 0, cubes: int = 0, clutter: int = 0) -> Scene:
        rng = np.random.default_rng(seed)
        boxes: list[Box] = []
        discs: list[Disc] = []

        def place(radius_m: float) -> tuple[float, float]:
            for _ in range(10_000):
                x_m, y_m = rng.uniform(-2.6, 2.6, 2).tolist()
                if Floor(tuple(boxes)).is_free(x_m, y_m, radius_m, discs):
                    return x_m, y_m
            raise AssertionError("no room left")

        def body(radius_m: float) -> Body:
            x_m, y_m = place(radius_m)
            discs.append(Disc(x_m, y_m, radius_m))
            yaw_deg = 30.0 * int(rng.integers(12))
            return Body(Pose(x_m, y_m, yaw_deg), str(rng.choice(COLOR_NAMES)))

        def box(color: str, low_m: float, high_m: float) -> Box:
            width_m, depth_m = rng.uniform(low_m, high_m, 2).tolist()
            x_m, y_m = place(np.hypot(width_m, depth_m) / 2)
            height_m = float(rng.uniform(low_m, high_m))
            made = Box(x_m, y_m, float(rng.uniform(0, 90)), width_m, depth_m, height_m, color)
            boxes.append(made)
            return made

        ego = body(EGO_DISTANCE_M - BODY_RADIUS_M)
        crowd = tuple(body(BODY_RADIUS_M) for _ in range(others))
        colors = rng.permutation(COLOR_NAMES)
        candidates = tuple(box(str(colors[i]), 0.3, 0.3) for i in range(cubes))
        tones = list(CLUTTER_TONES)
        stuff = tuple(box(str(rng.choice(tones)), 0.3, 0.8) for _ in range(clutter))
        wall = WALLS[round(ego.pose.yaw_deg / 90) % 4]
        return Scene(wall, "mirror", ego, candidates, stuff, crowd)

    return build
