"""selfid's axes: what a sweep may vary beside conditions, and an episode's values of them.

Knows names, defaults (arXiv 2605.08816, setup) and bounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from mirror_ray.identity import EpisodeSpec
from mirror_ray.tasks.family import Axis
from mirror_ray.types import Encoding

AXES: Mapping[str, Axis] = MappingProxyType(
    {
        "history": Axis(1, "how many earlier steps the prompt recalls", choices=(0, 1, 5)),
        "image": Axis(
            "640x480",
            "the frame's width and height in pixels",
            choices=("320x240", "640x480", "960x720"),
        ),
        "fov_deg": Axis(110.0, "vertical field of view in degrees", minimum=30.0, maximum=140.0),
        "encoding": Axis("png", "how a frame is encoded for the model", choices=("png", "jpeg")),
        "max_steps": Axis(
            100, "steps after which an episode is truncated", minimum=1, maximum=1000
        ),
        "branch_at": Axis(
            0,
            "after which step of E1 its branches begin; 0: the first with the own reflection",
            minimum=0,
            maximum=1000,
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The axes' values in one episode."""

    history: int
    width_px: int
    height_px: int
    fov_deg: float
    encoding: Encoding
    max_steps: int


def settings_of(spec: EpisodeSpec) -> Settings:
    """The values of this episode, defaults where its cell is silent."""
    value = {name: axis.default for name, axis in AXES.items()} | dict(spec.cell.axes)
    width_px, height_px = (int(side) for side in str(value["image"]).split("x"))
    return Settings(
        history=int(value["history"]),
        width_px=width_px,
        height_px=height_px,
        fov_deg=float(value["fov_deg"]),
        encoding=cast("Encoding", value["encoding"]),
        max_steps=int(value["max_steps"]),
    )
