"""The walk cycle: joint angles of a body as a function of its phase.

Everyone walks in the same way, the ego too: else the one body that does not walk gives itself away.
The amplitudes keep every limb within the body's disc of 0.3 m, so that what collision lets stand
side by side never interpenetrates. Knows angles only; whoever poses a body puts its lower foot on
the floor.
"""

from math import cos, sin, tau

from mirror_ray.world.scene import STEP_M

STRIDE_M = 0.8
"""Way covered in a full cycle, left step and right."""
STEP_PHASE_RAD = tau * STEP_M / STRIDE_M
"""What one step forward adds; a step backward takes it off."""
TURN_PHASE_RAD = 0.6
"""What turning on the spot adds."""


def joint_angles_rad(phase_rad: float) -> dict[str, float]:
    """Angle of each joint in ``sim_assets/humanoid.xml``, by its name."""
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
