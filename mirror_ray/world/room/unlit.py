"""A model's twin in which a pixel's colour is the identity of what it shows."""

from copy import copy

import mujoco

from mirror_ray.world.room.evidence import REFLECTOR_RGBA

CLEAR = (0.0, 0.0, 0.0, 0.0)
"""A thing of this colour is not drawn."""


def unlit(picture: mujoco.MjModel) -> mujoco.MjModel:
    """A copy without light, in which only the mirror is drawn until things are given colours.

    Floor, walls and ceiling hide nothing in a convex room, and black already means no body.
    """
    model = copy(picture)
    model.geom_rgba[:] = CLEAR
    model.geom_rgba[model.geom("mirror").id] = REFLECTOR_RGBA
    model.light_active[:] = 0
    model.vis.headlight.active = 0
    return model
