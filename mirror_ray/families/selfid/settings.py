"""selfid's axes, by default as in arXiv 2605.08816 (setup), and their values in an episode."""

from dataclasses import dataclass, fields
from typing import Literal

from mirror_ray.asking.axes import FrameSettings, axis_values
from mirror_ray.asking.channel import Channel
from mirror_ray.contract.family import Structured
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.reading.languages import Language
from mirror_ray.world.room.scene import Glass
from sim_assets.look import Look

Others = Literal["random", "same_color", "cube_colors"]
MirrorCalled = Literal["mirror", "unsaid", "window", "picture", "screen"]

BodyColor = Literal["drawn", "third"]
CubePlaces = Literal["drawn", "swapped"]

GLASS_AXES = (
    "mirror_side_m",
    "mirror_reflectance",
    "mirror_tint",
    "mirror_blur_deg",
    "mirror_cover",
    "mirrors",
)
"""Properties of the mirror in every condition that has one."""


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
    """Return the values for this episode, with defaults for axes that its cell does not set."""
    value = axis_values(spec.cell)
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
