"""contingency's axes: what a sweep may vary besides conditions, and their values in an episode."""

from dataclasses import dataclass

from mirror_ray.asking.axes import FrameSettings


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    delay: int
    frames: int
    history: int
    max_steps: int
