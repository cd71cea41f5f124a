"""The walk cycle: joint angles of a body as a function of its phase.

Everyone walks in the same way, the ego too: else the one body that does not walk gives itself away.
Knows angles only; a body's height follows from its lowest foot, which whoever poses it looks up.
"""

from math import cos, sin, tau

from mirror_ray.world.scene import STEP_M

STRIDE_M = 1.3
"""Way covered in a full cycle, left step and right."""
STEP_PHASE_RAD = tau * STEP_M / STRIDE_M
"""What one step forward adds; a step backward takes it off."""
TURN_PHASE_RAD = 0.6
"""What turning on the spot adds."""


def joint_angles_rad(phase_rad: float) -> dict[str, float]:
    """Angle of each joint in ``sim_assets/humanoid.xml``, by its name."""
    swing, lift = sin(phase_rad), cos(phase_rad)
    return {
        "abdomen_z": 0.12 * swing,
        "right_hip_y": -0.45 * swing,
        "left_hip_y": 0.45 * swing,
        "right_knee": -(0.1 + 0.75 * max(0.0, lift)),
        "left_knee": -(0.1 + 0.75 * max(0.0, -lift)),
        "right_shoulder": 0.35 * swing,
        "left_shoulder": -0.35 * swing,
    }
