"""One episode's live room: where the bodies are, the effect of a move, how the others wander.

All randomness comes from one generator, in an order independent of blocked moves."""

from collections.abc import Sequence
from math import cos, radians, sin, tau
from typing import Literal, get_args

import numpy as np

from mirror_ray.core.types import Encoding
from mirror_ray.world.room.collision import Disc, Floor, first_met
from mirror_ray.world.room.gait import STEP_PHASE_RAD, TURN_PHASE_RAD
from mirror_ray.world.room.scene import (
    BODY_RADIUS_M,
    MAX_OTHERS,
    STEP_M,
    TURN_DEG,
    Box,
    Pose,
    Scene,
)
from mirror_ray.world.room.view import EyeView, Stance

BodyMove = Literal["w", "s", "a", "d"]
ACTIONS: tuple[BodyMove, ...] = get_args(BodyMove)

Obstacle = Literal["wall", "cube", "agent", "clutter"]
"""What stops a move."""

EGO_DISTANCE_M = 0.7
"""The least distance between the centres of the ego and another body."""

_CHOICES: tuple[BodyMove | None, ...] = ("w", "a", "d", None)


class Room:
    """A scene in motion. Its bodies must not overlap at first. `motion` is the random stream for
    the others' steps and all first phases."""

    def __init__(self, scene: Scene, motion: np.random.Generator) -> None:
        self.scene = scene
        self._motion = motion
        self._floor = Floor(scene.cubes + scene.clutter + scene.leaning)
        phases = motion.uniform(0.0, tau, 1 + MAX_OTHERS).tolist()
        self._ego = Stance(scene.ego.pose, phases[0])
        self._others = [
            Stance(body.pose, phase) for body, phase in zip(scene.others, phases[1:], strict=False)
        ]

    @property
    def ego(self) -> Pose:
        """The ego's present pose."""
        return self._ego.pose

    @property
    def others(self) -> tuple[Pose, ...]:
        """The others' present poses, in the scene's order."""
        return tuple(stance.pose for stance in self._others)

    def act(self, action: BodyMove) -> Obstacle | None:
        """Move the ego (w forward, s backward, a left, d right), then everyone else once.

        Returns:
            What the ego's own move was blocked by, the first thing in its way; its pose is then
            unchanged. None where it moved.
        """
        discs = [_disc(other.pose, EGO_DISTANCE_M - BODY_RADIUS_M) for other in self._others]
        moved = moved_stance(self._floor, self._ego, action, discs)
        met = (
            None
            if moved is not None
            else obstacle_of(self.scene, self._floor, self._ego, action, discs)
        )
        if moved is not None:
            self._ego = moved
        self.wait()
        return met

    def wait(self) -> None:
        """Advance a step in which only the others move at random: forward, aside or not at all."""
        # Every scene draws the same numbers, so that twins with and without some others stay
        # aligned.
        choices = self._motion.integers(len(_CHOICES), size=MAX_OTHERS).tolist()
        turns = self._motion.integers(2, size=MAX_OTHERS).tolist()
        ego = _disc(self._ego.pose, EGO_DISTANCE_M - BODY_RADIUS_M)
        for index, stance in enumerate(self._others):
            action = _CHOICES[choices[index]]
            if action is None:
                continue
            rest = self._others[:index] + self._others[index + 1 :]
            discs = [ego, *(_disc(other.pose, BODY_RADIUS_M) for other in rest)]
            moved = moved_stance(self._floor, stance, action, discs)
            self._others[index] = moved or turned_stance(stance, 1 - 2 * turns[index])

    def eye(
        self,
        *,
        width_px: int = 640,
        height_px: int = 480,
        fov_deg: float = 110.0,
        encoding: Encoding = "png",
    ) -> EyeView:
        """Return the ego's present view, as data."""
        return EyeView(
            self.scene, self._ego, tuple(self._others), width_px, height_px, fov_deg, encoding
        )


def _disc(pose: Pose, radius_m: float) -> Disc:
    return Disc(pose.x_m, pose.y_m, radius_m)


def turned_stance(stance: Stance, sign: int) -> Stance:
    """Return the stance after a turn by 30°, to the left if `sign` is 1 and to the right if -1."""
    pose = stance.pose
    yaw_deg = (pose.yaw_deg + sign * TURN_DEG) % 360.0
    return Stance(Pose(pose.x_m, pose.y_m, yaw_deg), (stance.phase_rad + TURN_PHASE_RAD) % tau)


def moved_stance(
    floor: Floor, stance: Stance, action: BodyMove, discs: Sequence[Disc]
) -> Stance | None:
    """Return the stance after an action; None if something blocks it."""
    if action in ("a", "d"):
        return turned_stance(stance, 1 if action == "a" else -1)
    pose = stance.pose
    x_m, y_m = _target(pose, action)
    if not floor.is_path_free((pose.x_m, pose.y_m), (x_m, y_m), BODY_RADIUS_M, discs):
        return None
    sign = 1 if action == "w" else -1
    phase_rad = (stance.phase_rad + sign * STEP_PHASE_RAD) % tau
    return Stance(Pose(x_m, y_m, pose.yaw_deg), phase_rad)


def obstacle_of(
    scene: Scene, floor: Floor, stance: Stance, action: BodyMove, discs: Sequence[Disc]
) -> Obstacle:
    """Return the first thing in the way of a blocked move."""
    pose = stance.pose
    met = first_met(floor, (pose.x_m, pose.y_m), _target(pose, action), BODY_RADIUS_M, discs)
    if isinstance(met, Box):
        if met in scene.leaning:
            return "wall"
        return "cube" if met in scene.cubes else "clutter"
    return "agent" if isinstance(met, Disc) else "wall"


def _target(pose: Pose, action: BodyMove) -> tuple[float, float]:
    sign = 1 if action == "w" else -1
    yaw = radians(pose.yaw_deg)
    # Rounded to a nanometre, because the last bits of a sine differ between machines.
    x_m = round(pose.x_m + sign * STEP_M * cos(yaw), 9) + 0.0
    y_m = round(pose.y_m + sign * STEP_M * sin(yaw), 9) + 0.0
    return x_m, y_m
