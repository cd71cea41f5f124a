"""The eye's geometry: from a place in the room to a pixel, and from a pixel to a place on the
floor.

It uses only what a participant may assume about its camera and the room (arXiv 2605.08816: vertical
field of view 110°)."""

from dataclasses import dataclass
from math import cos, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

_FOV_DEG = 110.0
WALKER_EYE_HEIGHT_M = 1.45
_EYE_FORWARD_M = 0.12
HALF_ROOM_M = 3.0

FloorXY = tuple[float, float]
"""x and y on the floor, metres from the room's centre."""


@dataclass(frozen=True, slots=True)
class Eye:
    """A level pinhole camera carried by a body at (x_m, y_m) looking along `yaw_deg`."""

    x_m: float
    y_m: float
    yaw_deg: float
    width_px: int
    height_px: int

    @property
    def focal_px(self) -> float:
        """Pixels per unit of slope, in both directions."""
        return self.height_px / 2 / tan(radians(_FOV_DEG / 2))

    @property
    def horizon_px(self) -> float:
        """The row on which everything at eye height appears."""
        return self.height_px / 2

    def seen_from(self, point: FloorXY) -> tuple[float, float]:
        """Return (distance ahead, offset to the right) of a point on the floor, in metres."""
        ahead = (cos(radians(self.yaw_deg)), sin(radians(self.yaw_deg)))
        x_m = point[0] - self.x_m - _EYE_FORWARD_M * ahead[0]
        y_m = point[1] - self.y_m - _EYE_FORWARD_M * ahead[1]
        return x_m * ahead[0] + y_m * ahead[1], x_m * ahead[1] - y_m * ahead[0]

    def on_floor(self, ahead_m: float, right_m: float) -> FloorXY:
        """Return the inverse of `seen_from`."""
        ahead = (cos(radians(self.yaw_deg)), sin(radians(self.yaw_deg)))
        forward_m = ahead_m + _EYE_FORWARD_M
        return (
            self.x_m + forward_m * ahead[0] + right_m * ahead[1],
            self.y_m + forward_m * ahead[1] - right_m * ahead[0],
        )

    def column_px(self, ahead_m: float, right_m: float) -> float:
        """Return the column of anything at this place."""
        return self.width_px / 2 + self.focal_px * right_m / ahead_m

    def row_px(self, ahead_m: float, height_m: float) -> float:
        """Return the row of something `height_m` above the floor."""
        return self.horizon_px + self.focal_px * (WALKER_EYE_HEIGHT_M - height_m) / ahead_m

    def ahead_of_foot(self, row_px: float) -> float:
        """Return how far ahead an object is that touches the floor on this row below the
        horizon."""
        return self.focal_px * WALKER_EYE_HEIGHT_M / (row_px - self.horizon_px)

    def grid(
        self,
        ahead_m: float,
        right_m: float,
        offsets_m: tuple[float, float],
        heights_m: tuple[float, float],
        shape: tuple[int, int],
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return rows and columns of a grid of points that is upright in the picture, flattened.

        Args:
            offsets_m: from and to, sideways from (ahead_m, right_m).
            heights_m: from and to, above the floor.
            shape: how many heights, how many offsets.
        """
        heights = np.linspace(*heights_m, shape[0])
        offsets = right_m + np.linspace(*offsets_m, shape[1])
        rows = self.horizon_px + self.focal_px * (WALKER_EYE_HEIGHT_M - heights) / ahead_m
        columns = self.width_px / 2 + self.focal_px * offsets / ahead_m
        grid = np.meshgrid(np.rint(rows).astype(np.intp), np.rint(columns).astype(np.intp))
        return grid[0].ravel(), grid[1].ravel()
