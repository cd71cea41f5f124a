"""How an episode of selfid is played (arXiv 2605.08816, protocol section).

Knows the loop of seeing, asking, reading and acting; does not know pixels, providers or scores.

`Ask.truth`, for the oracle agent alone, has the keys ``ego_color``; ``cubes``, a list of
``{"color", "x_m", "y_m"}``; ``reflector_wall``; ``reflector``; and the ego's ``x_m``, ``y_m``,
``yaw_deg``.

A branch first takes the steps that it is given, of which nobody is asked, and goes on from there.

[Our decision] A step without a readable reply is a no-op: no action, identification "unknown",
parse_status "failed", and everyone else moves on. An API failure ends the episode as failed,
whatever it has reached. `done` ends it even with no cube selected: scored as wrong.
"""

from math import hypot

import numpy as np

from mirror_ray.identity import EpisodeSpec
from mirror_ray.tasks.selfid.asking import ASKS_PER_STEP, asked
from mirror_ray.tasks.selfid.branching import steps_before
from mirror_ray.tasks.selfid.conditions import CONDITIONS
from mirror_ray.tasks.selfid.prompts import (
    PastStep,
    history_text,
    position_text,
    system_prompt,
    user_prompt,
)
from mirror_ray.tasks.selfid.reply import Decision, reply_schema
from mirror_ray.tasks.selfid.rows import episode_fields, step_row
from mirror_ray.tasks.selfid.scenes import NEAR_M, sample_scene, sample_wrong_color
from mirror_ray.tasks.selfid.settings import settings_of
from mirror_ray.types import Ask, Facts, Outcome, Play
from mirror_ray.world.room import Room
from mirror_ray.world.scene import Pose, Scene

ROLE = "subject"


def max_asks(spec: EpisodeSpec) -> int:
    """The most asks an episode can take: each step's reply may be asked for twice."""
    return ASKS_PER_STEP * (settings_of(spec).max_steps - len(steps_before(spec)))


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end.

    Args:
        rng: not drawn from. All chance is the scene's, the others' walk included, so that every
            model meets the same; a model's own chance is the provider's.

    Raises:
        SceneError: no scene satisfies the protocol.
    """
    condition, settings = CONDITIONS[spec.cell.condition], settings_of(spec)
    scene, wrong_color = sample_scene(spec), sample_wrong_color(spec)
    room = Room(scene, spec.scene_rng("motion"))
    fields = episode_fields(scene, wrong_color, settings, spec.given)
    system = system_prompt(condition, wrong_color)
    rows: list[Facts] = []
    past = list(steps_before(spec))
    bumped = False
    for before in past:
        bumped = _acted(room, before)

    for step in range(len(past) + 1, settings.max_steps + 1):
        pose = room.ego
        user = user_prompt(
            condition,
            spec.cell.variant,
            history=history_text(past, settings.history),
            position=position_text(pose, settings.max_steps - step + 1),
            bumped=bumped,
        )
        eye = room.eye(
            width_px=settings.width_px,
            height_px=settings.height_px,
            fov_deg=settings.fov_deg,
            encoding=settings.encoding,
        )
        heard = yield from asked(
            Ask(
                role=ROLE,
                step=step,
                system=system,
                user=user,
                views=(eye,),
                reply_schema=reply_schema(condition),
                truth=_truth(scene, pose),
            ),
            condition,
        )
        last = heard[-1]
        bumped = False
        if last.error_kind == "none":
            past.append(_remembered(last.decision))
            bumped = _acted(room, past[-1])
        rows += [step_row(one, pose, bumped) for one in heard]
        if last.error_kind != "none":
            return Outcome(False, False, last.error_kind, fields, tuple(rows))
        if last.decision is not None and last.decision.action == "done":
            fields["near_at_done"] = _is_near(last.decision, scene, pose)
            return Outcome(True, False, "none", fields, tuple(rows))
    return Outcome(False, True, "none", fields, tuple(rows))


def _acted(room: Room, step: PastStep) -> bool:
    """Do what was decided, or let a step pass; True when a move was blocked."""
    if step.action is None:
        room.wait()
        return False
    return step.action != "done" and room.act(step.action)


def _remembered(decision: Decision | None) -> PastStep:
    if decision is None:
        return PastStep(None, "", "")
    return PastStep(decision.action, decision.reasoning, decision.summary)


def _is_near(decision: Decision, scene: Scene, pose: Pose) -> bool | None:
    """Whether the selected cube is near; None when no cube of the scene was selected."""
    for cube in scene.cubes:
        if cube.color == decision.selected_cube:
            return hypot(cube.x_m - pose.x_m, cube.y_m - pose.y_m) <= NEAR_M
    return None


def _truth(scene: Scene, pose: Pose) -> Facts:
    return {
        "ego_color": scene.ego.color,
        "cubes": [{"color": cube.color, "x_m": cube.x_m, "y_m": cube.y_m} for cube in scene.cubes],
        "reflector_wall": scene.reflector_wall,
        "reflector": scene.reflector,
        "x_m": pose.x_m,
        "y_m": pose.y_m,
        "yaw_deg": pose.yaw_deg,
    }
