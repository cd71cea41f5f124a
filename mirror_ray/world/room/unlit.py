"""A copy of a model in which a pixel's colour is the identity of what it shows."""

from copy import copy

import mujoco

from mirror_ray.world.room.evidence import REFLECTOR_RGBA
from sim_assets.furnishing import FURNITURE
from sim_assets.room import is_glass

BLACK = (0.0, 0.0, 0.0, 1.0)
CLEAR = (0.0, 0.0, 0.0, 0.0)
"""A thing with this colour is not drawn."""


def unlit(picture: mujoco.MjModel) -> mujoco.MjModel:
    """Return a copy without light, in which only the mirror is drawn until things get colours.

    Floor, walls and ceiling hide nothing in a convex room, and black already means no body. Things
    that may hide others without being bodies are black."""
    model = copy(picture)
    model.geom_rgba[:] = CLEAR
    for geom in range(model.ngeom):
        name = model.geom(geom).name
        if is_glass(name):
            model.geom_rgba[geom] = REFLECTOR_RGBA
        elif name.startswith(FURNITURE):
            model.geom_rgba[geom] = BLACK
    model.light_active[:] = 0
    model.vis.headlight.active = 0
    return model
