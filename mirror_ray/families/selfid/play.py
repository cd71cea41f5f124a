"""Plays an episode of selfid (arXiv 2605.08816, protocol): see, ask, read, act.

`Ask.truth`, only for the oracle, has ``ego_color``; ``cubes``, a list of ``{"color", "x_m",
"y_m"}``; ``reflector_wall``; ``reflector``; and the ego's ``x_m``, ``y_m``, ``yaw_deg``. Channels
other than `natural` add a request: a forecast before the first step, or a stake at the end. A
branch first executes the steps that it is given, without asking a model, and then continues. [Our
decision] A step without a readable reply is a no-op: no action, identification "unknown",
parse_status "failed", and all others move on. An API failure ends the episode as failed, however
far it has come. `done` ends it even with no cube selected, which is scored as wrong."""

from collections import deque
from functools import partial
from math import hypot

import numpy as np

from mirror_ray.asking.reask import ASKS_PER_STEP, asked
from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.prompt_texts import texts_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Outcome, Play, View
from mirror_ray.families.selfid.actions import PastStep
from mirror_ray.families.selfid.branching import steps_before
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.prompts import (
    history_text,
    position_text,
    reask_prompt,
    system_prompt,
    user_prompt,
    warning_text,
)
from mirror_ray.families.selfid.reply import Decision, read_reply, reply_schema
from mirror_ray.families.selfid.rows import episode_fields, step_row
from mirror_ray.families.selfid.scenes import sample_scene, sample_wrong_color
from mirror_ray.families.selfid.settings import Settings, settings_of
from mirror_ray.families.selfid.staking import forecast, stake_on
from mirror_ray.world.room.layout import NEAR_M
from mirror_ray.world.room.motion import Obstacle, Room
from mirror_ray.world.room.scene import Pose, Scene


def max_asks(spec: EpisodeSpec) -> int:
    """Return the most requests an episode can take: each step's reply may be requested twice."""
    settings = settings_of(spec)
    steps = ASKS_PER_STEP * (settings.max_steps - len(steps_before(spec)))
    return steps + (settings.channel != "natural")


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: the scene seed determines everything, even the
    others' walk; only the provider samples. Raise SceneError if no scene fits the protocol."""
    condition, settings = CONDITIONS[spec.cell.condition], settings_of(spec)
    language, texts = settings.language, texts_of(spec.cell)
    scene, wrong_color = sample_scene(spec), sample_wrong_color(spec)
    room = Room(scene, spec.scene_rng("motion"))
    fields = episode_fields(scene, wrong_color, settings, spec.given)
    system = system_prompt(condition, wrong_color, settings.mirror_called, language, texts)
    eyes: deque[View] = deque(maxlen=settings.frames)
    rows: list[Facts] = []
    past = list(steps_before(spec))
    blocked_by: Obstacle | None = None
    for before in past:
        eyes.append(_eye(room, settings))
        blocked_by = _acted(room, before)

    for step in range(len(past) + 1, settings.max_steps + 1):
        pose = room.ego
        position = position_text(pose, settings.max_steps - step + 1, language, texts)
        eyes.append(_eye(room, settings))
        user = user_prompt(
            condition,
            spec.cell.variant,
            history=history_text(past, settings.history, language, texts),
            position=position,
            warning=warning_text(condition, spec.cell.variant, blocked_by, language, texts),
            mirror_called=settings.mirror_called,
            n_frames=len(eyes),
            language=language,
            texts=texts,
        )
        ask = Ask(
            role=SUBJECT,
            step=step,
            system=system,
            user=user,
            views=tuple(eyes),
            reply_schema=reply_schema(condition, settings),
            truth=_truth(scene, pose),
        )
        if settings.channel == "predict" and step == 1:
            predicted = yield from forecast(ask, position, pose, settings.mirror_called, texts)
            rows.append(predicted.row)
            if predicted.error_kind != "none":
                return Outcome(False, False, predicted.error_kind, fields, tuple(rows))
        read = partial(read_reply, condition=condition, language=language)
        heard = yield from asked(ask, read, partial(reask_prompt, language=language, texts=texts))
        last = heard[-1]
        blocked_by = None
        if last.error_kind == "none":
            past.append(_remembered(last.decision))
            blocked_by = _acted(room, past[-1])
        rows += [step_row(one, pose, blocked_by, language) for one in heard]
        if last.error_kind != "none":
            return Outcome(False, False, last.error_kind, fields, tuple(rows))
        if last.decision is not None and last.decision.action == "done":
            fields["near_at_done"] = _is_near(last.decision, scene, pose)
            if settings.channel in ("wager", "opt_out"):
                words = f"{history_text(past, max(1, settings.history), texts=texts)} {position}"
                cube = last.decision.selected_cube
                staked = yield from stake_on(ask, settings, cube, words, pose, texts=texts)
                rows.append(staked.row)
                if staked.error_kind != "none":
                    return Outcome(False, False, staked.error_kind, fields, tuple(rows))
            return Outcome(True, False, "none", fields, tuple(rows))
    return Outcome(False, True, "none", fields, tuple(rows))


def _eye(room: Room, settings: Settings) -> View:
    return room.eye(
        width_px=settings.width_px,
        height_px=settings.height_px,
        fov_deg=settings.fov_deg,
        encoding=settings.encoding,
    )


def _acted(room: Room, step: PastStep) -> Obstacle | None:
    if step.action is None:
        room.wait()
        return None
    return None if step.action == "done" else room.act(step.action)


def _remembered(decision: Decision | None) -> PastStep:
    if decision is None:
        return PastStep(None, "", "")
    return PastStep(decision.action, decision.reasoning, decision.summary)


def _is_near(decision: Decision, scene: Scene, pose: Pose) -> bool | None:
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
