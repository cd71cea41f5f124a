"""selfid's columns of step and episode rows. NULL means not answered, not seen or not asked."""

from typing import Any

from mirror_ray.asking.channel import Stake
from mirror_ray.asking.reask import Heard
from mirror_ray.contract.columns import columns_of
from mirror_ray.core.types import Facts, Observation
from mirror_ray.families.selfid.reply import UNKNOWN_IDENTIFICATION, Decision
from mirror_ray.families.selfid.settings import Settings
from mirror_ray.reading.languages import Language
from mirror_ray.reading.languages.color_claims import in_english
from mirror_ray.world.room.camera import reflector_in_view
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose, Scene

_COLUMNS = columns_of("selfid")


def step_row(
    heard: Heard[Decision], pose: Pose, blocked_by: Obstacle | None, language: Language = "en"
) -> Facts:
    """Return the family's columns of one request; NULL where the reply was unreadable.

    Only the final reply of a step counts: a superseded or failed request identifies nothing, and an
    unreadable step identifies "unknown"."""
    said = heard.decision.identification if heard.decision else None
    decision, counts = heard.decision, heard.counts
    facts = current_facts(heard.turn.observation)
    return {
        **heard.columns,
        "action": decision.action if decision else None,
        "identification": decision.identification
        if decision
        else UNKNOWN_IDENTIFICATION
        if counts
        else None,
        "identification_english": in_english(said, language) if said else None,
        "selected_cube": decision.selected_cube if decision else None,
        "x_m": pose.x_m,
        "y_m": pose.y_m,
        "yaw_deg": pose.yaw_deg,
        "bumped": blocked_by is not None if counts else None,
        "blocked_by": (blocked_by or "none") if counts else None,
        **{name: facts.get(name) for name in _COLUMNS.facts},
        "view_description": decision.view_description if decision else None,
        "thought": decision.reasoning if decision else None,
        "summary": decision.summary if decision else None,
        **Stake().fields("answer"),
    }


def current_facts(observation: Observation) -> Facts:
    """Return the facts of the current frame, which is the last of several."""
    of_several: list[Facts] = observation.facts.get("views") or [observation.facts]
    return of_several[-1]


def episode_fields(
    scene: Scene, wrong_color: str | None, settings: Settings, given: Facts
) -> dict[str, Any]:
    """Return the family's columns of the episode. `near_at_done` is only known at done;
    `first_frame_mirror` says whether the reflector, mirror or panel, is within the first frame."""
    start = scene.ego.pose
    return {
        "ego_color": scene.ego.color,
        "cube_colors": [cube.color for cube in scene.cubes],
        "cube_x_m": [cube.x_m for cube in scene.cubes],
        "cube_y_m": [cube.y_m for cube in scene.cubes],
        "wrong_color": wrong_color,
        "n_others": len(scene.others),
        "other_colors": [other.color for other in scene.others],
        "mirror_wall": scene.reflector_wall,
        "mirror_present": scene.reflector == "mirror",
        "start_x_m": start.x_m,
        "start_y_m": start.y_m,
        "start_yaw_deg": start.yaw_deg,
        "first_frame_mirror": reflector_in_view(
            start,
            scene.reflector_wall,
            width_px=settings.width_px,
            height_px=settings.height_px,
            fov_deg=settings.fov_deg,
            glass=scene.glass,
        ),
        "near_at_done": None,
        "image_width_px": settings.width_px,
        "image_height_px": settings.height_px,
        "fov_deg": settings.fov_deg,
        "history": settings.history,
        "frames": settings.frames,
        "mirror_called": settings.mirror_called,
        "language": settings.language,
        "look": settings.look,
        "body_color": settings.body_color,
        "cube_places": settings.cube_places if scene.cubes else None,
        **_glass_fields(scene, settings),
        "encoding": settings.encoding,
        "max_steps": settings.max_steps,
        "structured": settings.structured,
        "others": settings.others if scene.others else None,
        "parent_id": given.get("parent_id"),
        "branch_step": len(given["steps"]) if "steps" in given else None,
        "channel": settings.channel,
    }


def _glass_fields(scene: Scene, settings: Settings) -> Facts:
    glass = scene.glass
    fields: Facts = {
        "mirror_side_m": glass.side_m,
        "mirror_tilt_deg": glass.tilt_deg,
        "mirror_reflectance": glass.reflectance,
        "mirror_tint": glass.tint,
        "mirror_blur_deg": glass.blur_deg,
        "mirror_cover": glass.cover,
        "mirrors": 1 + glass.is_double,
        "mirror_distance_m": settings.distance_m,
    }
    return fields if scene.reflector == "mirror" else dict.fromkeys(fields)
