"""A card on the floor with a monkey next to it: the content of a picture of them.

The viewer looks north (+y), and the text is upright for the viewer. A lying card has its middle at
the origin: the monkey sees the text turned about the vertical axis by the angle between its own
place and the viewer's (180° in arXiv 2602.15892). An upright card, as in that source's photograph,
faces the viewer. A monkey opposite sees its blank back and, if it could look through the card,
would see the text mirrored, not turned."""

from dataclasses import dataclass
from math import cos, radians, sin, tan
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.types import Encoding
from sim_assets.lettering import CAPITAL_EM, type_size_px
from sim_assets.monkey import MONKEY_EYE_FORWARD_M, MONKEY_EYE_HEIGHT_M
from sim_assets.tabletop import CARD_DEPTH_M, CARD_TEXTURE_PX

Screen = Literal["none", "between", "behind"]
"""The place of a screen: none, between monkey and card, or behind the monkey's back."""
_Vector = NDArray[np.float64]

FACING_GAP_M, SCREENED_GAP_M = 0.33, 0.44
"""Distances from the card's middle to the monkey, without and with a screen."""
SCREEN_GAP_M, SCREEN_BEHIND_GAP_M = 0.2, 0.6
_FARTHER_ASIDE_M = 0.045
"""Added at the sides, because the card is wider than deep."""

VIEWER_EYE_M, VIEWER_LOOKS_AT_M = (0.0, -0.55, 0.78), (0.0, 0.15, 0.06)
FRONT_EYE_M, FRONT_LOOKS_AT_M, FRONT_FOV_DEG = (0.0, -0.82, 0.5), (0.0, 0.05, 0.15), 32.0
"""The viewer's eye in front of an upright card: as low as it can be without a horizon."""
FAR_EYE_M = (0.0, -0.8, 1.1)
"""The viewer's eye, farther back, if monkey and screen are both at the side."""
VIEWER_FOV_DEG, WIDE_FOV_DEG, MONKEY_FOV_DEG = 39.0, 54.0, 70.0
"""Vertical fields of view. The viewer's is wide if the monkey sits at the side or farther away."""


@dataclass(frozen=True, slots=True)
class CardView:
    """A picture of the card.

    Args:
        monkey_deg: the monkey's place, in degrees anticlockwise around the card from the viewer's,
            seen from above: 90 is at the viewer's right, 180 opposite. It sees the text turned
            clockwise by as much. None: no monkey.
        screen: where a screen is; "none" without a monkey.
        stands: the card is upright and faces the viewer; otherwise it lies.
        type_size_px: of the text, in pixels of the card's texture; None for as large as fits.
    """

    painter: ClassVar[str] = "mirror_ray.world.tabletop.painter:TabletopPainter"

    text: str
    monkey_deg: int | None
    screen: Screen
    width_px: int
    height_px: int
    encoding: Encoding
    eye: Literal["viewer", "monkey"] = "viewer"
    stands: bool = False
    type_size_px: int | None = None


@dataclass(frozen=True, slots=True)
class _Eye:
    """A camera: `place` (3,) in metres; `axes` (3, 3), its right, up and backward as columns."""

    place: _Vector
    axes: _Vector
    fov_deg: float


def around_card(monkey_deg: float, gap_m: float) -> tuple[_Vector, float]:
    """Return a place on the floor, (3,) metres, and the yaw in radians that faces the card."""
    bearing = radians(monkey_deg - 90.0)
    place = np.array([gap_m * cos(bearing), gap_m * sin(bearing), 0.0])
    return place, radians(monkey_deg)


def monkey_gap_m(view: CardView) -> float:
    """Return the monkey's distance from the card's middle, at which it touches neither card nor
    screen."""
    if view.screen != "none":
        return SCREENED_GAP_M + _sits_aside(view) * _FARTHER_ASIDE_M
    return FACING_GAP_M + _sits_aside(view) * _FARTHER_ASIDE_M


def card_middle_m(view: CardView) -> _Vector:
    """Return (3,): the middle of the card's text."""
    return np.array([0.0, 0.0, CARD_DEPTH_M / 2 if view.stands else 0.0])


def screen_gap_m(view: CardView) -> float:
    """Return the screen's distance from the card's middle."""
    if view.screen == "behind":
        return SCREEN_BEHIND_GAP_M
    return SCREEN_GAP_M + _sits_aside(view) * _FARTHER_ASIDE_M


def eye_of(view: CardView) -> _Eye:
    """Return the camera that takes the picture. Raise ValueError if it is that of a missing
    monkey."""
    if view.eye == "viewer" and view.stands:
        return _looking(np.array(FRONT_EYE_M), np.array(FRONT_LOOKS_AT_M), FRONT_FOV_DEG)
    if view.eye == "viewer":
        is_wide = _sits_aside(view) or view.screen != "none"
        fov_deg = WIDE_FOV_DEG if is_wide else VIEWER_FOV_DEG
        eye_m = FAR_EYE_M if _sits_aside(view) and view.screen != "none" else VIEWER_EYE_M
        return _looking(np.array(eye_m), np.array(VIEWER_LOOKS_AT_M), fov_deg)
    if view.monkey_deg is None:
        raise ValueError("the card has no monkey whose eyes could be used")
    place, yaw = around_card(view.monkey_deg, monkey_gap_m(view))
    ahead = np.array([-sin(yaw), cos(yaw), 0.0])
    up = np.array([0.0, 0.0, MONKEY_EYE_HEIGHT_M])
    return _looking(place + MONKEY_EYE_FORWARD_M * ahead + up, card_middle_m(view), MONKEY_FOV_DEG)


def capital_height_px(view: CardView) -> float:
    """Return a capital letter's height in the picture, in pixels, at the card's middle."""
    size_px = view.type_size_px or type_size_px(view.text, *CARD_TEXTURE_PX)
    half_m = CAPITAL_EM * size_px / CARD_TEXTURE_PX[1] * CARD_DEPTH_M / 2
    up = np.array([0.0, 0.0, 1.0]) if view.stands else np.array([0.0, 1.0, 0.0])
    middle = card_middle_m(view)
    top, bottom = (on_picture(view, middle + y * up) for y in (half_m, -half_m))
    return float(np.hypot(*(top - bottom)))


def on_picture(view: CardView, points_m: _Vector) -> _Vector:
    """Return (…, 2): columns and rows in pixels at which points (…, 3) in metres appear."""
    eye = eye_of(view)
    right, up, backward = np.moveaxis((points_m - eye.place) @ eye.axes, -1, 0)
    focal_px = view.height_px / 2 / tan(radians(eye.fov_deg) / 2)
    columns = view.width_px / 2 - focal_px * right / backward
    rows = view.height_px / 2 + focal_px * up / backward
    return np.stack([columns, rows], axis=-1)


def _sits_aside(view: CardView) -> bool:
    return view.monkey_deg in {90, 270}


def _looking(place: _Vector, target: _Vector, fov_deg: float) -> _Eye:
    backward = (place - target) / np.linalg.norm(place - target)
    right = np.cross((0.0, 0.0, 1.0), backward)
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(backward, right), backward], axis=1)
    return _Eye(place, axes, fov_deg)
