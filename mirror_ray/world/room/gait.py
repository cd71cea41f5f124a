"""The walk cycle: joint angles of a body as a function of its phase.

All bodies walk in the same way, even the ego; otherwise a body that does not walk would be
recognizable. The amplitudes keep every limb within the body's disc of 0.3 m, so that adjacent
bodies never interpenetrate. The caller puts a body's lower foot on the floor."""

from math import cos, sin, tau

from mirror_ray.world.room.scene import STEP_M

STRIDE_M = 0.8
"""Distance covered in a full cycle, left step and right."""
STEP_PHASE_RAD = tau * STEP_M / STRIDE_M
"""The phase of one step forward; a step backward subtracts it."""
TURN_PHASE_RAD = 0.6
"""The phase of a turn on the spot."""


def joint_angles_rad(phase_rad: float) -> dict[str, float]:
    """Return the angle of each joint in ``sim_assets/humanoid.xml``, by its name."""
    swing = sin(phase_rad)
    right_lift, left_lift = (0.7 * max(0.0, sign * cos(phase_rad)) ** 2 for sign in (1, -1))
    return {
        "abdomen_z": 0.08 * swing,
        "right_hip_y": -0.255 * swing - 0.45 * right_lift,
        "left_hip_y": 0.255 * swing - 0.45 * left_lift,
        "right_knee": -0.03 - right_lift,
        "left_knee": -0.03 - left_lift,
        "right_shoulder": 0.23 * swing,
        "left_shoulder": -0.23 * swing,
    }
