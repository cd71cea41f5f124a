"""FlipSet's axes: what a sweep may vary besides conditions, and their values in an episode.

Defaults follow arXiv 2602.15892 where stated: direct prompting, 12 layouts, monkey opposite."""

from dataclasses import dataclass
from typing import Literal

from mirror_ray.asking.axes import FrameSettings
from mirror_ray.asking.channel import Channel

Prompting = Literal["direct", "cot"]
_Scene = Literal["flat", "upright"]
SET = "set"


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
