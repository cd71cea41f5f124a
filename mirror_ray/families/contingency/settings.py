"""contingency's axes: what a sweep may vary besides conditions, and an episode's values of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.asking.axes import ENCODING, FrameSettings, axis_values, history_axis, image_axis
from mirror_ray.asking.picture import picture_axis
from mirror_ray.contract.family import Axis
from mirror_ray.core.identity import EpisodeSpec

AXES: Mapping[str, Axis] = {
    "delay": Axis(2, "steps by which an image that follows late is late", choices=(1, 2, 3)),
    "frames": Axis(
        2, "how many pictures are sent: the current one and those before", choices=(1, 2, 4)
    ),
    "history": history_axis(3, 0, 1, 8),
    "image": image_axis("720x300", "960x400", "1440x600"),
    "encoding": ENCODING,
    "picture": picture_axis(has_mirror=False),
    "max_steps": Axis(8, "steps after which an episode is truncated", minimum=1, maximum=50),
}


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    delay: int
    frames: int
    history: int
    max_steps: int


def settings_of(spec: EpisodeSpec) -> Settings:
    """Return the values of this episode, with defaults for axes that its cell does not set."""
    return Settings(**axis_values(AXES, spec.cell))
