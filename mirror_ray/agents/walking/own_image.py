"""Recognizes the agent's own reflection, which a mirror can show at one place only.

If a wall carried a mirror, the agent's image would be as far behind the wall as the agent is in
front of it, on the normal through its feet. No other body can appear there: bodies never overlap,
and nothing is behind a plain wall."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mirror_ray.agents.sight import NONE, Sight
from mirror_ray.agents.walking.perspective import HALF_ROOM_M, Eye, FloorXY
from sim_assets.colors import COLOR_NAMES

WALL_DIRECTIONS: Mapping[str, FloorXY] = {
    "east": (1.0, 0.0),
    "north": (0.0, 1.0),
    "west": (-1.0, 0.0),
    "south": (0.0, -1.0),
}
"""The unit vector towards each wall."""

EMPTY = "empty"
_LANE_M = 0.8
"""The largest sideways distance from the wall's centre at which a mirror shows the agent fully."""
_GLIMPSE_M = 0.93
"""The largest sideways distance at which a mirror shows half of the agent."""
_NEAREST_M, _FARTHEST_M = 0.45, 5.0
_CORE = ((-0.07, 0.07), (1.0, 1.4))
_HEAD = ((-0.05, 0.05), (1.2, 1.45))
_UNDER_FEET = ((-0.3, 0.3), (-0.7, -0.2))
_ASIDE = ((0.5, 0.7), (0.9, 1.4))


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A place relative to a wall: metres in front of it, and metres sideways of its centre."""

    off_m: float
    aside_m: float

    @property
    def in_lane(self) -> bool:
        """Whether a mirror at the wall's centre would show the agent's own image."""
        return abs(self.aside_m) <= _LANE_M and _NEAREST_M <= self.off_m <= _FARTHEST_M


def viewpoint_of(wall: str, place: FloorXY) -> Viewpoint:
    """Return the position of `place` relative to a wall."""
    normal = WALL_DIRECTIONS[wall]
    return Viewpoint(
        HALF_ROOM_M - (place[0] * normal[0] + place[1] * normal[1]),
        place[1] * normal[0] - place[0] * normal[1],
    )


def look_for_oneself(sight: Sight, eye: Eye, wall: str) -> str | None:
    """Return what is seen where a mirror on `wall` would show the agent itself.

    A colour is the agent's own reflection. EMPTY is a bare wall without a mirror. None means that
    the place is outside the picture or the mirror, or hidden."""
    place = (eye.x_m, eye.y_m)
    view = viewpoint_of(wall, place)
    if abs(view.aside_m) > _GLIMPSE_M or not _NEAREST_M <= view.off_m <= _FARTHEST_M:
        return None
    normal = WALL_DIRECTIONS[wall]
    image = (place[0] + 2 * view.off_m * normal[0], place[1] + 2 * view.off_m * normal[1])
    ahead_m, right_m = eye.seen_from(image)
    if ahead_m <= 0:
        return None
    margin_px = 0.35 * eye.focal_px / ahead_m
    if abs(eye.column_px(ahead_m, right_m) - eye.width_px / 2) > eye.width_px / 2 - margin_px:
        return None

    def shares(
        offsets_m: tuple[float, float], heights_m: tuple[float, float]
    ) -> NDArray[np.float64]:
        labels = sight.labels(*eye.grid(ahead_m, right_m, offsets_m, heights_m, (9, 7)))
        counts = np.bincount(labels + 1, minlength=len(COLOR_NAMES) + 1)
        return counts / max(labels.size, 1)

    core = shares(*_CORE)
    if core[NONE + 1] >= 0.85:
        return EMPTY if view.in_lane else None
    head = shares(*_HEAD)
    label = int(core[1:].argmax()) + 1
    if max(core[label], head[label]) < 0.6:
        return None
    left, right = (-_ASIDE[0][1], -_ASIDE[0][0]), _ASIDE[0]
    beyond = (
        shares(*_UNDER_FEET)[label],
        shares(left, _ASIDE[1])[label],
        shares(right, _ASIDE[1])[label],
    )
    return COLOR_NAMES[label - 1] if max(beyond) < 0.25 else None
