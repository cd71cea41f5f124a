"""marktest's axes: what a sweep may vary besides conditions, and an episode's values of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from mirror_ray.asking.axes import ENCODING, FrameSettings, axis_values, history_axis, image_axis
from mirror_ray.asking.picture import picture_axis
from mirror_ray.contract.family import Axis
from mirror_ray.core.identity import EpisodeSpec

Help = Literal["none", "goal", "mirror", "told"]

AXES: Mapping[str, Axis] = {
    "help": Axis(
        "goal",
        "what the prompt says: no goal; to touch a mark; also what a mirror shows; also where "
        "to look for it",
        choices=get_args(Help),
    ),
    "history": history_axis(1, 0, 5),
    "image": image_axis("320x240", "640x480", "960x720"),
    "encoding": ENCODING,
    "picture": picture_axis(has_mirror=True),
    "max_steps": Axis(30, "steps after which an episode is truncated", minimum=1, maximum=200),
}


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    help: Help
    history: int
    max_steps: int


def settings_of(spec: EpisodeSpec) -> Settings:
    """Return the values of this episode, with defaults for axes that its cell does not set."""
    return Settings(**axis_values(AXES, spec.cell))
