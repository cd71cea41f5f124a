"""One episode's live room: who stands where, what a move does, how the others wander.

Knows motion and its rules; does not know pixels, prompts or scores. What is random in it comes from
the one generator it is given, drawn in an order that does not depend on what is blocked.
"""

from math import cos, radians, sin, tau
from typing import Literal, get_args

import numpy as np

from mirror_ray.types import Encoding
from mirror_ray.world.collision import Disc, Floor
from mirror_ray.world.gait import STEP_PHASE_RAD, TURN_PHASE_RAD
from mirror_ray.world.scene import BODY_RADIUS_M, MAX_OTHERS, STEP_M, TURN_DEG, Pose, Scene
from mirror_ray.world.view import EyeView, Stance

Action = Literal["w", "s", "a", "d"]
ACTIONS: tuple[Action, ...] = get_args(Action)

EGO_DISTANCE_M = 0.7
"""No centre of another body ever comes nearer to the ego's."""

_CHOICES: tuple[Action | None, ...] = ("w", "a", "d", None)


class Room:
    """A scene in motion.

    Args:
        scene: where everything begins. Its bodies are taken to stand free.
        motion: the stream the others' steps and everyone's first phase come from.
    """

    def __init__(self, scene: Scene, motion: np.random.Generator) -> None:
        self.scene = scene
        self._motion = motion
        self._floor = Floor(scene.cubes + scene.clutter)
        phases = motion.uniform(0.0, tau, 1 + MAX_OTHERS).tolist()
        self._ego = Stance(scene.ego.pose, phases[0])
        self._others = [
            Stance(body.pose, phase) for body, phase in zip(scene.others, phases[1:], strict=False)
        ]

    @property
    def ego(self) -> Pose:
        """Where the ego stands and looks now."""
        return self._ego.pose

    @property
    def others(self) -> tuple[Pose, ...]:
        """Where the others stand now, in the scene's order."""
        return tuple(stance.pose for stance in self._others)

    def act(self, action: Action) -> bool:
        """Move the ego (w forward, s backward, a left, d right), then everyone else once.

        Returns:
            True when the ego's own move was blocked; its pose is then unchanged.
        """
        discs = [_disc(other.pose, EGO_DISTANCE_M - BODY_RADIUS_M) for other in self._others]
        moved = _moved(self._floor, self._ego, action, discs)
        if moved is not None:
            self._ego = moved
        self.wait()
        return moved is None

    def wait(self) -> None:
        """Let a step pass in which only the others move: on, left, right or not, by chance."""
        # Every scene draws alike, so that twins with and without some of the others stay in step.
        choices = self._motion.integers(len(_CHOICES), size=MAX_OTHERS).tolist()
        turns = self._motion.integers(2, size=MAX_OTHERS).tolist()
        ego = _disc(self._ego.pose, EGO_DISTANCE_M - BODY_RADIUS_M)
        for index, stance in enumerate(self._others):
            action = _CHOICES[choices[index]]
            if action is None:
                continue
            rest = self._others[:index] + self._others[index + 1 :]
            discs = [ego, *(_disc(other.pose, BODY_RADIUS_M) for other in rest)]
            moved = _moved(self._floor, stance, action, discs)
            self._others[index] = moved or _turned(stance, 1 - 2 * turns[index])

    def eye(
        self,
        *,
        width_px: int = 640,
        height_px: int = 480,
        fov_deg: float = 110.0,
        encoding: Encoding = "png",
    ) -> EyeView:
        """What the ego sees now, as data."""
        return EyeView(
            self.scene, self._ego, tuple(self._others), width_px, height_px, fov_deg, encoding
        )


def _disc(pose: Pose, radius_m: float) -> Disc:
    return Disc(pose.x_m, pose.y_m, radius_m)


def _turned(stance: Stance, sign: int) -> Stance:
    pose = stance.pose
    yaw_deg = (pose.yaw_deg + sign * TURN_DEG) % 360.0
    return Stance(Pose(pose.x_m, pose.y_m, yaw_deg), (stance.phase_rad + TURN_PHASE_RAD) % tau)


def _moved(floor: Floor, stance: Stance, action: Action, discs: list[Disc]) -> Stance | None:
    """The stance after an action, or None when something is in the way."""
    if action in ("a", "d"):
        return _turned(stance, 1 if action == "a" else -1)
    sign = 1 if action == "w" else -1
    pose = stance.pose
    yaw = radians(pose.yaw_deg)
    # Rounded to a nanometre: the last bits of a sine differ between machines.
    x_m = round(pose.x_m + sign * STEP_M * cos(yaw), 9) + 0.0
    y_m = round(pose.y_m + sign * STEP_M * sin(yaw), 9) + 0.0
    if not floor.is_path_free((pose.x_m, pose.y_m), (x_m, y_m), BODY_RADIUS_M, discs):
        return None
    phase_rad = (stance.phase_rad + sign * STEP_PHASE_RAD) % tau
    return Stance(Pose(x_m, y_m, pose.yaw_deg), phase_rad)
