"""A room that two bodies share; they move one at a time.

Each body sees an ordinary `EyeView`, evidence included, with itself as the ego and the other body
as the only other one."""

from dataclasses import replace
from math import tau

import numpy as np

from mirror_ray.core.types import Encoding
from mirror_ray.world.room.collision import Disc, Floor
from mirror_ray.world.room.motion import (
    EGO_DISTANCE_M,
    BodyMove,
    Obstacle,
    moved_stance,
    obstacle_of,
    turned_stance,
)
from mirror_ray.world.room.scene import BODY_RADIUS_M, Pose, Scene
from mirror_ray.world.room.view import EyeView, Stance

BODIES = 2


class SharedRoom:
    """Two bodies in motion: body 0 is the scene's ego, body 1 its only other.

    Args:
        scene: the initial places; its bodies are at least `EGO_DISTANCE_M` apart, and never come
            nearer, because each of them carries an eye.
        motion: the random stream for first phases and for wandering.
    """

    def __init__(self, scene: Scene, motion: np.random.Generator) -> None:
        (other,) = scene.others
        self._scenes = (scene, replace(scene, ego=other, others=(scene.ego,)))
        self._motion = motion
        self._floor = Floor(scene.cubes + scene.clutter + scene.leaning)
        phases = motion.uniform(0.0, tau, BODIES).tolist()
        self._stances = [
            Stance(body.pose, phase) for body, phase in zip((scene.ego, other), phases, strict=True)
        ]

    def pose(self, body: int) -> Pose:
        """Return a body's present pose."""
        return self._stances[body].pose

    def act(self, body: int, action: BodyMove) -> Obstacle | None:
        """Move one body (w forward, s backward, a left, d right). Return None, or what blocked the
        move; its pose is then unchanged."""
        other = self._stances[1 - body].pose
        discs = [Disc(other.x_m, other.y_m, EGO_DISTANCE_M - BODY_RADIUS_M)]
        stance = self._stances[body]
        moved = moved_stance(self._floor, stance, action, discs)
        if moved is None:
            return obstacle_of(self._scenes[0], self._floor, stance, action, discs)
        self._stances[body] = moved
        return None

    def wander(self, body: int) -> None:
        """Move one body at random: forward, aside or not at all. It turns if it is blocked."""
        choice, side = self._motion.integers((len(_WANDERING), 2)).tolist()
        action = _WANDERING[choice]
        if action is not None and self.act(body, action) is not None:
            self._stances[body] = turned_stance(self._stances[body], 1 - 2 * side)

    def eye(
        self, body: int, *, width_px: int, height_px: int, fov_deg: float, encoding: Encoding
    ) -> EyeView:
        """Return the present view of one body, as data."""
        return EyeView(
            self._scenes[body],
            self._stances[body],
            (self._stances[1 - body],),
            width_px,
            height_px,
            fov_deg,
            encoding,
        )


_WANDERING: tuple[BodyMove | None, ...] = ("w", "a", "d", None)
