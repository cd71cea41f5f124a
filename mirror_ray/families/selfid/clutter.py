"""Boxes that hide part of the ego's reflection, for the condition with a partial one.

[Our decision] throughout: arXiv 2605.08816 only says that clutter makes reflections partial."""

from collections.abc import Sequence
from math import hypot

import numpy as np

from mirror_ray.core.errors import SceneError
from mirror_ray.families.selfid.hiding import hidden_shares
from mirror_ray.families.selfid.reach import reachable_places
from mirror_ray.world.room.camera import reflector_axes, reflector_centre
from mirror_ray.world.room.collision import Floor
from mirror_ray.world.room.layout import edges, farthest_corner_m, footprint_m
from mirror_ray.world.room.scene import (
    BODY_RADIUS_M,
    MAX_CLUTTER,
    REFLECTOR_WIDTH_M,
    ROOM_SIDE_M,
    Box,
    Pose,
    Wall,
)
from sim_assets.colors import CLUTTER_TONES

MIN_BOXES = 6
EDGE_RANGE_M = (0.3, 1.2)
FRONT_DEPTH_M = (0.5, 1.5)
HIDDEN_RANGE = (0.2, 0.7)
# The hidden shares of the silhouette and of the pixels differ by up to 0.03 over a scene's places.
_DRAWN_RANGE = (HIDDEN_RANGE[0] + 0.05, HIDDEN_RANGE[1] - 0.05)
# Boxes in front of the mirror are higher, and all boxes are slender; otherwise few draws would hide
# a fifth.
_FRONT_HEIGHT_M = (0.6, 1.2)
_FOOTPRINT_M = (0.3, 0.7)
_TONES = tuple(CLUTTER_TONES)
_MIN_PLACES = 30
_MAX_ROOMS = 400
_MAX_PLACINGS = 200


def sample_clutter(start: Pose, wall: Wall, rng: np.random.Generator) -> tuple[Box, ...]:
    """Draw 6–12 boxes, at least half of them 0.5–1.5 m in front of the mirror and within its width.

    They hide 20–70 % of the ego's reflection, averaged over the reachable places from which the
    mirror could show all of it. There are many such places, and at one of them at least half of the
    reflection is visible.

    Raises:
        SceneError: no such boxes within the bound.
    """
    count = int(rng.integers(MIN_BOXES, MAX_CLUTTER + 1))
    for _ in range(_MAX_ROOMS):
        boxes = _placed(count, start, wall, rng)
        if boxes is not None and hides_in_part(start, wall, boxes):
            return boxes
    raise SceneError(
        f"no {count} boxes that hide {HIDDEN_RANGE[0]:.0%}–{HIDDEN_RANGE[1]:.0%} of the reflection"
        f" on the {wall} wall from a start at {start} within {_MAX_ROOMS} draws"
    )


def hides_in_part(start: Pose, wall: Wall, boxes: Sequence[Box]) -> bool:
    """Return whether the boxes hide as much as they should, and leave a place with a good view."""
    shares = hidden_shares(reachable_places(start, boxes), wall, boxes)
    shares = shares[~np.isnan(shares)]
    if len(shares) < _MIN_PLACES:
        return False
    return _DRAWN_RANGE[0] <= shares.mean() <= _DRAWN_RANGE[1] and bool(shares.min() <= 0.5)


def _placed(
    count: int, start: Pose, wall: Wall, rng: np.random.Generator
) -> tuple[Box, ...] | None:
    """Draw boxes clear of each other, the walls and the start; None if they do not fit."""
    boxes: list[Box] = []
    for _ in range(_MAX_PLACINGS):
        box = _drawn(wall, rng, front=2 * len(boxes) < count)
        if _stands_free(box, boxes) and Floor((box,)).is_free(start.x_m, start.y_m, BODY_RADIUS_M):
            boxes.append(box)
        if len(boxes) == count:
            return tuple(boxes)
    return None


def _drawn(wall: Wall, rng: np.random.Generator, *, front: bool) -> Box:
    half = ROOM_SIDE_M / 2
    if front:
        along, _, inward = reflector_axes(wall).T[:, :2]
        side = rng.uniform(-REFLECTOR_WIDTH_M / 2, REFLECTOR_WIDTH_M / 2)
        place = np.array(reflector_centre(wall)[:2])
        place = place + rng.uniform(*FRONT_DEPTH_M) * inward + side * along
    else:
        place = rng.uniform(-half, half, size=2)
    x_m, y_m = place.round(3).tolist()
    return Box(
        x_m,
        y_m,
        round(float(rng.uniform(0.0, 90.0)), 1),
        round(float(rng.uniform(*_FOOTPRINT_M)), 3),
        round(float(rng.uniform(*_FOOTPRINT_M)), 3),
        round(float(rng.uniform(*(_FRONT_HEIGHT_M if front else EDGE_RANGE_M))), 3),
        str(rng.choice(_TONES)),
    )


def _stands_free(box: Box, boxes: Sequence[Box]) -> bool:
    return farthest_corner_m(box) <= ROOM_SIDE_M / 2 and not any(
        _overlap(box, other) for other in boxes
    )


def _overlap(one: Box, other: Box) -> bool:
    """Return whether two footprints overlap: no edge direction of either separates them."""
    between = (other.x_m - one.x_m, other.y_m - one.y_m)
    if hypot(*between) > one.half_diagonal_m + other.half_diagonal_m:
        return False
    return all(
        abs(between[0] * x + between[1] * y) <= footprint_m(one, x, y) + footprint_m(other, x, y)
        for box in (one, other)
        for x, y in edges(box)
    )
