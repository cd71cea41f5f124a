"""Posed people and dogs before any pixel is drawn, as frozen, picklable data.

All angles and places refer to the viewer of a figure: the camera if it is seen directly, or the
camera's own reflection if it is seen in the mirror. So one shot can be shown in several ways, and
the picture in the mirror is the direct picture, reversed."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from mirror_ray.core.types import Encoding

ShotContent = Literal["direct", "reflection", "both"]
"""How the figures are seen: directly; only in the mirror; in the mirror and directly."""

MAX_PEOPLE = 3
MAX_DOGS = 3


@dataclass(frozen=True, slots=True)
class StudioFigure:
    """A person or a dog.

    Args:
        color: of the shirt or of the coat, by name.
        look: which of `sim_assets.figures.LOOKS` a person has.
        azimuth_deg: the viewer's direction, seen from above, anticlockwise from where the figure
            faces: at 0 it faces the viewer, at 90 it shows its left side, at 180 its back.
        right_m, beyond_m: its place relative to the first figure, to the viewer's right and away.
        raised: the limb it raises, e.g. ``left hand``, ``right rear leg``.
        worn: what it wears on one limb, e.g. ``left glove``, ``right rear sock``.
    """

    kind: Literal["person", "dog"]
    color: str
    look: int
    azimuth_deg: float
    right_m: float = 0.0
    beyond_m: float = 0.0
    raised: str | None = None
    worn: str | None = None
    worn_color: str | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """The figures' places, and the viewpoint of the first.

    Args:
        figures: the one in question first.
        distance_m: on the floor, from the first figure to its viewer.
        height_m: of the viewer's eye.
        side: the side of a mirror on which the figures are: 1, or -1.
    """

    figures: tuple[StudioFigure, ...]
    distance_m: float
    height_m: float
    side: int


@dataclass(frozen=True, slots=True)
class PosingView:
    """Several shots, of which the first that shows a limb well enough is drawn.

    Args:
        shots: candidates, in order of preference.
        limb: a key of `sim_assets.figures.LIMB_GEOMS`: the first figure's limb in question.
        shown: how it is drawn.
        must_show: the limb has to be well visible in all of these ways, so that pictures drawn in
            different ways use the same shot.
    """

    painter: ClassVar[str] = "mirror_ray.world.studio.painter:PosingPainter"

    shots: tuple[Shot, ...]
    limb: str
    shown: ShotContent
    must_show: tuple[ShotContent, ...]
    width_px: int
    height_px: int
    encoding: Encoding
