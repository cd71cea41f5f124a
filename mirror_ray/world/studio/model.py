"""The posing room's model prepared for a shot: poses, colours and places written into arrays.

There are three copies of one model: appearance, identities, and only the limb in question."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import cos, radians, sin
from typing import Any

import mujoco

from mirror_ray.world.room.camera import reflector_axes
from mirror_ray.world.room.evidence import identity_rgba
from mirror_ray.world.room.scene import ROOM_SIDE_M, WALL_HEIGHT_M, Pose
from mirror_ray.world.room.unlit import CLEAR, unlit
from mirror_ray.world.studio.placement import Placement, WallMirror
from mirror_ray.world.studio.shots import MAX_DOGS, MAX_PEOPLE, Shot, StudioFigure
from sim_assets.colors import COLORS
from sim_assets.figures import (
    COATS,
    DARK,
    FRAME_TONE,
    LIMB_GEOMS,
    LOOKS,
    Rgb,
    dog_name,
    paint_of,
    person_name,
)
from sim_assets.posing_room import FRAME_WIDTH_M, build_posing_room

_OUTWARD = {"left": 1.0, "right": -1.0}
LIMB, ASKED, FIRST_OTHER, FRAME = 1, 2, 3, 20
"""Identities: the limb in question, the rest of its owner, other figures, the mirror's frame."""

_CLEARANCE_M = 0.001
_OVERLAYS = frozenset({"glove", "boot", "sock"})
_PAWS = tuple(f"leg_{side}_{end}_paw" for side in ("left", "right") for end in ("front", "rear"))


@dataclass(frozen=True, slots=True)
class LimbPose:
    """The differences from standing still: joint → angle, or 0; body → turn about the figure's own
    forward axis."""

    joints_rad: Mapping[str, float] = field(default_factory=dict)
    turned_rad: Mapping[str, float] = field(default_factory=dict)


def limb_pose(raised: str | None) -> LimbPose:
    """Return the pose of a figure that raises this limb, e.g. ``left hand``; None raises none."""
    if raised is None:
        return LimbPose()
    side, *rest = raised.split()
    outward = _OUTWARD[side]
    match rest:
        case ["hand"]:
            return LimbPose(turned_rad={f"{side}_shoulder": 2.6 * outward})
        case ["leg"]:
            joints = {f"{side}_hip_y": -1.15, f"{side}_knee": -1.25}
            return LimbPose(joints, {f"{side}_thigh": 0.45 * outward})
        case [end, "leg"]:
            bend = {"front": (-0.65, 0.3), "rear": (0.65, 0.25)}[end]
            leg = f"{side}_{end}"
            return LimbPose({f"{leg}_hip": bend[0], f"{leg}_knee": bend[1]}, {leg: 1.2 * outward})
    raise ValueError(f"no pose raises {raised!r}")


class StudioModel:
    """The one model that serves every shot."""

    def __init__(self) -> None:
        self.picture = build_posing_room(
            side_m=ROOM_SIDE_M,
            height_m=WALL_HEIGHT_M,
            reflector_width_m=2.0,
            reflector_height_m=2.0,
            people=MAX_PEOPLE,
            dogs=MAX_DOGS,
        )
        self.identity = unlit(self.picture)
        self.limb_alone = unlit(self.picture)
        self._all = (self.picture, self.identity, self.limb_alone)
        self.data = mujoco.MjData(self.picture)
        people = [person_name(index) for index in range(MAX_PEOPLE)]
        dogs = [dog_name(index) for index in range(MAX_DOGS)]
        model = self.picture
        self._casts = {
            "person": [_Cast(model, name, "torso", ("left_foot", "right_foot")) for name in people],
            "dog": [_Cast(model, name, "dog", _PAWS) for name in dogs],
        }
        self._glass = model.geom("mirror").id
        self._frame = [model.geom(f"frame{index}").id for index in range(4)]
        self._reflector_mocap = int(model.body("reflector").mocapid[0])
        self._eye_mocap = int(model.body("eye").mocapid[0])
        self._rest_quat = model.body_quat.copy()
        self.picture.geom_rgba[model.geom("panel").id] = CLEAR
        self.picture.geom_rgba[self._frame, :3] = FRAME_TONE
        self.identity.geom_rgba[self._frame] = identity_rgba(FRAME)

    def show(self, shot: Shot, placement: Placement, limb: str) -> None:
        """Write a placed shot into the arrays; `limb` is the first figure's limb in question."""
        self._show_glass(placement.glass)
        self._clear_figures()
        free = {kind: iter(casts) for kind, casts in self._casts.items()}
        casts = [next(free[figure.kind]) for figure in shot.figures]
        self.picture.body_quat[:] = self._rest_quat
        self.data.qpos[:] = 0.0
        for index, (cast, figure) in enumerate(zip(casts, shot.figures, strict=True)):
            self._dress(cast, figure, ASKED if index == 0 else FIRST_OTHER + index - 1)
            self._pose(cast, figure, placement.poses[index])
        for name in LIMB_GEOMS[limb]:
            for model in (self.identity, self.limb_alone):
                model.geom_rgba[casts[0].geoms[name]] = identity_rgba(LIMB)
        mujoco.mj_kinematics(self.picture, self.data)
        for cast in casts:
            lowest_m = self.data.geom_xpos[cast.feet, 2].min() - cast.sole_m
            self.data.mocap_pos[cast.mocap, 2] += _CLEARANCE_M - lowest_m
        self.data.mocap_pos[self._eye_mocap] = placement.eye_m
        mujoco.mju_mat2Quat(self.data.mocap_quat[self._eye_mocap], placement.axes.ravel())
        for model in self._all:
            model.cam_fovy[0] = placement.fov_deg
        mujoco.mj_kinematics(self.picture, self.data)
        mujoco.mj_camlight(self.picture, self.data)

    def _show_glass(self, glass: WallMirror | None) -> None:
        for model in self._all:
            model.geom_rgba[self._glass, 3] = float(glass is not None)
        for model in (self.picture, self.identity):
            model.geom_rgba[self._frame, 3] = float(glass is not None)
        if glass is None:
            return
        self.data.mocap_pos[self._reflector_mocap] = (ROOM_SIDE_M / 2, glass.y_m, glass.z_m)
        mujoco.mju_mat2Quat(
            self.data.mocap_quat[self._reflector_mocap], reflector_axes("east").ravel()
        )
        wide, high, bar = glass.half_width_m, glass.half_height_m, FRAME_WIDTH_M / 2
        places = [(-wide - bar, 0.0), (wide + bar, 0.0), (0.0, -high - bar), (0.0, high + bar)]
        sizes = [(bar, high + 2 * bar)] * 2 + [(wide, bar)] * 2
        # Positions come from the kinematics of the appearance model; each model has its own sizes.
        self.picture.geom_pos[self._frame, :2] = places
        for model in self._all:
            model.geom_size[self._glass, :2] = (wide, high)
            model.geom_size[self._frame, :2] = sizes

    def _clear_figures(self) -> None:
        for casts in self._casts.values():
            for cast in casts:
                for model in self._all:
                    model.geom_rgba[list(cast.geoms.values())] = CLEAR

    def _dress(self, cast: "_Cast", figure: StudioFigure, code: int) -> None:
        worn = LIMB_GEOMS[figure.worn] if figure.worn else ()
        paints = _paints_of(figure)
        for name, geom in cast.geoms.items():
            paint = paint_of(name)
            if paint in _OVERLAYS and name not in worn:
                continue
            self.picture.geom_rgba[geom] = (*paints[paint], 1.0)
            self.identity.geom_rgba[geom] = identity_rgba(code)

    def _pose(self, cast: "_Cast", figure: StudioFigure, pose: Pose) -> None:
        limbs = limb_pose(figure.raised)
        for joint, angle_rad in limbs.joints_rad.items():
            self.data.qpos[cast.joints[joint]] = angle_rad
        for body, angle_rad in limbs.turned_rad.items():
            half = angle_rad / 2
            self.picture.body_quat[cast.bodies[body]] = (cos(half), sin(half), 0.0, 0.0)
        half = radians(pose.yaw_deg) / 2
        self.data.mocap_pos[cast.mocap] = (pose.x_m, pose.y_m, 0.0)
        self.data.mocap_quat[cast.mocap] = (cos(half), 0.0, 0.0, sin(half))


class _Cast:
    def __init__(
        self, model: mujoco.MjModel, prefix: str, root: str, feet: tuple[str, ...]
    ) -> None:
        def named(count: int, of: Callable[[int], Any]) -> dict[str, int]:
            names = {of(index).name: index for index in range(count)}
            return {
                name.removeprefix(prefix): index
                for name, index in names.items()
                if name.startswith(prefix)
            }

        self.geoms = named(model.ngeom, model.geom)
        self.bodies = named(model.nbody, model.body)
        self.joints = {
            name: int(model.jnt_qposadr[index])
            for name, index in named(model.njnt, model.joint).items()
        }
        self.mocap = int(model.body(prefix + root).mocapid[0])
        self.feet = [self.geoms[foot] for foot in feet]
        size = model.geom_size[self.feet[0]]
        # A sphere has one size, an ellipsoid three.
        self.sole_m = float(size[2] or size[0])


def _paints_of(figure: StudioFigure) -> dict[str, Rgb]:
    worn = COLORS[figure.worn_color] if figure.worn_color else DARK
    overlays = dict.fromkeys(_OVERLAYS, worn)
    if figure.kind == "dog":
        coat = COATS[figure.color]
        ear: Rgb = (0.72 * coat[0], 0.72 * coat[1], 0.72 * coat[2])
        return {"coat": coat, "leg": coat, "ear": ear, "dark": DARK, **overlays}
    look = LOOKS[figure.look]
    return {**look, "shirt": COLORS[figure.color], "eye": DARK, "shoe": DARK, **overlays}
