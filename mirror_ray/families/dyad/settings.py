"""dyad's axes: what a sweep may vary besides conditions, and an episode's values of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast, get_args

from mirror_ray.contract.family import Axis, Structured
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Encoding

FOV_DEG = 110.0
"""Vertical, as in selfid."""

AXES: Mapping[str, Axis] = MappingProxyType(
    {
        "history": Axis(1, "how many earlier steps the prompt recalls", choices=(0, 1, 5)),
        "image": Axis(
            "640x480",
            "the frame's width and height in pixels",
            choices=("320x240", "640x480", "960x720"),
        ),
        "encoding": Axis("png", "how a frame is encoded for the model", choices=("png", "jpeg")),
        "max_steps": Axis(
            40, "steps of each of the two after which it is truncated", minimum=1, maximum=100
        ),
        "structured": Axis(
            "none", "the form of replies that the provider enforces", choices=get_args(Structured)
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The axes' values in one episode."""

    history: int
    width_px: int
    height_px: int
    encoding: Encoding
    max_steps: int
    structured: Structured


def structured_of(cell: Cell) -> Structured:
    """The form that the cell's replies are asked for in."""
    return cast("Structured", dict(cell.axes).get("structured", AXES["structured"].default))


def settings_of(spec: EpisodeSpec) -> Settings:
    """The values of this episode, defaults where its cell is silent."""
    value = {name: axis.default for name, axis in AXES.items()} | dict(spec.cell.axes)
    width_px, height_px = (int(side) for side in str(value["image"]).split("x"))
    return Settings(
        history=int(value["history"]),
        width_px=width_px,
        height_px=height_px,
        encoding=cast("Encoding", value["encoding"]),
        max_steps=int(value["max_steps"]),
        structured=structured_of(spec.cell),
    )
