"""A card on a wooden floor, a plush monkey next to it, and a screen that fits between them.

The monkey, the screen and the camera are mocap bodies, and the card's texture is rewritten for
every text.
"""

import mujoco
import numpy as np
from numpy.typing import NDArray

from sim_assets.monkey import add_monkey, shadow_texture
from sim_assets.wood import planks

CARD_WIDTH_M, CARD_DEPTH_M = 0.30, 0.21
"""An A4 sheet lying across."""
CARD_TEXTURE_PX = (1000, 700)
"""Width and height of the card's texture."""
SCREEN_WIDTH_M, SCREEN_HEIGHT_M = 0.36, 0.36
"""As high as the monkey: it does not look over it."""

_CARD_THICKNESS_M = 0.003
_FLOOR_HALF_M = 8.0
_PLANK_TILE_M = 0.96
_FLOOR_TEXTURE_PX, _SHADOW_TEXTURE_PX = 1024, 256
SCREEN_RGB = (0.36, 0.58, 0.62)
_ROUGHNESS = 0.05


def build_tabletop() -> mujoco.MjModel:
    """Compile the scene.

    Bodies, all mocap: ``sheet`` (the card, its middle at the body's origin, its text along the
    body's +x and turned to +z), ``monkey`` (on the floor, looking along +y), ``screen`` (on the
    floor, its broad sides along x) and ``eye`` with the camera ``eye`` looking along its -z. The
    geom ``card`` wears the texture ``text``; the geom ``paper`` is the sheet's thickness.
    """
    spec = mujoco.MjSpec()
    spec.modelname = "tabletop"
    _add_quality(spec)
    _add_light(spec)
    _add_materials(spec)
    spec.worldbody.add_geom(
        name="floor",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=(_FLOOR_HALF_M, _FLOOR_HALF_M, 0.1),
        material="floor",
    )
    half = (CARD_WIDTH_M / 2, CARD_DEPTH_M / 2)
    sheet = spec.worldbody.add_body(name="sheet", mocap=True)
    _add_box(sheet, "paper", (*half, _CARD_THICKNESS_M / 2), "paper").pos = (
        0.0,
        0.0,
        _CARD_THICKNESS_M / 2,
    )
    sheet.add_geom(
        name="card",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        pos=(0.0, 0.0, _CARD_THICKNESS_M + 0.0005),
        size=(*half, 0.1),
        material="card",
    )
    monkey = spec.worldbody.add_body(name="monkey", mocap=True)
    add_monkey(monkey, plush="plush", glossy="glossy", shadow="shadow")
    screen = spec.worldbody.add_body(name="screen", mocap=True)
    board = _add_box(screen, "screen", (SCREEN_WIDTH_M / 2, 0.004, SCREEN_HEIGHT_M / 2), "screen")
    board.pos = (0.0, 0.0, SCREEN_HEIGHT_M / 2)
    spec.worldbody.add_body(name="eye", mocap=True).add_camera(name="eye")
    return spec.compile()


def _add_quality(spec: mujoco.MjSpec) -> None:
    spec.visual.quality.numslices = 28
    spec.visual.quality.numstacks = 20
    spec.visual.quality.offsamples = 4
    # A shadow map costs more than all else and has hard edges: shadows are painted instead.
    spec.visual.quality.shadowsize = 0
    spec.stat.extent = 1.0
    spec.stat.center = (0.0, 0.1, 0.1)
    spec.visual.map.znear = 0.02
    spec.visual.map.zfar = 10.0


def _add_light(spec: mujoco.MjSpec) -> None:
    spec.visual.headlight.ambient = (0.5, 0.5, 0.5)
    spec.visual.headlight.diffuse = (0.12, 0.12, 0.12)
    spec.visual.headlight.specular = (0.0, 0.0, 0.0)
    for position, diffuse in (((-0.9, -0.5, 1.8), 0.42), ((1.2, 0.4, 1.5), 0.14)):
        spec.worldbody.add_light(
            type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
            pos=position,
            dir=tuple(-part for part in position),
            ambient=(0.0, 0.0, 0.0),
            diffuse=(diffuse, diffuse, diffuse * 0.97),
            specular=(0.1, 0.1, 0.1),
            castshadow=False,
        )


def _add_materials(spec: mujoco.MjSpec) -> None:
    _add_texture(spec, "planks", planks(_FLOOR_TEXTURE_PX))
    width_px, height_px = CARD_TEXTURE_PX
    _add_texture(spec, "text", np.full((height_px, width_px, 3), 255, np.uint8))
    repeat = 1.0 / _PLANK_TILE_M
    floor = spec.add_material(name="floor", specular=0.0, shininess=0.0)
    floor.texrepeat = (repeat, repeat)
    floor.texuniform = True
    floor.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "planks"
    card = spec.add_material(name="card", specular=0.0, shininess=0.0, emission=0.12)
    card.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "text"
    spec.add_material(name="paper", specular=0.0, rgba=(0.93, 0.93, 0.92, 1.0))
    spec.add_material(name="screen", specular=0.0, rgba=(*SCREEN_RGB, 1.0))
    _add_texture(spec, "shadow", shadow_texture(_SHADOW_TEXTURE_PX))
    # Not quite opaque: otherwise MuJoCo does not blend it with the floor below.
    shadow = spec.add_material(name="shadow", specular=0.0, rgba=(1.0, 1.0, 1.0, 0.99))
    shadow.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "shadow"
    _add_fur(spec)
    plush = spec.add_material(name="plush", specular=0.0, shininess=0.0)
    plush.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "fur"
    spec.add_material(name="glossy", specular=0.8, shininess=0.6)


def _add_fur(spec: mujoco.MjSpec) -> None:
    """Add short fur: fine grain that dims a colour a little, on all sides of a cube."""
    side_px = 128
    grain = np.random.default_rng(3).normal(0.0, _ROUGHNESS, (6 * side_px, side_px))
    grey = np.rint(255 * np.clip(1.0 - np.abs(grain), 0.0, 1.0)).astype(np.uint8)
    texture = spec.add_texture(
        name="fur",
        type=mujoco.mjtTexture.mjTEXTURE_CUBE,
        width=side_px,
        height=6 * side_px,
        nchannel=3,
    )
    texture.data = np.repeat(grey[..., None], 3, axis=2).tobytes()


def _add_texture(spec: mujoco.MjSpec, name: str, rgb: NDArray[np.uint8]) -> None:
    height_px, width_px, channels = rgb.shape
    texture = spec.add_texture(
        name=name,
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        width=width_px,
        height=height_px,
        nchannel=channels,
    )
    texture.data = rgb.tobytes()


def _add_box(
    body: mujoco.MjsBody, name: str, size: tuple[float, float, float], material: str
) -> mujoco.MjsGeom:
    return body.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_BOX, size=size, material=material)
