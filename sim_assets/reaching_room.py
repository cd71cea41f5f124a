"""The room in which a person faces a framed mirror and moves a hand."""

import mujoco

from sim_assets.figures import add_person
from sim_assets.posing_room import add_frame
from sim_assets.room import compiled, empty_room

HAND_RADIUS_M = 0.035
MARK_RADIUS_M = 0.026
_MARK_THICKNESS_M = 0.008
_UPPER_ARM_RADIUS_M, _FOREARM_RADIUS_M = 0.04, 0.031
_SIDES = ("left", "right")
SEGMENTS = ("upper_arm", "forearm")


def segment_name(side: str, segment: str) -> str:
    """Name body and geom of a movable arm's capsule, which lies along its z axis."""
    return f"{segment}/{side}"


def hand_name(side: str) -> str:
    """Name body and geom of a movable hand."""
    return f"hand/{side}"


def build_reaching_room(
    *,
    side_m: float,
    height_m: float,
    reflector_width_m: float,
    reflector_height_m: float,
    people: int,
) -> mujoco.MjModel:
    """Compile the room with this many people (``person<i>/torso``), the first of whom moves its
    arms.

    The rest is that of `sim_assets.room.build_room`, with the mirror's frame. Besides, all mocap:
    ``upper_arm/<side>``, ``forearm/<side>`` (capsules, to be sized), ``hand/<side>``, and ``mark``,
    a flat round thing facing +z.

    Raises:
        ValueError: from MuJoCo, when a size is not positive.
    """
    spec = empty_room(
        side_m=side_m,
        height_m=height_m,
        reflector_width_m=reflector_width_m,
        reflector_height_m=reflector_height_m,
    )
    add_frame(spec, reflector_width_m / 2, reflector_height_m / 2)
    for index in range(people):
        add_person(spec, index)
    for side in _SIDES:
        for segment, radius_m in zip(
            SEGMENTS, (_UPPER_ARM_RADIUS_M, _FOREARM_RADIUS_M), strict=True
        ):
            name = segment_name(side, segment)
            _add(spec, name, mujoco.mjtGeom.mjGEOM_CAPSULE, (radius_m, 0.1, 0.0))
        _add(spec, hand_name(side), mujoco.mjtGeom.mjGEOM_SPHERE, (HAND_RADIUS_M, 0.0, 0.0))
    _add(
        spec,
        "mark",
        mujoco.mjtGeom.mjGEOM_ELLIPSOID,
        (MARK_RADIUS_M, MARK_RADIUS_M, _MARK_THICKNESS_M),
    )
    return compiled(spec)


def _add(
    spec: mujoco.MjSpec, name: str, kind: mujoco.mjtGeom, size: tuple[float, float, float]
) -> None:
    body = spec.worldbody.add_body(name=name, mocap=True)
    body.add_geom(name=name, type=kind, size=size, contype=0, conaffinity=0)
