"""contingency's axes: what a sweep may vary besides conditions, and an episode's values of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from mirror_ray.contract.family import Axis
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Encoding

AXES: Mapping[str, Axis] = MappingProxyType(
    {
        "delay": Axis(2, "steps by which an image that follows late is late", choices=(1, 2, 3)),
        "frames": Axis(
            2, "how many pictures are sent: the current one and those before", choices=(1, 2, 4)
        ),
        "history": Axis(3, "how many earlier steps the prompt recalls", choices=(0, 1, 3, 8)),
        "image": Axis(
            "960x400",
            "the frame's width and height in pixels",
            choices=("720x300", "960x400", "1440x600"),
        ),
        "encoding": Axis("png", "how a frame is encoded for the model", choices=("png", "jpeg")),
        "max_steps": Axis(8, "steps after which an episode is truncated", minimum=1, maximum=50),
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The axes' values in one episode."""

    delay: int
    frames: int
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
        delay=int(value["delay"]),
        frames=int(value["frames"]),
        history=int(value["history"]),
        width_px=width_px,
        height_px=height_px,
        encoding=cast("Encoding", value["encoding"]),
        max_steps=int(value["max_steps"]),
    )
