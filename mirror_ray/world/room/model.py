"""The room model prepared for a view: a scene's colours, sizes and places written into arrays.

There are two copies of one model, which differ only in colour: appearance and identities. A hidden
thing has alpha 0, which removes it from both."""

from collections.abc import Sequence
from math import cos, radians, sin

import mujoco
import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.room.camera import (
    eye_axes,
    eye_position,
    glass_frame,
    reflector_axes,
    reflector_centre,
)
from mirror_ray.world.room.evidence import CLUTTER, EGO, FIRST_CUBE, FIRST_OTHER, identity_rgba
from mirror_ray.world.room.gait import joint_angles_rad
from mirror_ray.world.room.scene import (
    GLASS_SIDES_M,
    MAX_CLUTTER,
    MAX_CUBES,
    MAX_OTHERS,
    REFLECTOR_HEIGHT_M,
    REFLECTOR_WIDTH_M,
    ROOM_SIDE_M,
    WALL_HEIGHT_M,
    Box,
    Glass,
    Scene,
    Wall,
)
from mirror_ray.world.room.unlit import CLEAR, unlit
from mirror_ray.world.room.view import EyeView, Stance
from sim_assets.colors import CLUTTER_TONES, COLORS, COVER_TONE, WALL_TONES
from sim_assets.look import Look
from sim_assets.room import (
    REFLECTORS,
    SLATS,
    build_room,
    clutter_name,
    cube_name,
    glass_name,
    humanoid_name,
    reflector_name,
    slat_name,
)

_PAINTS = COLORS | CLUTTER_TONES
# Nothing quite touches the floor: for an edge in the floor's plane, rounding would decide its
# pixels.
_CLEARANCE_M = 0.001


class RoomModel:
    """The model that serves every scene of one look."""

    def __init__(self, look: Look = "plain") -> None:
        self.picture = build_room(
            look=look,
            smaller_sides_m=GLASS_SIDES_M[1:],
            side_m=ROOM_SIDE_M,
            height_m=WALL_HEIGHT_M,
            reflector_width_m=REFLECTOR_WIDTH_M,
            reflector_height_m=REFLECTOR_HEIGHT_M,
            humanoids=1 + MAX_OTHERS,
            cubes=MAX_CUBES,
            clutter=MAX_CLUTTER,
        )
        self.identity = unlit(self.picture)
        self.data = mujoco.MjData(self.picture)
        self._humanoids = [_Humanoid(self.picture, index) for index in range(1 + MAX_OTHERS)]
        self._cubes = [_BoxThing(self.picture, cube_name(index)) for index in range(MAX_CUBES)]
        self._clutter = [
            _BoxThing(self.picture, clutter_name(index)) for index in range(MAX_CLUTTER)
        ]
        self._reflectors = [_Reflector(self.picture, index) for index in range(REFLECTORS)]
        self._panel = self.picture.geom("panel").id
        self._eye_mocap = self.picture.body("eye").mocapid[0]

    def show(self, view: EyeView, in_view: Sequence[bool]) -> None:
        """Write a view's scene, stances and camera into the arrays. `in_view` says, for the ego and
        then each other body, whether it has to be drawn at all."""
        scene = view.scene
        self._show_reflector(scene)
        self._show_boxes(self._cubes, scene.cubes, [FIRST_CUBE + i for i in range(MAX_CUBES)])
        self._show_boxes(self._clutter, scene.clutter, [CLUTTER] * MAX_CLUTTER)
        self._show_bodies(scene, (view.ego, *view.others), in_view)
        self._place(self._eye_mocap, eye_position(view.ego.pose), eye_axes(view.ego.pose))
        for model in (self.picture, self.identity):
            model.cam_fovy[0] = view.fov_deg
        mujoco.mj_kinematics(self.picture, self.data)
        mujoco.mj_camlight(self.picture, self.data)

    def _show_reflector(self, scene: Scene) -> None:
        wall, walls = scene.reflector_wall, scene.glass_walls
        for index, reflector in enumerate(self._reflectors):
            self._show_glass(reflector, scene.glass, walls[index] if index < len(walls) else None)
        if not walls:
            self._place(self._reflectors[0].mocap, reflector_centre(wall), reflector_axes(wall))
        self.picture.geom_rgba[self._panel, :3] = (
            COVER_TONE if scene.reflector == "cover" else WALL_TONES[wall]
        )
        # Under a lamp its shading would differ visibly from the wall's.
        is_shown = scene.reflector == "cover" or (not walls and scene.look == "plain")
        self.picture.geom_rgba[self._panel, 3] = float(is_shown)

    def _show_glass(self, reflector: "_Reflector", glass: Glass, wall: Wall | None) -> None:
        half_m = glass.side_m / 2
        for model in (self.picture, self.identity):
            for side_m, geom in reflector.glasses.items():
                model.geom_rgba[geom, 3] = float(wall is not None and side_m == glass.side_m)
            model.geom_rgba[reflector.slats, 3] = float(wall is not None and glass.cover > 0.0)
            model.geom_size[reflector.slats, :2] = half_m / SLATS * glass.cover, half_m
        if wall is not None:
            self._place(reflector.mocap, *glass_frame(wall, glass))
            self.picture.geom_rgba[reflector.slats, :3] = COVER_TONE
            self.picture.geom_pos[reflector.slats, 0] = reflector.spread * glass.side_m

    def _show_boxes(
        self, things: Sequence["_Thing"], boxes: Sequence[Box], codes: Sequence[int]
    ) -> None:
        for thing, code, box in zip(things, codes, boxes, strict=False):
            self._paint(thing.geoms, box.color, code)
            half = (box.width_m / 2, box.depth_m / 2, box.height_m / 2)
            for model in (self.picture, self.identity):
                model.geom_size[thing.geoms] = half
            self.data.mocap_pos[thing.mocap] = (box.x_m, box.y_m, half[2] + _CLEARANCE_M)
            self.data.mocap_quat[thing.mocap] = _upright(box.yaw_deg)
        for thing in things[len(boxes) :]:
            self._hide(thing.geoms)

    def _show_bodies(
        self, scene: Scene, stances: Sequence[Stance], in_view: Sequence[bool]
    ) -> None:
        colors = (scene.ego.color, *(other.color for other in scene.others))
        for humanoid in self._humanoids:
            self._hide(humanoid.geoms)
        shown = [index for index, seen in enumerate(in_view) if seen]
        for index in shown:
            humanoid, stance, color = self._humanoids[index], stances[index], colors[index]
            self._paint(humanoid.geoms, color, EGO if index == 0 else FIRST_OTHER + index - 1)
            angles = joint_angles_rad(stance.phase_rad)
            self.data.qpos[humanoid.joints] = [angles[name] for name in humanoid.joint_names]
            self.data.mocap_pos[humanoid.mocap] = (stance.pose.x_m, stance.pose.y_m, 0.0)
            self.data.mocap_quat[humanoid.mocap] = _upright(stance.pose.yaw_deg)
        mujoco.mj_kinematics(self.picture, self.data)
        for humanoid in (self._humanoids[index] for index in shown):
            lowest_m = self.data.geom_xpos[humanoid.feet, 2].min() - humanoid.foot_radius_m
            self.data.mocap_pos[humanoid.mocap, 2] = _CLEARANCE_M - lowest_m

    def _paint(self, geoms: slice, color: str, code: int) -> None:
        self.picture.geom_rgba[geoms] = (*_PAINTS[color], 1.0)
        self.identity.geom_rgba[geoms] = identity_rgba(code)

    def _hide(self, geoms: slice) -> None:
        for model in (self.picture, self.identity):
            model.geom_rgba[geoms] = CLEAR

    def _place(
        self,
        mocap: int,
        position: tuple[float, float, float] | NDArray[np.float64],
        axes: NDArray[np.float64],
    ) -> None:
        self.data.mocap_pos[mocap] = position
        mujoco.mju_mat2Quat(self.data.mocap_quat[mocap], axes.ravel())


class _Reflector:
    """The array positions of a mirror, its glass in every size, and its slats."""

    def __init__(self, model: mujoco.MjModel, index: int) -> None:
        self.mocap = model.body(reflector_name(index)).mocapid[0]
        names = {side_m: glass_name(index, side_m) for side_m in GLASS_SIDES_M}
        if index == 0:
            names[GLASS_SIDES_M[0]] = "mirror"
        self.glasses = {side_m: model.geom(name).id for side_m, name in names.items()}
        first = model.geom(slat_name(index, 0)).id
        self.slats = slice(first, first + SLATS)
        # The middles of the slats, as shares of the glass's width.
        self.spread = (np.arange(SLATS) + 0.5) / SLATS - 0.5


class _Thing:
    def __init__(self, model: mujoco.MjModel, body: str, geoms: slice) -> None:
        self.geoms = geoms
        self.mocap = int(model.body(body).mocapid[0])


class _BoxThing(_Thing):
    def __init__(self, model: mujoco.MjModel, name: str) -> None:
        geom = model.geom(name).id
        super().__init__(model, name, slice(geom, geom + 1))


class _Humanoid(_Thing):
    def __init__(self, model: mujoco.MjModel, index: int) -> None:
        prefix = humanoid_name(index)
        geoms = [i for i in range(model.ngeom) if model.geom(i).name.startswith(prefix)]
        joints = [i for i in range(model.njnt) if model.joint(i).name.startswith(prefix)]
        feet = [model.geom(f"{prefix}{side}_foot") for side in ("right", "left")]
        super().__init__(model, f"{prefix}torso", slice(geoms[0], geoms[-1] + 1))
        self.joint_names = [model.joint(i).name.removeprefix(prefix) for i in joints]
        self.joints = slice(model.jnt_qposadr[joints[0]], model.jnt_qposadr[joints[-1]] + 1)
        self.feet = [foot.id for foot in feet]
        self.foot_radius_m = float(feet[0].size[0])


def _upright(yaw_deg: float) -> tuple[float, float, float, float]:
    half = radians(yaw_deg) / 2
    return cos(half), 0.0, 0.0, sin(half)
