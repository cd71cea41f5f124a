"""The contents of marktest's room, and its view, as frozen, picklable data."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, Literal

from mirror_ray.core.types import Encoding
from mirror_ray.world.reaching.body import (
    EYE_M,
    GLASS_X_M,
    LEFT_HAND_M,
    OTHER_X_M,
    SITES,
    LatticeCell,
    Point,
    Site,
    Spot,
)
from sim_assets.reaching_room import HAND_RADIUS_M

ReachingReflector = Literal["mirror", "panel", "none"]
Marked = Literal["own", "nothing", "other", "glass", "hand"]
REACHING_FOV_DEG = 70.0
"""Vertical field of view."""
MIRROR_HALF_WIDTH_M = 0.30
MIRROR_HALF_HEIGHT_M = 0.42
MIRROR_Z_M = 1.36


@dataclass(frozen=True, slots=True)
class Person:
    """A person: which of `sim_assets.figures.LOOKS`, the shirt's colour by name, and the colour of
    a glove on the right hand, if any."""

    look: int
    shirt: str
    glove: str | None = None


@dataclass(frozen=True, slots=True)
class MarkScene:
    """The room of an episode, without the moving hand.

    Args:
        reflector: what the body faces: a mirror, a wall-coloured panel in its frame, or nothing.
        marked: what the mark is on.
        site: where the mark is, or would be, on one's own body; or on the other body, if it is
            there.
        glass_y_m, glass_z_m: where the mark would be on the glass.
        other: the body opposite, if any.
    """

    own: Person
    reflector: ReachingReflector
    marked: Marked
    site: Site
    mark_color: str
    glass_y_m: float
    glass_z_m: float
    other: Person | None = None


@dataclass(frozen=True, slots=True)
class ReachView:
    """The picture from the body's eyes, with its right hand at a given place."""

    painter: ClassVar[str] = "mirror_ray.world.reaching.painter:ReachPainter"

    scene: MarkScene
    hand: LatticeCell
    width_px: int
    height_px: int
    encoding: Encoding


def mark_spot(scene: MarkScene) -> Spot | None:
    """Return where the mark is; None without one."""
    if scene.marked == "nothing":
        return None
    if scene.marked == "own":
        return SITES[scene.site]
    if scene.marked == "glass":
        return Spot((GLASS_X_M, scene.glass_y_m, scene.glass_z_m), (-1.0, 0.0, 0.0))
    if scene.marked == "other":
        (x_m, y_m, z_m), (ahead, left, up) = SITES[scene.site].middle_m, SITES[scene.site].normal
        return Spot((OTHER_X_M - x_m, -y_m, z_m), (-ahead, -left, up))
    to_eye = tuple(eye - hand for eye, hand in zip(EYE_M, LEFT_HAND_M, strict=True))
    length = sqrt(sum(part**2 for part in to_eye))
    normal = (to_eye[0] / length, to_eye[1] / length, to_eye[2] / length)
    middle = tuple(
        hand + HAND_RADIUS_M * part for hand, part in zip(LEFT_HAND_M, normal, strict=True)
    )
    return Spot((middle[0], middle[1], middle[2]), normal)


def image_on_glass(point: Point) -> Point:
    """Return where on the mirror's surface the eye sees the reflection of a point."""
    behind_m = 2 * GLASS_X_M - point[0]
    share = (GLASS_X_M - EYE_M[0]) / (behind_m - EYE_M[0])
    return (
        GLASS_X_M,
        EYE_M[1] + share * (point[1] - EYE_M[1]),
        EYE_M[2] + share * (point[2] - EYE_M[2]),
    )
