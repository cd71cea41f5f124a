"""A model's twin in which pixels say whose they are, not how they look.

Knows what hides nothing and what lights do to a colour; which thing gets which colour is its
stage's business.
"""

from copy import copy

import mujoco

from mirror_ray.world.evidence import REFLECTOR_RGBA

CLEAR = (0.0, 0.0, 0.0, 0.0)
"""What has this colour is not drawn."""


def unlit(picture: mujoco.MjModel) -> mujoco.MjModel:
    """A copy without light, in which nothing is drawn but the mirror, until it is given a colour.

    Floor, walls and ceiling hide nothing in a convex room, and black is nobody's already.
    """
    model = copy(picture)
    model.geom_rgba[:] = CLEAR
    model.geom_rgba[model.geom("mirror").id] = REFLECTOR_RGBA
    model.light_active[:] = 0
    model.vis.headlight.active = 0
    return model
