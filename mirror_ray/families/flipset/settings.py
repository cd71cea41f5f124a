"""FlipSet's axes: what a sweep may vary besides conditions, and an episode's values of them.

Defaults follow arXiv 2602.15892 where it states them: direct prompting, 12 layouts, the monkey
opposite.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mirror_ray.asking.axes import FrameSettings, axis_values
from mirror_ray.asking.channel import CHANNEL, Channel
from mirror_ray.asking.picture import picture_axis
from mirror_ray.contract.family import Axis
from mirror_ray.core.identity import Cell

Prompting = Literal["direct", "cot"]
_Scene = Literal["flat", "upright"]
SET = "set"

AXES: Mapping[str, Axis] = {
    "prompting": Axis("direct", "the letter alone, or reasoning first", choices=("direct", "cot")),
    "layouts": Axis(12, "orders of the options: the source's 12, or all 24", choices=(12, 24)),
    "strings": Axis(
        SET,
        "the set's own strings, or generated ones of so many characters",
        choices=(SET, "length-5", "length-6", "length-8"),
    ),
    "angle_deg": Axis(
        180, "where the monkey sits: opposite, at the right, at the left", choices=(180, 90, 270)
    ),
    "scene": Axis(
        "flat",
        "the card lies between viewer and monkey, or is upright before the viewer, as in the "
        "source's photograph, and turns its back to the monkey",
        choices=("flat", "upright"),
    ),
    "image": Axis(
        "640x480",
        "the picture's width and height in pixels",
        choices=("320x240", "640x480", "960x720", "1280x960"),
    ),
    "encoding": Axis("png", "how a picture is encoded for the model", choices=("png", "jpeg")),
    "picture": picture_axis(has_mirror=False),
    "channel": CHANNEL,
}


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    prompting: Prompting
    layouts: int
    strings: str
    angle_deg: int
    scene: _Scene
    channel: Channel

    @property
    def length(self) -> int | None:
        """The length of generated strings; None for the set's own."""
        return None if self.strings == SET else int(self.strings.removeprefix("length-"))


def settings_of(cell: Cell) -> Settings:
    """Return the values of a cell's episodes, with defaults for axes that it does not set."""
    return Settings(**axis_values(AXES, cell))
