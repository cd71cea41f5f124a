"""The views of a drawing check: one room with everything that selfid shows, from four places."""

from mirror_ray.world.room.scene import Body, Box, Pose, Scene
from mirror_ray.world.room.view import EyeView, Stance

SIZE_PX = (640, 480)
_FOV_DEG = 110.0

_SCENE = Scene(
    reflector_wall="east",
    reflector="mirror",
    ego=Body(Pose(0.5, 0.0, 0.0), "red"),
    cubes=(Box(2.0, 1.5, 20.0, 0.3, 0.3, 0.3, "red"), Box(2.0, -1.5, 50.0, 0.3, 0.3, 0.3, "blue")),
    clutter=(Box(-2.0, 2.0, 10.0, 0.6, 0.4, 0.5, "stone"),),
    others=(Body(Pose(1.5, -0.8, 90.0), "green"),),
)
_PLACES = (
    Pose(0.5, 0.0, 0.0),
    Pose(-1.0, 1.0, 30.0),
    Pose(-1.5, -1.0, -30.0),
    Pose(1.0, 1.8, -60.0),
)


def sample_views() -> tuple[EyeView, ...]:
    """Return views of 640×480 pixels, all different; each shows the mirror."""
    others = tuple(Stance(body.pose, 0.0) for body in _SCENE.others)
    return tuple(
        EyeView(_SCENE, Stance(place, 0.0), others, *SIZE_PX, _FOV_DEG, "png") for place in _PLACES
    )
