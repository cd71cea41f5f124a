"""The superset model: one room with everything any scene needs, all of it movable.

Every movable thing is a mocap body, so that a scene is a set of arrays (places, sizes, colours) and
a model is compiled only once.
"""

from collections.abc import Sequence
from importlib.resources import files

import mujoco

from sim_assets.colors import CEILING_TONE, FLOOR_TONES, WALL_TONES
from sim_assets.furnishing import furnish, light
from sim_assets.look import Look

REFLECTORS = 2
"""Most mirrors of a scene; only the first one's place can have a panel."""
SLATS = 8
"""Upright slats in front of the glass of each reflector, to cover part of it."""
REFLECTOR_DEPTH_M = 0.002
"""Half of it is in front of the wall: just enough for a depth buffer to separate the two."""
CEILING_GROUP = 2
"""The geom group of the ceiling alone, so that a picture from above can leave it out."""

_WALL_DEPTH_M = 0.1
_OUTWARD = {"east": (1.0, 0.0), "north": (0.0, 1.0), "west": (-1.0, 0.0), "south": (0.0, -1.0)}


def humanoid_name(index: int) -> str:
    """Return the torso's name, the prefix of all names of one humanoid; 0 is the ego."""
    return f"humanoid{index}/"


def cube_name(index: int) -> str:
    """Name body and geom of a candidate cube."""
    return f"cube{index}"


def clutter_name(index: int) -> str:
    """Name body and geom of a clutter box."""
    return f"clutter{index}"


def reflector_name(index: int) -> str:
    """Name the body of a mirror; 0 is the first one, which a panel may replace."""
    return f"reflector{index or ''}"


def glass_name(reflector: int, side_m: float) -> str:
    """Name the geom of a reflector's square glass of a size; the first's largest is ``mirror``."""
    return f"mirror{reflector}@{side_m}"


def is_glass(geom: str) -> bool:
    """Return whether a geom of this name is a mirror's surface, in any room."""
    return geom == "mirror" or (geom.startswith("mirror") and "@" in geom)


def slat_name(reflector: int, index: int) -> str:
    """Name the geom of a slat."""
    return f"{reflector_name(reflector)}/slat{index}"


def build_room(
    *,
    look: Look = "plain",
    smaller_sides_m: Sequence[float] = (),
    side_m: float,
    height_m: float,
    reflector_width_m: float,
    reflector_height_m: float,
    humanoids: int,
    cubes: int,
    clutter: int,
) -> mujoco.MjModel:
    """Compile the room: square floor centred on the origin, four walls, ceiling, light.

    Bodies, all mocap and all at the origin: ``humanoid<i>/torso``, ``cube<i>``, ``clutter<i>``
    (unit half extents, to be sized), ``reflector`` with geoms ``mirror`` and ``panel`` facing +z,
    the same without a panel for a second mirror, slats before both, and ``eye`` with the camera
    ``eye`` looking along its -z.

    Args:
        look: "plain", or what `sim_assets.furnishing` adds.
        smaller_sides_m: edges of smaller, square glasses in the mirror's place.

    Raises:
        ValueError: from MuJoCo, when a size is not positive.
    """
    spec = empty_room(
        side_m=side_m,
        height_m=height_m,
        reflector_width_m=reflector_width_m,
        reflector_height_m=reflector_height_m,
    )
    spec.worldbody.add_body(name=reflector_name(1), mocap=True)
    _add_glasses(spec, 0, smaller_sides_m)
    _add_glasses(spec, 1, (reflector_width_m, *smaller_sides_m))
    for name in [*map(cube_name, range(cubes)), *map(clutter_name, range(clutter))]:
        body = spec.worldbody.add_body(name=name, mocap=True)
        _add_box(body, name, (1.0, 1.0, 1.0))
    source = files("sim_assets").joinpath("humanoid.xml").read_text(encoding="utf-8")
    for index in range(humanoids):
        humanoid = mujoco.MjSpec.from_string(source)
        frame = spec.worldbody.add_frame()
        frame.attach_body(humanoid.body("torso"), humanoid_name(index), "")
    if look != "plain":
        light(spec, height_m)
    if look == "furnished":
        furnish(spec, side_m / 2, height_m)
    return compiled(spec)


def empty_room(
    *, side_m: float, height_m: float, reflector_width_m: float, reflector_height_m: float
) -> mujoco.MjSpec:
    """Return the room without anything in it, to be furnished and then `compiled`."""
    spec = mujoco.MjSpec()
    spec.modelname = "room"
    _add_quality(spec, side_m)
    _add_light(spec)
    _add_materials(spec)
    _add_shell(spec, side_m / 2, height_m)
    _add_reflector(spec, reflector_width_m / 2, reflector_height_m / 2)
    return spec


def compiled(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """Return the furnished room as a model: things without a material are flat, and an eye looks at
    it."""
    for geom in spec.geoms:
        geom.material = geom.material or "flat"
    spec.worldbody.add_body(name="eye", mocap=True).add_camera(name="eye")
    return spec.compile()


def _add_quality(spec: mujoco.MjSpec, side_m: float) -> None:
    # Facets beyond 16 × 8 cost a third of a frame and change no reading; 8 × 4 facets the heads.
    spec.visual.quality.numslices = 16
    spec.visual.quality.numstacks = 8
    # MSAA blends identities at edges and costs more than everything else but shadows.
    spec.visual.quality.offsamples = 0
    # Nothing casts a shadow; the map alone would take 64 MB.
    spec.visual.quality.shadowsize = 0
    spec.stat.extent = side_m
    spec.stat.center = (0.0, 0.0, 0.0)
    spec.visual.map.znear = 0.02 / side_m
    spec.visual.map.zfar = 4.0


def _add_light(spec: mujoco.MjSpec) -> None:
    # A headlight shines along the camera and leaves reflected fronts dark: ambient only.
    spec.visual.headlight.ambient = (0.58, 0.58, 0.58)
    spec.visual.headlight.diffuse = (0.0, 0.0, 0.0)
    spec.visual.headlight.specular = (0.0, 0.0, 0.0)
    # Four from above and a weaker one from below, so that a white body's shaded parts are not grey.
    beams = [((x, y, -1.1), 0.31) for x in (1, -1) for y in (1, -1)] + [((0, 0, 1), 0.22)]
    for direction, diffuse in beams:
        spec.worldbody.add_light(
            type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
            pos=(0.0, 0.0, 1.0),
            dir=direction,
            ambient=(0.0, 0.0, 0.0),
            diffuse=(diffuse, diffuse, diffuse),
            specular=(0.0, 0.0, 0.0),
            castshadow=False,
        )


def _add_materials(spec: mujoco.MjSpec) -> None:
    spec.add_material(name="flat", specular=0.0, shininess=0.0)
    spec.add_material(name="mirror", specular=0.0, shininess=0.0, reflectance=1.0)
    light, dark = FLOOR_TONES
    spec.add_texture(
        name="checker",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=light,
        rgb2=dark,
        width=64,
        height=64,
    )
    floor = spec.add_material(name="floor", specular=0.0, shininess=0.0, texrepeat=(1.0, 1.0))
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "checker"
    floor.texuniform = True


def _add_shell(spec: mujoco.MjSpec, half_m: float, height_m: float) -> None:
    # All six sides reach into one another: sides that only meet leave black pixels in the seam.
    outer_m = half_m + _WALL_DEPTH_M
    spec.worldbody.add_geom(
        name="floor",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=(outer_m, outer_m, 1.0),
        material="floor",
        rgba=(1.0, 1.0, 1.0, 1.0),
    )
    ceiling = _add_box(spec.worldbody, "ceiling", (outer_m, outer_m, _WALL_DEPTH_M / 2))
    ceiling.pos = (0.0, 0.0, height_m + _WALL_DEPTH_M / 2)
    ceiling.rgba = (*CEILING_TONE, 1.0)
    ceiling.group = CEILING_GROUP
    for wall, (x, y) in _OUTWARD.items():
        away = half_m + _WALL_DEPTH_M / 2
        size = (_WALL_DEPTH_M / 2, outer_m) if x else (outer_m, _WALL_DEPTH_M / 2)
        high = height_m / 2 + _WALL_DEPTH_M
        geom = _add_box(spec.worldbody, f"wall/{wall}", (*size, high))
        geom.pos = (x * away, y * away, height_m / 2)
        geom.rgba = (*WALL_TONES[wall], 1.0)


def _add_reflector(spec: mujoco.MjSpec, half_width_m: float, half_height_m: float) -> None:
    body = spec.worldbody.add_body(name=reflector_name(0), mocap=True)
    _add_glass(body, "mirror", half_width_m, half_height_m)
    _add_box(body, "panel", (half_width_m, half_height_m, REFLECTOR_DEPTH_M / 2))


def _add_glass(
    body: mujoco.MjsBody, name: str, half_width_m: float, half_height_m: float
) -> mujoco.MjsGeom:
    # A plane has no edge that could frame it.
    size = (half_width_m, half_height_m, 1.0)
    glass = body.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_PLANE, size=size)
    glass.pos = (0.0, 0.0, REFLECTOR_DEPTH_M / 2)
    glass.material = "mirror"
    # Nearly black: what it shows is the reflection, and this is added to it.
    glass.rgba = (0.04, 0.05, 0.06, 1.0)
    return glass


def _add_glasses(spec: mujoco.MjSpec, reflector: int, sides_m: Sequence[float]) -> None:
    """Add a mirror in each size, one of which is to be shown, and the slats in front of it.

    OpenGL draws a plane in the size that it was compiled with.
    """
    body = spec.body(reflector_name(reflector))
    for side_m in sides_m:
        name = glass_name(reflector, side_m)
        _add_glass(body, name, side_m / 2, side_m / 2).rgba[3] = 0.0
    for index in range(SLATS):
        slat = _add_box(body, slat_name(reflector, index), (0.1, 0.1, REFLECTOR_DEPTH_M))
        # MuJoCo overlooks the place of a geom that is compiled at its body's.
        slat.pos = (0.1 * (1 + index), 0.0, 0.0)
        slat.rgba[3] = 0.0


def _add_box(body: mujoco.MjsBody, name: str, size: tuple[float, ...]) -> mujoco.MjsGeom:
    return body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=size,
        material="flat",
        rgba=(0.4, 0.4, 0.4, 1.0),
        contype=0,
        conaffinity=0,
    )
