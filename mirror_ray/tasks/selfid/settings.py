"""selfid's axes: what a sweep may vary besides conditions, and an episode's values of them.

Defaults are those of arXiv 2605.08816 (setup).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, cast, get_args

from mirror_ray.identity import Cell, EpisodeSpec
from mirror_ray.tasks.channel import CHANNEL, Channel
from mirror_ray.tasks.family import Axis, Structured
from mirror_ray.types import Encoding

Others = Literal["random", "same_color", "cube_colors"]
MirrorCalled = Literal["mirror", "unsaid", "window", "picture", "screen"]

EDITION = 2
"""Of what is sent. Until the second, every blocked move was called a wall's, E5 never warned of
one, and a JSON schema with the ten colours went to the models that take one."""

AXES: Mapping[str, Axis] = MappingProxyType(
    {
        "history": Axis(1, "how many earlier steps the prompt recalls", choices=(0, 1, 5)),
        "frames": Axis(
            1, "how many of the last frames are sent, the current one last", choices=(1, 4, 8)
        ),
        "mirror_called": Axis(
            "mirror",
            "what the prompt calls the mirror: that, nothing, or what it is not",
            choices=get_args(MirrorCalled),
        ),
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
        "structured": Axis(
            "none",
            "the form of replies that the provider enforces; the paper's models get none",
            choices=get_args(Structured),
        ),
        "channel": CHANNEL,
        "others": Axis(
            "random",
            "the other humanoids' colours: any, all in the ego's own, or of the cubes' alone",
            choices=get_args(Others),
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
    frames: int
    mirror_called: MirrorCalled
    width_px: int
    height_px: int
    fov_deg: float
    encoding: Encoding
    max_steps: int
    structured: Structured
    others: Others
    edition: int
    channel: Channel


def structured_of(cell: Cell) -> Structured:
    """The form that the cell's replies are asked for in."""
    if (cell.edition or EDITION) < 2:
        return "schema_where_taken"
    return cast("Structured", dict(cell.axes).get("structured", AXES["structured"].default))


def settings_of(spec: EpisodeSpec) -> Settings:
    """The values of this episode, defaults where its cell is silent."""
    value = {name: axis.default for name, axis in AXES.items()} | dict(spec.cell.axes)
    width_px, height_px = (int(side) for side in str(value["image"]).split("x"))
    return Settings(
        history=int(value["history"]),
        frames=int(value["frames"]),
        mirror_called=cast("MirrorCalled", value["mirror_called"]),
        width_px=width_px,
        height_px=height_px,
        fov_deg=float(value["fov_deg"]),
        encoding=cast("Encoding", value["encoding"]),
        max_steps=int(value["max_steps"]),
        structured=structured_of(spec.cell),
        others=cast("Others", value["others"]),
        edition=spec.cell.edition or EDITION,
        channel=cast("Channel", value["channel"]),
    )
