"""dyad's columns in a turn's and in an episode's row. NULL means not answered or not seen."""

from typing import Any

from mirror_ray.asking.reask import Heard
from mirror_ray.contract.columns import columns_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Facts
from mirror_ray.families.dyad.conditions import CONDITIONS, PARTNER
from mirror_ray.families.dyad.prompts import NamedColors
from mirror_ray.families.dyad.reply import UNKNOWN_COLOR, DyadDecision
from mirror_ray.families.dyad.scenes import subject_moves_first
from mirror_ray.families.dyad.settings import Settings
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose, Scene

_COLUMNS = columns_of("dyad")


def step_row(
    heard: Heard[DyadDecision],
    *,
    own_step: int,
    poses: tuple[Pose, Pose],
    was_told: NamedColors | None,
    blocked_by: Obstacle | None,
) -> Facts:
    """Return the family's columns of one request, NULL if the reply was unreadable. `poses` are
    those of the body whose turn it is, and of the other body."""
    decision, counts = heard.decision, heard.counts
    facts = heard.turn.observation.facts if heard.turn.observation else {}
    own, other = poses
    return {
        **heard.columns,
        "own_step": own_step,
        "action": decision.action if decision else None,
        "identification": decision.identification
        if decision
        else UNKNOWN_COLOR
        if counts
        else None,
        "selected_cube": decision.selected_cube if decision else None,
        "tell": decision.tell if decision else None,
        "heard_of_other": was_told.of_itself if was_told else None,
        "heard_of_own": was_told.of_the_other if was_told else None,
        "x_m": own.x_m,
        "y_m": own.y_m,
        "yaw_deg": own.yaw_deg,
        "other_x_m": other.x_m,
        "other_y_m": other.y_m,
        "other_yaw_deg": other.yaw_deg,
        "bumped": blocked_by is not None if counts else None,
        "blocked_by": (blocked_by or "none") if counts else None,
        **{name: facts.get(name) for name in _COLUMNS.facts},
        "view_description": decision.view_description if decision else None,
        "thought": decision.reasoning if decision else None,
        "summary": decision.summary if decision else None,
    }


def episode_fields(spec: EpisodeSpec, scene: Scene, settings: Settings) -> dict[str, Any]:
    """Return the family's columns of the episode. Who was near what is known only at its end."""
    condition = CONDITIONS[spec.cell.condition]
    (other,) = scene.others
    own, start, other_start = scene.ego.color, scene.ego.pose, other.pose
    rest = [cube.color for cube in scene.cubes if cube.color not in (own, other.color)]
    return {
        "other": condition.other,
        "partner": dict(spec.cell.models).get(PARTNER),
        "subject_first": subject_moves_first(spec),
        "talks": condition.talks,
        "own_color": own,
        "other_color": other.color,
        "third_color": None if condition.alike else rest[0],
        "cube_colors": [cube.color for cube in scene.cubes],
        "cube_x_m": [cube.x_m for cube in scene.cubes],
        "cube_y_m": [cube.y_m for cube in scene.cubes],
        "mirror_wall": scene.reflector_wall,
        "mirror_present": scene.reflector == "mirror",
        "start_x_m": start.x_m,
        "start_y_m": start.y_m,
        "start_yaw_deg": start.yaw_deg,
        "other_start_x_m": other_start.x_m,
        "other_start_y_m": other_start.y_m,
        "other_start_yaw_deg": other_start.yaw_deg,
        "near_at_done": None,
        "partner_near_at_done": None,
        **settings.columns,
    }
