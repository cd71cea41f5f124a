"""A sitting plush monkey, built from ellipsoids and capsules.

Its body frame lies on the floor under it: +y is its line of sight, +z is up. About 0.36 m tall.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, radians, sin

import mujoco
import numpy as np
from numpy.typing import NDArray

MONKEY_EYE_HEIGHT_M = 0.268
MONKEY_EYE_FORWARD_M = 0.135
"""How far in front of its axis the point between the monkey's eyes is, in its own frame."""

SHADOW_HALF_M = 0.25
_SHADOW_RGB = (36, 20, 12)
_BROWN = (0.50, 0.33, 0.20)
_DARK_BROWN = (0.40, 0.25, 0.15)
_TAN = (0.86, 0.69, 0.50)
_BLACK = (0.07, 0.05, 0.05)
_WHITE = (0.97, 0.97, 0.95)
_SMILE = (0.32, 0.17, 0.11)

_Vector = tuple[float, float, float]


def add_monkey(body: mujoco.MjsBody, *, plush: str, glossy: str, shadow: str) -> None:
    """Add the monkey's geoms to `body`.

    Args:
        plush: the material of fur and cloth.
        glossy: the material of eyes and nose.
        shadow: the material that wears `shadow_texture`.
    """
    body.add_geom(
        name="shadow",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        pos=(0.0, 0.0, 0.001),
        size=(SHADOW_HALF_M, SHADOW_HALF_M, 0.1),
        material=shadow,
    )
    _add_trunk(body, plush)
    _add_limbs(body, plush)
    _add_tail(body, plush)
    _add_head(body, plush)
    _add_face(body, plush, glossy)


def shadow_texture(side_px: int) -> NDArray[np.uint8]:
    """Return (side_px, side_px, 4): a soft blot under trunk and legs, SHADOW_HALF_M to
    each side.
    """
    axis = np.linspace(-SHADOW_HALF_M, SHADOW_HALF_M, side_px)
    x, y = np.meshgrid(axis, axis[::-1])
    lit = np.ones_like(x)
    blots = [(0.012, -0.006, 0.11, 0.095)]
    blots += [(side * 0.09 + 0.008, 0.115, 0.05, 0.072) for side in (-1.0, 1.0)]
    for x0, y0, wide, deep in blots:
        distance = np.hypot((x - x0) / wide, (y - y0) / deep)
        lit *= 1.0 - 0.5 * np.clip(1.35 - distance, 0.0, 1.0) ** 2
    rgba = np.empty((side_px, side_px, 4), np.uint8)
    rgba[..., :3] = _SHADOW_RGB
    rgba[..., 3] = np.rint(255 * (1.0 - lit))
    return rgba


def _add_trunk(body: mujoco.MjsBody, plush: str) -> None:
    _ellipsoid(body, (0.0, 0.0, 0.098), (0.076, 0.068, 0.1), _BROWN, plush)
    _ellipsoid(body, (0.0, 0.026, 0.094), (0.055, 0.05, 0.076), _TAN, plush)


def _add_limbs(body: mujoco.MjsBody, plush: str) -> None:
    for side in (-1.0, 1.0):
        shoulder = (side * 0.062, 0.008, 0.158)
        elbow = (side * 0.108, 0.05, 0.112)
        hand = (side * 0.094, 0.11, 0.072)
        _limb(body, (shoulder, elbow, hand), 0.0215, _BROWN, plush)
        _ellipsoid(body, hand, (0.024, 0.026, 0.022), _TAN, plush)
        hip, knee = (side * 0.046, 0.03, 0.036), (side * 0.086, 0.1, 0.042)
        foot = (side * 0.094, 0.15, 0.036)
        _limb(body, (hip, knee, foot), 0.028, _BROWN, plush)
        _ellipsoid(body, (side * 0.096, 0.168, 0.042), (0.03, 0.022, 0.04), _TAN, plush)


def _add_tail(body: mujoco.MjsBody, plush: str) -> None:
    # It leaves the body behind, swings out to the monkey's left and curls up at its end.
    curl = [(-0.03, -0.05, 0.03), (-0.08, -0.09, 0.026), (-0.135, -0.075, 0.03)]
    middle, radius = (-0.16, -0.05, 0.085), 0.052
    for step in range(16):
        angle = radians(-95 - 20 * step)
        curl.append((middle[0] + radius * cos(angle), middle[1], middle[2] + radius * sin(angle)))
    _limb(body, curl, 0.0125, _DARK_BROWN, plush)


def _add_head(body: mujoco.MjsBody, plush: str) -> None:
    _ellipsoid(body, (0.0, 0.02, 0.252), (0.088, 0.08, 0.08), _BROWN, plush)
    for side in (-1.0, 1.0):
        _ellipsoid(body, (side * 0.094, 0.01, 0.256), (0.034, 0.016, 0.036), _BROWN, plush)
        _ellipsoid(body, (side * 0.096, 0.021, 0.256), (0.022, 0.01, 0.024), _TAN, plush)
    for sway, height in ((-0.012, 0.334), (0.0, 0.342), (0.013, 0.335)):
        _limb(body, ((0.0, 0.02, 0.325), (sway, 0.03, height)), 0.0075, _DARK_BROWN, plush)


def _add_face(body: mujoco.MjsBody, plush: str, glossy: str) -> None:
    for side in (-1.0, 1.0):
        _ellipsoid(body, (side * 0.029, 0.071, 0.268), (0.035, 0.028, 0.038), _TAN, plush)
        eye = (side * 0.027, 0.097, 0.268)
        _ellipsoid(body, eye, (0.0115, 0.0085, 0.0135), _BLACK, glossy)
        glint = (eye[0] - 0.004, eye[1] + 0.0068, eye[2] + 0.0052)
        _ellipsoid(body, glint, (0.0034, 0.0026, 0.0036), _WHITE, glossy)
    _ellipsoid(body, (0.0, 0.083, 0.222), (0.05, 0.04, 0.034), _TAN, plush)
    for side in (-1.0, 1.0):
        nostril = (side * 0.0095, 0.1195, 0.236)
        _ellipsoid(body, nostril, (0.0042, 0.0036, 0.0034), _BLACK, glossy)
    smile = [
        (0.03 * sin(angle), 0.124 - 0.011 * sin(angle) ** 2, 0.228 - 0.019 * cos(angle))
        for angle in (pi / 180 * degrees for degrees in range(-75, 76, 15))
    ]
    _limb(body, smile, 0.0026, _SMILE, plush)


def _ellipsoid(
    body: mujoco.MjsBody, centre: _Vector, radii: _Vector, rgb: _Vector, material: str
) -> None:
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_ELLIPSOID,
        pos=centre,
        size=radii,
        rgba=(*rgb, 1.0),
        material=material,
    )


def _limb(
    body: mujoco.MjsBody, joints: Sequence[_Vector], radius_m: float, rgb: _Vector, material: str
) -> None:
    """Add capsules from joint to joint: their round ends form one smooth limb."""
    for start, end in pairwise(joints):
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            fromto=(*start, *end),
            size=(radius_m, 0.0, 0.0),
            rgba=(*rgb, 1.0),
            material=material,
        )
