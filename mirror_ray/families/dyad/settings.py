"""dyad's axes: what a sweep may vary besides conditions, and an episode's values of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.asking.axes import (
    ENCODING,
    STRUCTURED,
    FrameSettings,
    axis_values,
    history_axis,
    image_axis,
)
from mirror_ray.asking.picture import picture_axis
from mirror_ray.contract.family import Axis, Structured
from mirror_ray.core.identity import EpisodeSpec

FOV_DEG = 110.0
"""Vertical field of view, as in selfid."""

AXES: Mapping[str, Axis] = {
    "history": history_axis(1, 0, 5),
    "image": image_axis("320x240", "640x480", "960x720"),
    "encoding": ENCODING,
    "picture": picture_axis(has_mirror=True),
    "max_steps": Axis(
        40, "steps of each of the two after which it is truncated", minimum=1, maximum=100
    ),
    "structured": STRUCTURED,
}


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    history: int
    max_steps: int
    structured: Structured


def settings_of(spec: EpisodeSpec) -> Settings:
    """Return the values of this episode, with defaults for axes that its cell does not set."""
    return Settings(**axis_values(AXES, spec.cell))
