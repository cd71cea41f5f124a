"""Two other looks of the room, to distinguish failures with mirrors from failures with toy
pictures.

`light` adds one lamp that casts shadows, and floorboards. `furnish` adds things on the walls and
the floor. None of them takes room on the floor, where bodies walk, or in the middle of a wall,
where a mirror may hang, so that a scene has the same places in every look. All tones are greys and
beiges: no thing has a body's colour.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

FURNITURE = "furniture/"
"""The prefix of the names of all geoms that `furnish` adds."""
SHADOW_MAP_PX = 512
"""Small, and few things on the walls: a picture may cost three times a plain one, not more."""

_TEXTURE_PX = 256
_OAK = (0.60, 0.55, 0.48)
_PAPER = (0.74, 0.72, 0.68)
_IRON = (0.25, 0.25, 0.26)
_LINEN = (0.66, 0.64, 0.60)
_BOOKS = ((0.45, 0.43, 0.40), (0.36, 0.38, 0.40), (0.58, 0.56, 0.53), (0.31, 0.30, 0.30))
_LAMP_M = 0.26
"""The lamp's distance below the ceiling."""
_QUARTERS = {"north": 0, "east": 3, "south": 2, "west": 1}
"""Rotations of a picture that make it upright on the inner face of a wall."""
_OUTWARD = {"east": (1, 0), "north": (0, 1), "west": (-1, 0), "south": (0, -1)}


def light(spec: mujoco.MjSpec, height_m: float) -> None:
    """Replace the even light by one lamp that casts shadows, and add floorboards."""
    spec.visual.quality.shadowsize = SHADOW_MAP_PX
    spec.visual.map.shadowclip = 1.0
    spec.visual.headlight.ambient = (0.50, 0.50, 0.50)
    for even in list(spec.lights):
        spec.delete(even)
    spec.worldbody.add_light(
        type=mujoco.mjtLightType.mjLIGHT_SPOT,
        pos=(0.0, 0.0, height_m - _LAMP_M - 0.08),
        dir=(0.0, 0.0, -1.0),
        cutoff=80.0,
        exponent=0.0,
        ambient=(0.0, 0.0, 0.0),
        diffuse=(0.50, 0.50, 0.48),
        specular=(0.0, 0.0, 0.0),
        castshadow=True,
    )
    # Light reflected by the walls: without it, fronts would be as dark as in a cellar.
    spec.worldbody.add_light(
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        pos=(0.0, 0.0, 1.0),
        dir=(-0.6, -0.8, 0.25),
        ambient=(0.0, 0.0, 0.0),
        diffuse=(0.25, 0.25, 0.25),
        specular=(0.0, 0.0, 0.0),
        castshadow=False,
    )
    # The ceiling gets only reflected light.
    spec.geom("ceiling").material = "ceiling"
    spec.add_material(name="ceiling", emission=0.35, specular=0.0, shininess=0.0)
    rng = np.random.default_rng(6)
    boards = _add_surface(spec, "boards", _boards(rng), cube=False)
    boards.texrepeat = (0.5, 0.5)
    boards.texuniform = True
    spec.geom("floor").material = "boards"


def furnish(spec: mujoco.MjSpec, half_m: float, height_m: float) -> None:
    """Add doors, pictures, shelves, a rug and a lamp, on top of `light`."""
    rng = np.random.default_rng(7)
    walls = {name: _Wall(spec, name, half_m) for name in _OUTWARD}
    _add_surface(spec, "rug", _woven(rng), cube=False)
    rug = _add_box(spec, "rug", (0.0, 0.0, 0.002), (1.3, 0.9, 0.002), _LINEN)
    rug.material, rug.rgba = "rug", (1.0, 1.0, 1.0, 1.0)
    _add_box(spec, "lamp/rod", (0.0, 0.0, height_m - 0.1), (0.012, 0.012, 0.1), _IRON)
    _add_box(spec, "lamp/shade", (0.0, 0.0, height_m - _LAMP_M), (0.22, 0.22, 0.06), _PAPER)
    for wall, side in (("north", 1.9), ("west", -1.9)):
        walls[wall].hang("door/frame", (side, 1.03), (0.50, 1.03), depth_m=0.02, tone=_OAK)
        walls[wall].hang("door/leaf", (side, 1.0), (0.42, 0.98), depth_m=0.03, tone=_PAPER)
        walls[wall].hang("door/handle", (side + 0.32, 1.0), (0.05, 0.015), depth_m=0.06, tone=_IRON)
    for wall, side in (("east", -1.9), ("south", 1.8), ("north", -2.0)):
        walls[wall].hang("shelf", (side, 1.75), (0.55, 0.015), depth_m=0.22, tone=_OAK)
        at = side - 0.4
        for book in range(6):
            wide, high = rng.uniform(0.02, 0.045), rng.uniform(0.09, 0.15)
            tone = _BOOKS[int(rng.integers(len(_BOOKS)))]
            where = (at + wide, 1.765 + high)
            walls[wall].hang(f"book{book}", where, (wide, high), depth_m=0.17, tone=tone)
            at += 2 * wide + 0.01
    for index, (wall, side, high) in enumerate(
        (("east", 1.9, 1.5), ("south", -1.9, 1.45), ("west", 1.9, 1.5), ("east", 2.6, 1.3))
    ):
        name = f"picture{index}"
        walls[wall].hang(f"{name}/frame", (side, high), (0.30, 0.24), depth_m=0.02, tone=_IRON)
        _add_surface(spec, name, np.rot90(_landscape(rng), _QUARTERS[wall]), cube=True)
        sheet = walls[wall].hang(name, (side, high), (0.26, 0.20), depth_m=0.025, tone=_PAPER)
        sheet.material, sheet.rgba = name, (1.0, 1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class _Wall:
    """The inner face of a wall, and what is hung on it."""

    spec: mujoco.MjSpec
    name: str
    half_m: float

    def hang(
        self,
        name: str,
        where_m: tuple[float, float],
        half_size_m: tuple[float, float],
        *,
        depth_m: float,
        tone: Sequence[float],
    ) -> mujoco.MjsGeom:
        """Add a box `where_m` along the wall and above the floor."""
        x, y = _OUTWARD[self.name]
        out = self.half_m - depth_m / 2
        place = (x * out - y * where_m[0], y * out + x * where_m[0], where_m[1])
        along, deep = half_size_m[0], depth_m / 2
        size = (deep, along, half_size_m[1]) if x else (along, deep, half_size_m[1])
        return _add_box(self.spec, f"{self.name}/{name}", place, size, tone)


def _add_box(
    spec: mujoco.MjSpec,
    name: str,
    place: tuple[float, float, float],
    size: tuple[float, float, float],
    tone: Sequence[float],
) -> mujoco.MjsGeom:
    return spec.worldbody.add_geom(
        name=f"{FURNITURE}{name}",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        pos=place,
        size=size,
        rgba=(*tone, 1.0),
        contype=0,
        conaffinity=0,
    )


def _add_surface(
    spec: mujoco.MjSpec, name: str, rgb: NDArray[np.float64], *, cube: bool
) -> mujoco.MjsMaterial:
    """Add a material with one texture; on a cube, every side shows the same."""
    kinds = mujoco.mjtTexture
    data = np.rint(np.clip(rgb, 0.0, 1.0) * 255).astype(np.uint8)
    texture = spec.add_texture(
        name=name,
        type=kinds.mjTEXTURE_CUBE if cube else kinds.mjTEXTURE_2D,
        width=data.shape[1],
        height=data.shape[0] * (6 if cube else 1),
        nchannel=3,
    )
    texture.data = (np.concatenate([data] * 6) if cube else data).tobytes()
    material = spec.add_material(name=name, specular=0.0, shininess=0.0)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name
    return material


def _grain(
    rng: np.random.Generator, cells: tuple[int, int], strength: float
) -> NDArray[np.float64]:
    coarse = rng.normal(size=cells)
    rows = np.linspace(0, cells[0] - 1, _TEXTURE_PX).astype(int)
    columns = np.linspace(0, cells[1] - 1, _TEXTURE_PX).astype(int)
    grain: NDArray[np.float64] = 1.0 + strength * coarse[rows][:, columns, None]
    return grain


def _boards(rng: np.random.Generator) -> NDArray[np.float64]:
    rgb = np.array(_OAK) * _grain(rng, (256, 12), 0.03)
    step = _TEXTURE_PX // 8
    for board in range(8):
        rgb[:, board * step : (board + 1) * step] *= rng.uniform(0.9, 1.06)
        rgb[:, board * step] *= 0.7
        rgb[int(rng.integers(_TEXTURE_PX)), board * step : (board + 1) * step] *= 0.7
    return rgb


def _woven(rng: np.random.Generator) -> NDArray[np.float64]:
    rgb = np.array(_LINEN) * _grain(rng, (128, 128), 0.04)
    for inset, factor in ((0, 0.75), (10, 1.1), (22, 0.8), (28, 1.0)):
        rgb[inset : _TEXTURE_PX - inset, inset : _TEXTURE_PX - inset] = (
            np.array(_LINEN) * factor * _grain(rng, (128, 128), 0.04)
        )[inset : _TEXTURE_PX - inset, inset : _TEXTURE_PX - inset]
    return rgb


def _landscape(rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw a hill under a sky, in greys."""
    across = np.linspace(0.0, 2 * np.pi, _TEXTURE_PX)
    ridge = 0.55 + 0.12 * np.sin(across + rng.uniform(0, 6)) + 0.05 * np.sin(3 * across)
    down = np.linspace(0.0, 1.0, _TEXTURE_PX)[:, None]
    is_hill = (down > ridge)[..., None]
    hill, sky = np.array((0.42, 0.43, 0.40)), np.array((0.76, 0.77, 0.79))
    rgb: NDArray[np.float64] = np.where(is_hill, hill, sky) * _grain(rng, (64, 64), 0.03)
    return rgb
