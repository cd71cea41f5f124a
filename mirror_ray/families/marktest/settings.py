"""marktest's axes: what a sweep may vary besides conditions, and an episode's values of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, cast, get_args

from mirror_ray.contract.family import Axis
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Encoding

Help = Literal["none", "goal", "mirror", "told"]

AXES: Mapping[str, Axis] = MappingProxyType(
    {
        "help": Axis(
            "goal",
            "what the prompt says: no goal; to touch a mark; also what a mirror shows; also where "
            "to look for it",
            choices=get_args(Help),
        ),
        "history": Axis(1, "how many earlier steps the prompt recalls", choices=(0, 1, 5)),
        "image": Axis(
            "640x480",
            "the frame's width and height in pixels",
            choices=("320x240", "640x480", "960x720"),
        ),
        "encoding": Axis("png", "how a frame is encoded for the model", choices=("png", "jpeg")),
        "max_steps": Axis(30, "steps after which an episode is truncated", minimum=1, maximum=200),
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The axes' values in one episode."""

    help: Help
    history: int
    width_px: int
    height_px: int
    encoding: Encoding
    max_steps: int


def settings_of(spec: EpisodeSpec) -> Settings:
    """The values of this episode, defaults where its cell is silent."""
    value = {name: axis.default for name, axis in AXES.items()} | dict(spec.cell.axes)
    width_px, height_px = (int(side) for side in str(value["image"]).split("x"))
    return Settings(
        help=cast("Help", value["help"]),
        history=int(value["history"]),
        width_px=width_px,
        height_px=height_px,
        encoding=cast("Encoding", value["encoding"]),
        max_steps=int(value["max_steps"]),
    )
