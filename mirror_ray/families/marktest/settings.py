"""marktest's axes: what a sweep may vary besides conditions, and their values in an episode."""

from dataclasses import dataclass
from typing import Literal

from mirror_ray.asking.axes import FrameSettings

Help = Literal["none", "goal", "mirror", "told"]


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    help: Help
    history: int
    max_steps: int
