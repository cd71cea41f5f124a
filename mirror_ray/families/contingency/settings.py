"""contingency's axes: what a sweep may vary besides conditions, and an episode's values of them."""

from dataclasses import dataclass

from mirror_ray.asking.axes import FrameSettings


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    delay: int
    frames: int
    history: int
    max_steps: int
