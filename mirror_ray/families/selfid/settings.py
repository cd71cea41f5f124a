"""selfid's axes: what a sweep may vary besides conditions, and an episode's values of them.

Defaults are those of arXiv 2605.08816 (setup).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, get_args

from mirror_ray.asking.axes import ENCODING, FrameSettings, axis_values, history_axis, image_axis
from mirror_ray.asking.channel import CHANNEL, Channel
from mirror_ray.asking.language import LANGUAGE
from mirror_ray.asking.picture import picture_axis
from mirror_ray.contract.family import Axis, Structured
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.reading.languages import Language
from mirror_ray.world.room.scene import GLASS_SIDES_M, MOST_TILT_DEG, PERFECT, TINTS, Glass
from sim_assets.look import Look

Others = Literal["random", "same_color", "cube_colors"]
MirrorCalled = Literal["mirror", "unsaid", "window", "picture", "screen"]

BodyColor = Literal["drawn", "third"]
CubePlaces = Literal["drawn", "swapped"]

AXES: Mapping[str, Axis] = {
    "history": history_axis(1, 0, 5),
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
        0.0, "how far the mirror's top leans into the room", minimum=0.0, maximum=MOST_TILT_DEG
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
    "mirror_cover": Axis(0.0, "the share of the mirror behind slats", minimum=0.0, maximum=0.95),
    "mirrors": Axis(1, "a second mirror hangs on the opposite wall", choices=(1, 2)),
    "mirror_distance_m": Axis(
        1.5, "how far before the mirror's wall a glance is taken", minimum=0.8, maximum=5.0
    ),
    "image": image_axis("320x240", "640x480", "960x720"),
    "fov_deg": Axis(110.0, "vertical field of view in degrees", minimum=30.0, maximum=140.0),
    "encoding": ENCODING,
    "picture": picture_axis(has_mirror=True),
    "max_steps": Axis(100, "steps after which an episode is truncated", minimum=1, maximum=1000),
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


GLASS_AXES = (
    "mirror_side_m",
    "mirror_reflectance",
    "mirror_tint",
    "mirror_blur_deg",
    "mirror_cover",
    "mirrors",
)
"""Properties that a mirror has in every condition with a mirror."""


@dataclass(frozen=True, slots=True)
class Settings(FrameSettings):
    """The axes' values in one episode."""

    history: int
    frames: int
    mirror_called: MirrorCalled
    language: Language
    fov_deg: float
    max_steps: int
    structured: Structured
    others: Others
    channel: Channel
    glass: Glass
    look: Look
    distance_m: float | None
    body_color: BodyColor
    cube_places: CubePlaces


def settings_of(spec: EpisodeSpec) -> Settings:
    """Return the values of this episode, with defaults for axes that its cell does not set."""
    value = axis_values(AXES, spec.cell)
    is_glance = CONDITIONS[spec.cell.condition].glance
    glass = Glass(
        side_m=value["mirror_side_m"],
        tilt_deg=value["mirror_tilt_deg"],
        reflectance=value["mirror_reflectance"],
        tint=value["mirror_tint"],
        blur_deg=value["mirror_blur_deg"],
        cover=value["mirror_cover"],
        is_double=value["mirrors"] == 2,
    )
    seen = {
        "glass": glass,
        "max_steps": 1 if is_glance else value["max_steps"],
        "distance_m": value["mirror_distance_m"] if is_glance else None,
    }
    return Settings(**{field.name: (value | seen)[field.name] for field in fields(Settings)})
