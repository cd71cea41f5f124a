"""People and dogs to be posed: a dog, and the humanoid dressed so that front and back differ.

The humanoid's own geoms are those of ``humanoid.xml``; face, hair, clothes, gloves and boots are
ours.
"""

from collections.abc import Mapping
from importlib.resources import files

import mujoco

SIDES = ("left", "right")
_CAPSULE = mujoco.mjtGeom.mjGEOM_CAPSULE
_ELLIPSOID = mujoco.mjtGeom.mjGEOM_ELLIPSOID
_SPHERE = mujoco.mjtGeom.mjGEOM_SPHERE

Rgb = tuple[float, float, float]

LOOKS: tuple[Mapping[str, Rgb], ...] = (
    {"skin": (0.87, 0.66, 0.52), "hair": (0.25, 0.16, 0.10), "trousers": (0.20, 0.24, 0.34)},
    {"skin": (0.55, 0.36, 0.25), "hair": (0.11, 0.09, 0.08), "trousers": (0.30, 0.29, 0.27)},
    {"skin": (0.93, 0.74, 0.62), "hair": (0.62, 0.45, 0.22), "trousers": (0.17, 0.19, 0.22)},
    {"skin": (0.74, 0.53, 0.38), "hair": (0.16, 0.12, 0.11), "trousers": (0.34, 0.31, 0.38)},
)
"""The appearance of people besides the shirt."""

COATS: Mapping[str, Rgb] = {
    "brown": (0.52, 0.33, 0.17),
    "white": (0.90, 0.88, 0.84),
    "black": (0.17, 0.17, 0.18),
    "grey": (0.52, 0.52, 0.54),
}
"""Colours of dogs."""

DARK: Rgb = (0.08, 0.07, 0.07)
"""Eyes, noses and shoes."""
FRAME_TONE: Rgb = (0.45, 0.30, 0.17)
"""The wood around the mirror."""

_OWN_PAINTS = {
    "torso1": "shirt",
    "uwaist": "shirt",
    "lwaist": "shirt",
    "butt": "trousers",
    "head": "skin",
    **{f"{side}_uarm1": "shirt" for side in SIDES},
    **{f"{side}_larm": "skin" for side in SIDES},
    **{f"{side}_hand": "skin" for side in SIDES},
    **{f"{side}_thigh1": "trousers" for side in SIDES},
    **{f"{side}_shin1": "trousers" for side in SIDES},
    **{f"{side}_foot": "shoe" for side in SIDES},
}


def person_name(index: int) -> str:
    """Return the prefix of all names of a person; its mocap body is called ``torso``."""
    return f"person{index}/"


def dog_name(index: int) -> str:
    """Return the prefix of all names of a dog; its mocap body is called ``dog``."""
    return f"dog{index}/"


def paint_of(geom: str) -> str:
    """Return which paint a figure's geom takes, by its name without prefix.

    For people: skin, hair, eye, shirt, trousers, shoe, glove, boot. For dogs: coat, ear, leg, dark,
    sock. Gloves, boots and socks lie over what they cover.
    """
    return _OWN_PAINTS.get(geom) or geom.split("_", 1)[0]


def _limb_geoms() -> dict[str, tuple[str, ...]]:
    limbs: dict[str, tuple[str, ...]] = {}
    for side in SIDES:
        limbs[f"{side} hand"] = (f"{side}_uarm1", f"{side}_larm", f"{side}_hand")
        limbs[f"{side} leg"] = (
            *(f"{side}_thigh1", f"{side}_shin1", f"{side}_foot"),
            f"shoe_{side}_toe",
        )
        limbs[f"{side} glove"] = (f"glove_{side}_hand", f"glove_{side}_cuff")
        limbs[f"{side} boot"] = tuple(f"boot_{side}_{part}" for part in ("foot", "toe", "shaft"))
        for end in ("front", "rear"):
            parts = ("upper", "lower", "paw")
            limbs[f"{side} {end} leg"] = tuple(f"leg_{side}_{end}_{part}" for part in parts)
            limbs[f"{side} {end} sock"] = tuple(
                f"sock_{side}_{end}_{part}" for part in ("shaft", "paw")
            )
    return limbs


LIMB_GEOMS: Mapping[str, tuple[str, ...]] = _limb_geoms()
"""What can be asked about, e.g. ``left glove`` or ``right rear leg`` → its geoms' names."""


def add_person(spec: mujoco.MjSpec, index: int) -> None:
    """Put a person at the origin, on a mocap body, with all it could wear."""
    person = mujoco.MjSpec.from_string(_source("humanoid.xml"))
    torso = person.body("torso")
    _add(torso, "shirt_chest", _ELLIPSOID, pos=(0.0, 0.0, -0.02), size=(0.105, 0.155, 0.15))
    waist = (-0.01, 0.0, -0.1, -0.01, 0.0, -0.36)
    _add(torso, "shirt_waist", _CAPSULE, fromto=waist, size=(0.088,))
    _add(torso, "skin_neck", _CAPSULE, fromto=(0.0, 0.0, 0.07, 0.0, 0.0, 0.14), size=(0.045,))
    _add(torso, "hair_crown", _SPHERE, pos=(-0.026, 0.0, 0.218), size=(0.096,))
    _add(torso, "skin_nose", _SPHERE, pos=(0.09, 0.0, 0.18), size=(0.017,))
    for side, sign in (("left", 1), ("right", -1)):
        _add(torso, f"eye_{side}", _SPHERE, pos=(0.077, sign * 0.034, 0.208), size=(0.016,))
        _dress_limbs(person, side)
    spec.worldbody.add_frame().attach_body(torso, person_name(index), "")


def add_dog(spec: mujoco.MjSpec, index: int) -> None:
    """Put a dog at the origin, on a mocap body, with all its socks."""
    dog = mujoco.MjSpec.from_string(_source("dog.xml"))
    spec.worldbody.add_frame().attach_body(dog.body("dog"), dog_name(index), "")


def _dress_limbs(person: mujoco.MjSpec, side: str) -> None:
    # Along a forearm y runs towards the hand on the right and away from it on the left.
    along = 1.0 if side == "right" else -1.0
    forearm, shin = person.body(f"{side}_lower_arm"), person.body(f"{side}_shin")
    hand = (0.18, along * 0.18, 0.18)
    cuff = (0.125, along * 0.125, 0.125, 0.17, along * 0.17, 0.17)
    _add(forearm, f"glove_{side}_hand", _SPHERE, pos=hand, size=(0.068,))
    _add(forearm, f"glove_{side}_cuff", _CAPSULE, fromto=cuff, size=(0.048,))
    toe = (0.0, 0.0, -0.375, 0.12, 0.0, -0.38)
    _add(shin, f"shoe_{side}_toe", _CAPSULE, fromto=toe, size=(0.044,))
    _add(shin, f"boot_{side}_foot", _SPHERE, pos=(0.0, 0.0, -0.35), size=(0.082,))
    _add(shin, f"boot_{side}_toe", _CAPSULE, fromto=toe, size=(0.052,))
    shaft = (0.0, 0.0, -0.16, 0.0, 0.0, -0.33)
    _add(shin, f"boot_{side}_shaft", _CAPSULE, fromto=shaft, size=(0.063,))


def _add(body: mujoco.MjsBody, name: str, kind: mujoco.mjtGeom, **shape: tuple[float, ...]) -> None:
    body.add_geom(name=name, type=kind, contype=0, conaffinity=0, **_padded(shape))


def _padded(shape: dict[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    size = shape["size"]
    return {**shape, "size": (*size, *(0.0,) * (3 - len(size)))}


def _source(name: str) -> str:
    return files("sim_assets").joinpath(name).read_text(encoding="utf-8")
