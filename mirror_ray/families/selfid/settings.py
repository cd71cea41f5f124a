"""selfid's axes: what a sweep may vary besides conditions, and an episode's values of them.

Defaults are those of arXiv 2605.08816 (setup).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, cast, get_args

from mirror_ray.asking.channel import CHANNEL, Channel
from mirror_ray.asking.language import LANGUAGE
from mirror_ray.contract.family import Axis, Structured
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Encoding
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.reading.languages import Language
from mirror_ray.world.room.scene import GLASS_SIDES_M, MOST_TILT_DEG, PERFECT, TINTS, Glass, Tint
from sim_assets.look import Look

Others = Literal["random", "same_color", "cube_colors"]
MirrorCalled = Literal["mirror", "unsaid", "window", "picture", "screen"]

BodyColor = Literal["drawn", "third"]
CubePlaces = Literal["drawn", "swapped"]

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
        "language": LANGUAGE,
        "look": Axis(
            "plain",
            "the room: flat and even, under a lamp with shadows, or with furniture, too",
            choices=get_args(Look),
        ),
        "mirror_side_m": Axis(
            PERFECT.side_m, "edge of the square mirror in metres", choices=GLASS_SIDES_M
        ),
        "mirror_tilt_deg": Axis(
            0.0,
            "how far the mirror's top leans into the room",
            minimum=0.0,
            maximum=MOST_TILT_DEG,
        ),
        "mirror_reflectance": Axis(
            1.0, "the share of light that the mirror returns", minimum=0.0, maximum=1.0
        ),
        "mirror_tint": Axis("none", "the colour of the mirror's glass", choices=(*TINTS,)),
        "mirror_blur_deg": Axis(
            0.0,
            "standard deviation of the mirror's blur in degrees of visual angle",
            minimum=0.0,
            maximum=20.0,
        ),
        "mirror_cover": Axis(
            0.0, "the share of the mirror behind slats", minimum=0.0, maximum=0.95
        ),
        "mirrors": Axis(1, "a second mirror hangs on the opposite wall", choices=(1, 2)),
        "mirror_distance_m": Axis(
            1.5, "how far before the mirror's wall a glance is taken", minimum=0.8, maximum=5.0
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
        "body_color": Axis(
            "drawn",
            "the own body's colour; third: that of the cube that is neither its own nor a lie's",
            choices=get_args(BodyColor),
        ),
        "cube_places": Axis(
            "drawn",
            "where cubes stand; swapped: the own and that third one have changed places",
            choices=get_args(CubePlaces),
        ),
        "branch_at": Axis(
            0,
            "after which step of E1 its branches begin; 0: the first with the own reflection",
            minimum=0,
            maximum=1000,
        ),
    }
)


GLASS_AXES = (
    "mirror_side_m",
    "mirror_reflectance",
    "mirror_tint",
    "mirror_blur_deg",
    "mirror_cover",
    "mirrors",
)
"""What any mirror may be like, whoever stands before it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The axes' values in one episode."""

    history: int
    frames: int
    mirror_called: MirrorCalled
    language: Language
    width_px: int
    height_px: int
    fov_deg: float
    encoding: Encoding
    max_steps: int
    structured: Structured
    others: Others
    channel: Channel
    glass: Glass
    look: Look
    distance_m: float | None
    body_color: BodyColor
    cube_places: CubePlaces


def structured_of(cell: Cell) -> Structured:
    """The form that the cell's replies are asked for in."""
    return cast("Structured", dict(cell.axes).get("structured", AXES["structured"].default))


def settings_of(spec: EpisodeSpec) -> Settings:
    """The values of this episode, defaults where its cell is silent."""
    value = {name: axis.default for name, axis in AXES.items()} | dict(spec.cell.axes)
    width_px, height_px = (int(side) for side in str(value["image"]).split("x"))
    is_glance = CONDITIONS[spec.cell.condition].glance
    return Settings(
        history=int(value["history"]),
        frames=int(value["frames"]),
        mirror_called=cast("MirrorCalled", value["mirror_called"]),
        language=cast("Language", value["language"]),
        width_px=width_px,
        height_px=height_px,
        fov_deg=float(value["fov_deg"]),
        encoding=cast("Encoding", value["encoding"]),
        max_steps=1 if is_glance else int(value["max_steps"]),
        structured=structured_of(spec.cell),
        others=cast("Others", value["others"]),
        channel=cast("Channel", value["channel"]),
        glass=Glass(
            side_m=float(value["mirror_side_m"]),
            tilt_deg=float(value["mirror_tilt_deg"]),
            reflectance=float(value["mirror_reflectance"]),
            tint=cast("Tint", value["mirror_tint"]),
            blur_deg=float(value["mirror_blur_deg"]),
            cover=float(value["mirror_cover"]),
            is_double=value["mirrors"] == 2,
        ),
        look=cast("Look", value["look"]),
        body_color=cast("BodyColor", value["body_color"]),
        cube_places=cast("CubePlaces", value["cube_places"]),
        distance_m=float(value["mirror_distance_m"]) if is_glance else None,
    )
