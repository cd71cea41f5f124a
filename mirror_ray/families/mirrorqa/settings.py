"""MirrorQA's axes and options: what a sweep may vary, which data it reads, and an episode's
values."""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.asking.axes import FrameSettings, axis_values
from mirror_ray.asking.channel import CHANNEL, Channel
from mirror_ray.asking.picture import picture_axis
from mirror_ray.contract.family import Axis
from mirror_ray.core.identity import Cell
from mirror_ray.families.mirrorqa.folder import SPLITS

MAX_SHOTS = 3

CONDITIONS: Mapping[str, str] = {
    "data": "MirrorQA's public pictures and questions",
    "sim": "people and dogs of the simulation, seen directly",
    "sim-reflected": "the same scenes, seen in a mirror",
}

VARIANTS: Mapping[str, str] = {
    "paper": "the published prompt: an option alone is asked for",
    "cot": "chain of thought in the source's three stages, in our words",
}

AXES: Mapping[str, Axis] = {
    "shots": Axis(0, "solved examples before the question", choices=(0, 1, 2, 3)),
    "circular": Axis(
        False,
        "the question is asked again under every cyclic shift of its options",
        choices=(False, True),
    ),
    "text_only": Axis(False, "no picture is shown", choices=(False, True)),
    "image": Axis(
        "640x480",
        "width and height in pixels of the simulation's pictures",
        choices=("320x240", "640x480", "960x720"),
    ),
    "encoding": Axis("png", "how a picture is encoded", choices=("png", "jpeg")),
    "picture": picture_axis(has_mirror=False),
    "channel": CHANNEL,
    "dog_options": Axis(
        4,
        "of the simulation's questions about dogs: all four legs, or left and right of a pair",
        choices=(4, 2),
    ),
}

OPTION_COUNTS: Mapping[str, Axis] = {
    "data": Axis("", "MirrorQA's folder, for the condition data", is_path=True),
    "split": Axis("test", "which rows of it are asked", choices=tuple(SPLITS)),
}


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    shots: int
    circular: bool
    text_only: bool
    dog_options: int
    channel: Channel


def settings_of(cell: Cell) -> Settings:
    """Return the values of a cell's episodes, with defaults for axes that it does not set."""
    return Settings(**axis_values(AXES, cell))
