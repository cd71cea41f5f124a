"""Plays an episode of dyad: two minds see, are asked and act in turn, until both are done.

Each is asked with its own view, its own memory and, if they talk, what the other said last. A
mind that is done does not move and gets no more turns; the other continues. If the other body is
still or moves by chance, no second mind is asked, and chance has its turn after the subject's. An
unreadable reply is requested once more; a turn without a readable reply passes. An API failure of
either ends the episode with an error. `Ask.truth`, for agents that may know it, has the keys
``ego_color`` and ``other_color``, for the body whose turn it is."""

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial
from math import hypot

import numpy as np

from mirror_ray.asking.reask import ASKS_PER_STEP, asked, asking_again
from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.prompt_texts import Texts, texts_of
from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Outcome, Play, Turn
from mirror_ray.families.dyad.conditions import CONDITIONS, PARTNER, Condition
from mirror_ray.families.dyad.prompts import NamedColors, PastStep, system_prompt, user_prompt
from mirror_ray.families.dyad.reply import DyadDecision, color_named, read_reply, reply_schema
from mirror_ray.families.dyad.rows import episode_fields, step_row
from mirror_ray.families.dyad.scenes import sample_scene, subject_moves_first
from mirror_ray.families.dyad.settings import FOV_DEG, Settings
from mirror_ray.world.room.layout import NEAR_M
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose, Scene
from mirror_ray.world.room.shared_room import SharedRoom

_ROLES = (SUBJECT, PARTNER)
"""The roles of body 0 and of body 1."""


def max_asks(spec: EpisodeSpec) -> int:
    """Return the most requests an episode can take: each mind's step may be requested twice."""
    minds = 2 if CONDITIONS[spec.cell.condition].other == "mind" else 1
    return minds * ASKS_PER_STEP * Settings.of(spec.cell).max_steps


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: the scene seed determines everything, so that
    all pairs of models get the same scene. Raise SceneError if no scene satisfies the protocol."""
    condition, settings, scene = (
        CONDITIONS[spec.cell.condition],
        Settings.of(spec.cell),
        sample_scene(spec),
    )
    moving = SharedRoom(scene, spec.scene_rng("motion"))
    room = _Playing(moving, scene, condition, settings, texts_of(spec.cell))
    fields = episode_fields(spec, scene, settings)
    bodies = [0, 1] if condition.other == "mind" else [0]
    if not subject_moves_first(spec):
        bodies.reverse()
    minds = [_Mind(body) for body in bodies]
    for _ in range(settings.max_steps):
        for mind in minds:
            if mind.is_done:
                continue
            other = next((one for one in minds if one is not mind), None)
            error_kind = yield from room.turn(mind, other)
            if error_kind != "none":
                return Outcome(False, False, error_kind, fields, tuple(room.rows))
        if condition.other == "wandering":
            room.moving.wander(1)
        if all(mind.is_done for mind in minds):
            break
    for mind in minds:
        fields["partner_near_at_done" if mind.body else "near_at_done"] = mind.is_near
    is_over = all(mind.is_done for mind in minds)
    return Outcome(is_over, not is_over, "none", fields, tuple(room.rows))


@dataclass(slots=True)
class _Mind:
    body: int
    past: list[PastStep] = field(default_factory=list)
    said: NamedColors | None = None
    blocked_by: Obstacle | None = None
    is_done: bool = False
    is_near: bool | None = None


@dataclass(slots=True)
class _Playing:
    """The room in motion, and the rows of its turns so far."""

    moving: SharedRoom
    scene: Scene
    condition: Condition
    settings: Settings
    texts: Texts
    rows: list[Facts] = field(default_factory=list)
    n_turns: int = 0

    def turn(self, mind: _Mind, other: _Mind | None) -> Generator[Ask, Turn, ErrorKind]:
        """Play one turn of a mind: ask, read, act, note. Return how its call failed, if it did."""
        self.n_turns += 1
        talks, settings = self.condition.talks, self.settings
        pose, other_pose = self.moving.pose(mind.body), self.moving.pose(1 - mind.body)
        was_told = None if other is None or not talks else other.said or NamedColors()
        ask = Ask(
            role=_ROLES[mind.body],
            step=self.n_turns,
            system=system_prompt(talks=talks, texts=self.texts),
            user=user_prompt(
                pose=pose,
                past=mind.past,
                history=settings.history,
                blocked_by=mind.blocked_by,
                heard=was_told,
                left=settings.max_steps - len(mind.past),
                texts=self.texts,
            ),
            views=(
                self.moving.eye(
                    mind.body,
                    width_px=settings.width_px,
                    height_px=settings.height_px,
                    fov_deg=FOV_DEG,
                    encoding=settings.encoding,
                ),
            ),
            reply_schema=reply_schema(settings.structured, talks=talks),
            truth=self._truth(mind.body),
        )
        heard = yield from asked(ask, partial(read_reply, talks=talks), asking_again(self.texts))
        last = heard[-1]
        own_step = len(mind.past) + 1
        mind.blocked_by = None
        if last.error_kind == "none":
            self._act(mind, last.decision, pose)
        self.rows += [
            step_row(
                one,
                own_step=own_step,
                poses=(pose, other_pose),
                was_told=was_told,
                blocked_by=mind.blocked_by,
            )
            for one in heard
        ]
        return last.error_kind

    def _act(self, mind: _Mind, decision: DyadDecision | None, pose: Pose) -> None:
        if decision is None:
            mind.past.append(PastStep(None))
            return
        mind.past.append(PastStep(decision.action, decision.reasoning, decision.summary))
        mind.said = NamedColors(color_named(decision.identification), color_named(decision.tell))
        if decision.action == "done":
            mind.is_done, mind.is_near = True, self._is_near(decision, pose)
        else:
            mind.blocked_by = self.moving.act(mind.body, decision.action)

    def _is_near(self, decision: DyadDecision, pose: Pose) -> bool | None:
        for cube in self.scene.cubes:
            if cube.color == decision.selected_cube:
                return hypot(cube.x_m - pose.x_m, cube.y_m - pose.y_m) <= NEAR_M
        return None

    def _truth(self, body: int) -> Facts:
        colors = (self.scene.ego.color, self.scene.others[0].color)
        return {"ego_color": colors[body], "other_color": colors[1 - body]}
