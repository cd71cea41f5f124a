"""The room in which people and dogs pose: the mirrored room with a framed mirror, and the
figures.
"""

import mujoco

from sim_assets.figures import add_dog, add_person
from sim_assets.room import compiled, empty_room

FRAME_WIDTH_M = 0.07
_FRAME_DEPTH_M = 0.03


def build_posing_room(
    *,
    side_m: float,
    height_m: float,
    reflector_width_m: float,
    reflector_height_m: float,
    people: int,
    dogs: int,
) -> mujoco.MjModel:
    """Compile the room with this many people (``person<i>/torso``) and dogs (``dog<i>/dog``).

    The rest is that of `sim_assets.room.build_room`; besides ``mirror`` and ``panel`` the body
    ``reflector`` has the geoms ``frame0`` … ``frame3``.

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
    for index in range(dogs):
        add_dog(spec, index)
    return compiled(spec)


def add_frame(spec: mujoco.MjSpec, half_width_m: float, half_height_m: float) -> None:
    """Add four bars around the glass, ``frame0`` … ``frame3``: without them a picture filled by it
    would not show a mirror.
    """
    half = FRAME_WIDTH_M / 2
    bars = [
        ((sign * (half_width_m + half), 0.0), (half, half_height_m + FRAME_WIDTH_M))
        for sign in (-1, 1)
    ] + [((0.0, sign * (half_height_m + half)), (half_width_m, half)) for sign in (-1, 1)]
    for index, ((x_m, y_m), size) in enumerate(bars):
        spec.body("reflector").add_geom(
            name=f"frame{index}",
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=(x_m, y_m, 0.0),
            size=(*size, _FRAME_DEPTH_M),
            contype=0,
            conaffinity=0,
        )
