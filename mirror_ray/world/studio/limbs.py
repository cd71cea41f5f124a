"""The poses of a figure's limbs: joint angles, and how far a limb is turned outwards.

Names are those of the figures' bodies and joints. A limb is raised so that it differs from the
others when seen from as many sides as possible.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

_OUTWARD = {"left": 1.0, "right": -1.0}


@dataclass(frozen=True, slots=True)
class LimbPose:
    """The differences from standing still.

    Args:
        joints_rad: joint → angle; the others are 0.
        turned_rad: body → turn about the figure's own forward axis.
    """

    joints_rad: Mapping[str, float] = field(default_factory=dict)
    turned_rad: Mapping[str, float] = field(default_factory=dict)


def limb_pose(raised: str | None) -> LimbPose:
    """Return the pose of a figure that raises this limb, e.g. ``left hand``; None raises none."""
    if raised is None:
        return LimbPose()
    side, *rest = raised.split()
    outward = _OUTWARD[side]
    match rest:
        case ["hand"]:
            return LimbPose(turned_rad={f"{side}_shoulder": 2.6 * outward})
        case ["leg"]:
            joints = {f"{side}_hip_y": -1.15, f"{side}_knee": -1.25}
            return LimbPose(joints, {f"{side}_thigh": 0.45 * outward})
        case [end, "leg"]:
            bend = {"front": (-0.65, 0.3), "rear": (0.65, 0.25)}[end]
            leg = f"{side}_{end}"
            return LimbPose({f"{leg}_hip": bend[0], f"{leg}_knee": bend[1]}, {leg: 1.2 * outward})
    raise ValueError(f"no pose raises {raised!r}")
