"""Places figures, camera and mirror in the room for a shot.

A plane mirror shows what the camera's own reflection would see, reversed. So a figure is placed in
front of that reflected camera exactly as in front of a real one."""

from dataclasses import dataclass
from math import atan2, cos, degrees, pi, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.room.scene import ROOM_SIDE_M, WALL_HEIGHT_M, Pose
from mirror_ray.world.studio.shots import Shot, ShotContent, StudioFigure

_FOV_DEG = {"person": 45.0, "dog": 34.0}
"""Vertical field of view, by the kind of figure."""
AIM_HEIGHT_M = {"person": 1.05, "dog": 0.42}

_SLANT = radians(30.0)
"""Angle between the line of sight and the mirror's normal; a smaller one would put the camera
behind the figures."""
_NEARER = {"reflection": 0.0, "both": 0.38}
"""(camera's depth − figure's) / their sum: the larger, the closer are figure and reflection."""
_COVERED = {"reflection": (0.82, 0.86), "both": (0.46, 0.86)}
"""Share of the picture's width and height that the mirror takes."""
_FLOOR_GAP_M, _CEILING_GAP_M = 0.12, 0.1


@dataclass(frozen=True, slots=True)
class WallMirror:
    """A mirror on the east wall: its middle and its half extents, in metres."""

    y_m: float
    z_m: float
    half_width_m: float
    half_height_m: float


@dataclass(frozen=True, slots=True)
class Placement:
    """A shot in the room.

    Args:
        eye_m: (x, y, z) of the camera.
        axes: (3, 3), the camera's right, up and backward unit vectors as columns.
        poses: of the shot's figures, in order.
        glass: the mirror, if there is one.
        fov_deg: the camera's field of view.
    """

    eye_m: tuple[float, float, float]
    axes: NDArray[np.float64]
    poses: tuple[Pose, ...]
    glass: WallMirror | None
    fov_deg: float


def placed(shot: Shot, shown: ShotContent, aspect: float) -> Placement:
    """Return the shot's placement for a picture whose width is `aspect` times its height."""
    kind = shot.figures[0].kind
    fov_deg, aim_m = _FOV_DEG[kind], AIM_HEIGHT_M[kind]
    # The line of sight on the floor, from the viewer that the shot's angles refer to.
    sight = np.array([-cos(_SLANT), shot.side * sin(_SLANT)])
    pitch = atan2(aim_m - shot.height_m, shot.distance_m)
    if shown == "direct":
        middle = -0.5 * shot.distance_m * sight
        first = middle + shot.distance_m * sight
        eye = (float(middle[0]), float(middle[1]), shot.height_m)
        heading = atan2(sight[1], sight[0])
        return Placement(eye, _axes(heading, pitch), _poses(shot, first, sight), None, fov_deg)

    depths_m = shot.distance_m * cos(_SLANT)
    camera_m = depths_m * (1 + _NEARER[shown]) / 2
    half_side_m = ROOM_SIDE_M / 2
    # The line of sight meets the mirror at y = 0.
    eye_y_m = -shot.side * camera_m * tan(_SLANT)
    behind = np.array([half_side_m + camera_m, eye_y_m])
    first = behind + shot.distance_m * sight
    eye = (half_side_m - camera_m, eye_y_m, shot.height_m)
    heading = shot.side * _SLANT
    if shown == "both":
        heading = (heading + atan2(first[1] - eye[1], first[0] - eye[0])) / 2
    middle_m = shot.height_m + camera_m / cos(_SLANT) * tan(pitch)
    # Half of the picture's width at the mirror, which is seen at an angle.
    half_high_m = camera_m / cos(_SLANT) * tan(radians(fov_deg) / 2) / cos(pitch)
    half_wide_m = half_high_m * aspect / cos(_SLANT)
    glass = _glass(shown, middle_m, half_wide_m, half_high_m)
    return Placement(eye, _axes(heading, pitch), _poses(shot, first, sight), glass, fov_deg)


def elevation_deg(shot: Shot) -> float:
    """Return the downward angle at which the first figure is seen."""
    rise_m = shot.height_m - AIM_HEIGHT_M[shot.figures[0].kind]
    return degrees(atan2(rise_m, shot.distance_m))


def _glass(
    shown: ShotContent, middle_m: float, half_wide_m: float, half_high_m: float
) -> WallMirror:
    wide, high = _COVERED[shown]
    low_m = max(_FLOOR_GAP_M, middle_m - high * half_high_m)
    top_m = min(WALL_HEIGHT_M - _CEILING_GAP_M, middle_m + high * half_high_m)
    return WallMirror(0.0, (low_m + top_m) / 2, wide * half_wide_m, (top_m - low_m) / 2)


def _poses(shot: Shot, first: NDArray[np.float64], sight: NDArray[np.float64]) -> tuple[Pose, ...]:
    right = np.array([sight[1], -sight[0]])
    towards_deg = degrees(atan2(-sight[1], -sight[0]))

    def pose(figure: StudioFigure) -> Pose:
        x_m, y_m = first + figure.right_m * right + figure.beyond_m * sight
        return Pose(float(x_m), float(y_m), (towards_deg - figure.azimuth_deg) % 360.0)

    return tuple(pose(figure) for figure in shot.figures)


def _axes(heading: float, pitch: float) -> NDArray[np.float64]:
    ahead = np.array([cos(heading) * cos(pitch), sin(heading) * cos(pitch), sin(pitch)])
    right = np.array([cos(heading - pi / 2), sin(heading - pi / 2), 0.0])
    return np.column_stack([right, np.cross(right, ahead), -ahead])
