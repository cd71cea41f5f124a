"""The ego's camera: its place, its direction, and what can be in its picture.

It is a pinhole camera as in the selfid paper (arXiv 2605.08816: 640×480, vertical field of view
110°). The eye is 0.12 m in front of the body's axis, so that the face is not visible."""

from collections.abc import Sequence
from math import cos, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.room.scene import (
    BODY_RADIUS_M,
    PERFECT,
    REFLECTOR_CENTRE_Z_M,
    ROOM_SIDE_M,
    Glass,
    Pose,
    Wall,
)
from mirror_ray.world.room.view import EyeView

EYE_FORWARD_M = 0.12
EYE_HEIGHT_M = 1.45
BODY_HEIGHT_M = 1.6
_MARGIN_M = 0.03

_OUTWARD: dict[Wall, tuple[float, float]] = {
    "east": (1.0, 0.0),
    "north": (0.0, 1.0),
    "west": (-1.0, 0.0),
    "south": (0.0, -1.0),
}


def eye_position(pose: Pose) -> tuple[float, float, float]:
    """Return (x, y, z) in metres of the ego's camera."""
    yaw = radians(pose.yaw_deg)
    return (pose.x_m + EYE_FORWARD_M * cos(yaw), pose.y_m + EYE_FORWARD_M * sin(yaw), EYE_HEIGHT_M)


def eye_axes(pose: Pose) -> NDArray[np.float64]:
    """Return (3, 3): the camera's right, up and backward unit vectors as columns; level."""
    yaw = radians(pose.yaw_deg)
    c, s = cos(yaw), sin(yaw)
    return np.array([[s, 0.0, -c], [-c, 0.0, -s], [0.0, 1.0, 0.0]])


def reflector_centre(wall: Wall) -> tuple[float, float, float]:
    """Return (x, y, z) in metres: the middle of the reflector's place, on the wall's inner face."""
    x, y = _OUTWARD[wall]
    return x * ROOM_SIDE_M / 2, y * ROOM_SIDE_M / 2, REFLECTOR_CENTRE_Z_M


def reflector_axes(wall: Wall) -> NDArray[np.float64]:
    """Return (3, 3): the reflector's horizontal, upward and inward unit vectors as columns."""
    x, y = _OUTWARD[wall]
    return np.array([[y, 0.0, -x], [-x, 0.0, -y], [0.0, 1.0, 0.0]])


def glass_frame(wall: Wall, glass: Glass) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a leaning mirror's centre (3,) in metres and axes (3, 3), as in `reflector_axes`."""
    along, up, inward = reflector_axes(wall).T
    tilt = radians(glass.tilt_deg)
    leaning = cos(tilt) * up + sin(tilt) * inward
    centre = np.array(reflector_centre(wall)) + (leaning - up) * glass.side_m / 2
    return centre, np.column_stack([along, leaning, cos(tilt) * inward - sin(tilt) * up])


def reflector_in_view(
    pose: Pose, wall: Wall, *, width_px: int, height_px: int, fov_deg: float, glass: Glass = PERFECT
) -> bool:
    """Return whether any part of the reflector's place is within the picture, ignoring occlusion.

    Exact: the quadrilateral is clipped by the four sides of the view's pyramid and its apex plane.
    """
    polygon = list(_seen_from(pose, _reflector_corners(wall, glass)))
    for plane in _pyramid(width_px, height_px, fov_deg):
        polygon = _clipped(polygon, plane)
    return bool(polygon)


def bodies_in_view(view: EyeView, *, reflecting: bool) -> list[bool]:
    """Return for the ego and each other body: False if no pixel can show it.

    Conservative: a body is treated as a cuboid around its disc, which is out of sight if it is
    wholly beyond one plane. The ego's own cuboid contains the eye: it is always visible."""
    pyramid = _pyramid(view.width_px, view.height_px, view.fov_deg)
    cuboids = _cuboids([view.ego.pose, *(other.pose for other in view.others)])
    seen = _within(_seen_from(view.ego.pose, cuboids), pyramid)
    for wall in view.scene.glass_walls if reflecting else ():
        corners = _seen_from(view.ego.pose, _reflector_corners(wall, view.scene.glass))
        window = np.cross(corners, np.roll(corners, -1, axis=0))
        window *= np.sign(window @ corners.mean(axis=0))[:, None]
        centre, axes = glass_frame(wall, view.scene.glass)
        depths = (cuboids - centre) @ axes[:, 2]
        reflections = cuboids - 2 * depths[..., None] * axes[:, 2]
        seen |= _within(_seen_from(view.ego.pose, reflections), np.vstack([pyramid, window]))
    return [bool(one) for one in seen]


def _seen_from(pose: Pose, points: NDArray[np.float64]) -> NDArray[np.float64]:
    seen: NDArray[np.float64] = (points - np.array(eye_position(pose))) @ eye_axes(pose)
    return seen


def _pyramid(width_px: int, height_px: int, fov_deg: float) -> NDArray[np.float64]:
    half_y = tan(radians(fov_deg) / 2)
    half_x = half_y * width_px / height_px
    return np.array(
        [[0, 0, -1], [1, 0, -half_x], [-1, 0, -half_x], [0, 1, -half_y], [0, -1, -half_y]]
    )


def _within(solids: NDArray[np.float64], planes: NDArray[np.float64]) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = solids @ planes.T > 0.0
    whole: NDArray[np.bool_] = np.logical_and.reduce(np.logical_or.reduce(inside, axis=1), axis=1)
    return whole


def _cuboids(poses: Sequence[Pose]) -> NDArray[np.float64]:
    r = BODY_RADIUS_M + _MARGIN_M
    offsets = np.array([(x, y, z) for x in (-r, r) for y in (-r, r) for z in (0.0, BODY_HEIGHT_M)])
    feet: NDArray[np.float64] = np.array([(pose.x_m, pose.y_m, 0.0) for pose in poses])
    corners: NDArray[np.float64] = feet[:, None] + offsets
    return corners


def _reflector_corners(wall: Wall, glass: Glass) -> NDArray[np.float64]:
    centre, axes = glass_frame(wall, glass)
    along, up, _ = axes.T
    half = glass.side_m / 2
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([centre + a * half * along + b * half * up for a, b in signs])


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
