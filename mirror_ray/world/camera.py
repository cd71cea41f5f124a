"""The ego's eye: where it is, which way it looks, and whether the reflector can be in its picture.

Pure geometry of the pinhole camera of the selfid paper (arXiv 2605.08816: 640×480, vertical field
of view 110°). The eye is 0.12 m before the body's axis: further back the own face would show.
"""

from math import cos, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.scene import (
    REFLECTOR_CENTRE_Z_M,
    REFLECTOR_HEIGHT_M,
    REFLECTOR_WIDTH_M,
    ROOM_SIDE_M,
    Pose,
    Wall,
)

EYE_FORWARD_M = 0.12
EYE_HEIGHT_M = 1.45

_OUTWARD: dict[Wall, tuple[float, float]] = {
    "east": (1.0, 0.0),
    "north": (0.0, 1.0),
    "west": (-1.0, 0.0),
    "south": (0.0, -1.0),
}


def eye_position(pose: Pose) -> tuple[float, float, float]:
    """(x, y, z) in metres of the ego's camera."""
    yaw = radians(pose.yaw_deg)
    return (
        pose.x_m + EYE_FORWARD_M * cos(yaw),
        pose.y_m + EYE_FORWARD_M * sin(yaw),
        EYE_HEIGHT_M,
    )


def eye_axes(pose: Pose) -> NDArray[np.float64]:
    """(3, 3): the camera's right, up and backward unit vectors as columns; it looks level."""
    yaw = radians(pose.yaw_deg)
    c, s = cos(yaw), sin(yaw)
    return np.array([[s, 0.0, -c], [-c, 0.0, -s], [0.0, 1.0, 0.0]])


def reflector_centre(wall: Wall) -> tuple[float, float, float]:
    """(x, y, z) in metres: the middle of the reflector's place, on the wall's inner face."""
    x, y = _OUTWARD[wall]
    return x * ROOM_SIDE_M / 2, y * ROOM_SIDE_M / 2, REFLECTOR_CENTRE_Z_M


def reflector_axes(wall: Wall) -> NDArray[np.float64]:
    """(3, 3): the reflector's horizontal, upward and inward unit vectors as columns."""
    x, y = _OUTWARD[wall]
    return np.array([[y, 0.0, -x], [-x, 0.0, -y], [0.0, 1.0, 0.0]])


def reflector_corners(wall: Wall) -> NDArray[np.float64]:
    """(4, 3) metres: the corners of the reflector's place, in order around it."""
    along, up, _ = reflector_axes(wall).T
    centre = np.array(reflector_centre(wall))
    half_w, half_h = REFLECTOR_WIDTH_M / 2, REFLECTOR_HEIGHT_M / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([centre + a * half_w * along + b * half_h * up for a, b in signs])


def reflector_in_view(
    pose: Pose, wall: Wall, *, width_px: int, height_px: int, fov_deg: float
) -> bool:
    """Whether any part of the reflector's place lies within the picture, whatever stands before it.

    Exact: the quadrilateral is clipped by the four sides of the view's pyramid and its apex plane.
    """
    corners = (reflector_corners(wall) - np.array(eye_position(pose))) @ eye_axes(pose)
    half_y = tan(radians(fov_deg) / 2)
    half_x = half_y * width_px / height_px
    # A point is inside a plane where its dot product with (right, up, backward) is positive.
    planes = np.array(
        [[0, 0, -1], [1, 0, -half_x], [-1, 0, -half_x], [0, 1, -half_y], [0, -1, -half_y]]
    )
    polygon = list(corners)
    for plane in planes:
        polygon = _clipped(polygon, plane)
    return bool(polygon)


def _clipped(
    polygon: list[NDArray[np.float64]], plane: NDArray[np.float64]
) -> list[NDArray[np.float64]]:
    kept: list[NDArray[np.float64]] = []
    for start, end in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        a, b = float(start @ plane), float(end @ plane)
        if a > 0.0:
            kept.append(start)
        if (a > 0.0) != (b > 0.0):
            kept.append(start + (end - start) * (a / (a - b)))
    return kept
