"""Places the elbow, given the hand's place: two straight segments, bent outwards."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.reaching.body import REACH_M, SHOULDER_Y_M, SHOULDER_Z_M, Point

UPPER_ARM_M, FOREARM_M = 0.32, 0.34
_SIDES = {"left": 1.0, "right": -1.0}


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight part of an arm: (3,) metres of its middle, unit direction, and length."""

    middle_m: NDArray[np.float64]
    direction: NDArray[np.float64]
    length_m: float


def arm_to(side: str, hand_m: Point) -> tuple[Segment, Segment]:
    """Return upper arm and forearm of the left or right arm; a hand out of reach is not met."""
    outward = _SIDES[side]
    shoulder = np.array([0.0, outward * SHOULDER_Y_M, SHOULDER_Z_M])
    span = np.array(hand_m) - shoulder
    distance_m = min(float(np.linalg.norm(span)), REACH_M)
    along = span / np.linalg.norm(span)
    to_foot_m = (UPPER_ARM_M**2 - FOREARM_M**2 + distance_m**2) / (2 * distance_m)
    out_m = np.sqrt(max(0.0, UPPER_ARM_M**2 - to_foot_m**2))
    pole = np.array([-0.2, outward, -0.9])
    pole -= (pole @ along) * along
    elbow = shoulder + to_foot_m * along + out_m * pole / np.linalg.norm(pole)
    return _between(shoulder, elbow), _between(elbow, np.array(hand_m))


def _between(start: NDArray[np.float64], end: NDArray[np.float64]) -> Segment:
    length_m = float(np.linalg.norm(end - start))
    return Segment((start + end) / 2, (end - start) / length_m, length_m)
