"""What three screens show at one moment, as frozen, picklable data."""

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from mirror_ray.core.types import Encoding
from mirror_ray.world.reaching.body import LatticeCell
from mirror_ray.world.reaching.scene import Person

ScreenSide = Literal["left", "middle", "right"]
PLACES: tuple[ScreenSide, ...] = get_args(ScreenSide)


@dataclass(frozen=True, slots=True)
class ScreenContent:
    """What one screen shows: a person, and where the right hand is."""

    look: Person
    hand: LatticeCell


@dataclass(frozen=True, slots=True)
class ScreensView:
    """The picture of the three screens, from left to right."""

    painter: ClassVar[str] = "mirror_ray.world.screens.painter:ScreensPainter"

    screens: tuple[ScreenContent, ScreenContent, ScreenContent]
    width_px: int
    height_px: int
    encoding: Encoding
