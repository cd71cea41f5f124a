"""dyad's axes: what a sweep may vary besides conditions, and their values in an episode."""

from dataclasses import dataclass

from mirror_ray.asking.axes import FrameSettings
from mirror_ray.contract.family import Structured

FOV_DEG = 110.0
"""Vertical field of view, as in selfid."""


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    history: int
    max_steps: int
    structured: Structured
