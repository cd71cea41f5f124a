"""The reaching room's model prepared for a view: poses, colours and sizes written into arrays.

There are two copies of one model, which differ only in colour: appearance and identities."""

from dataclasses import dataclass
from math import radians

import mujoco
import numpy as np
from numpy.typing import NDArray

from mirror_ray.world.reaching.body import (
    EYE_M,
    GLASS_X_M,
    LEFT_HAND_M,
    OTHER_X_M,
    REACH_M,
    SHOULDER_Y_M,
    SHOULDER_Z_M,
    TORSO_Z_M,
    Point,
)
from mirror_ray.world.reaching.scene import (
    MIRROR_HALF_HEIGHT_M,
    MIRROR_HALF_WIDTH_M,
    MIRROR_Z_M,
    REACHING_FOV_DEG,
    MarkScene,
    Person,
    ReachView,
    mark_spot,
)
from mirror_ray.world.room.camera import reflector_axes
from mirror_ray.world.room.evidence import identity_rgba
from mirror_ray.world.room.scene import ROOM_SIDE_M, WALL_HEIGHT_M
from mirror_ray.world.room.unlit import CLEAR, unlit
from sim_assets.colors import COLORS, WALL_TONES
from sim_assets.figures import DARK, FRAME_TONE, LOOKS, Rgb, paint_of, person_name
from sim_assets.reaching_room import SEGMENTS, build_reaching_room, hand_name, segment_name

UPPER_ARM_M, FOREARM_M = 0.32, 0.34
_SIDES = {"left": 1.0, "right": -1.0}
MARK, OWN, RIGHT_ARM, LEFT_ARM, OTHER, FRAME = 1, 2, 3, 4, 5, 20
"""Identities of pixels; that of one's own body excludes its arms."""

_WORN = frozenset({"glove", "boot", "sock"})
_ARM_PARTS = ("uarm1", "larm", "hand")
_OWN, _OTHER = 0, 1


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight part of an arm: its middle, (3,) metres, its unit direction, and its length."""

    middle_m: NDArray[np.float64]
    direction: NDArray[np.float64]
    length_m: float


def arm_to(side: str, hand_m: Point) -> tuple[Segment, Segment]:
    """Return upper arm and forearm of the left or right arm; they do not reach a hand out of
    reach."""
    outward = _SIDES[side]
    shoulder = np.array([0.0, outward * SHOULDER_Y_M, SHOULDER_Z_M])
    span = np.array(hand_m) - shoulder
    distance_m = min(float(np.linalg.norm(span)), REACH_M)
    along = span / np.linalg.norm(span)
    to_foot_m = (UPPER_ARM_M**2 - FOREARM_M**2 + distance_m**2) / (2 * distance_m)
    out_m = np.sqrt(max(0.0, UPPER_ARM_M**2 - to_foot_m**2))
    pole = np.array([-0.2, outward, -0.9])
    pole -= (pole @ along) * along
    elbow = shoulder + to_foot_m * along + out_m * pole / np.linalg.norm(pole)
    return _between(shoulder, elbow), _between(elbow, np.array(hand_m))


def _between(start: NDArray[np.float64], end: NDArray[np.float64]) -> Segment:
    length_m = float(np.linalg.norm(end - start))
    return Segment((start + end) / 2, (end - start) / length_m, length_m)


class ReachingModel:
    """The one model that serves every view.

    Args:
        eye_m: the camera's place.
        axes: (3, 3) its right, up and backward; ahead by default.
        fov_deg: its vertical field of view.
    """

    def __init__(
        self,
        eye_m: Point = EYE_M,
        axes: NDArray[np.float64] | None = None,
        fov_deg: float = REACHING_FOV_DEG,
    ) -> None:
        self.picture = build_reaching_room(
            side_m=ROOM_SIDE_M,
            height_m=WALL_HEIGHT_M,
            reflector_width_m=2 * MIRROR_HALF_WIDTH_M,
            reflector_height_m=2 * MIRROR_HALF_HEIGHT_M,
            people=2,
        )
        self.identity = unlit(self.picture)
        self.data = mujoco.MjData(self.picture)
        model = self.picture
        self._people = [_geoms_of(model, person_name(index)) for index in (_OWN, _OTHER)]
        self._glass, self._panel = model.geom("mirror").id, model.geom("panel").id
        self._frame = [model.geom(f"frame{index}").id for index in range(4)]
        self._mark = model.geom("mark").id
        for fixed in (self.picture, self.identity):
            fixed.cam_fovy[0] = fov_deg
        self._place("eye", eye_m, _AHEAD if axes is None else axes)
        self._place("reflector", (GLASS_X_M, 0.0, MIRROR_Z_M), reflector_axes("east"))
        self._stand(_OWN, 0.0, 0.0)
        self._stand(_OTHER, OTHER_X_M, 180.0)
        self._hold("left", LEFT_HAND_M)

    def show(self, view: ReachView) -> None:
        """Write a view into the arrays."""
        scene = view.scene
        self._show_reflector(scene)
        self._dress(_OWN, scene.own, OWN, has_arms=False)
        self._dress(_OTHER, scene.other, OTHER, has_arms=True)
        self._dress_arms(scene.own)
        self._hold("right", view.hand.point_m)
        self._show_mark(scene)
        mujoco.mj_kinematics(self.picture, self.data)
        mujoco.mj_camlight(self.picture, self.data)

    def _show_reflector(self, scene: MarkScene) -> None:
        is_there, is_glass = scene.reflector != "none", scene.reflector == "mirror"
        for model in (self.picture, self.identity):
            model.geom_rgba[self._glass, 3] = float(is_glass)
        self.picture.geom_rgba[self._panel] = (
            *WALL_TONES["east"],
            float(is_there and not is_glass),
        )
        self._paint(self._frame, FRAME_TONE if is_there else None, FRAME)

    def _show_mark(self, scene: MarkScene) -> None:
        spot = mark_spot(scene)
        self._paint([self._mark], COLORS[scene.mark_color] if spot else None, MARK)
        if spot is not None:
            self._place("mark", spot.middle_m, _axes_along(np.array(spot.normal)))

    def _dress(self, person: int, look: Person | None, code: int, *, has_arms: bool) -> None:
        for name, geom in self._people[person].items():
            paint = paint_of(name)
            is_shown = look is not None and paint not in _WORN
            if not has_arms and name.partition("_")[2] in _ARM_PARTS:
                is_shown = False
            self._paint([geom], _paints_of(look)[paint] if is_shown and look else None, code)

    def _dress_arms(self, look: Person) -> None:
        paints = _paints_of(look)
        for side, code in (("left", LEFT_ARM), ("right", RIGHT_ARM)):
            for segment in SEGMENTS:
                geom = self.picture.geom(segment_name(side, segment)).id
                self._paint([geom], paints["shirt"], code)
            glove = look.glove if side == "right" else None
            skin = paints["skin"] if glove is None else COLORS[glove]
            self._paint([self.picture.geom(hand_name(side)).id], skin, code)

    def _hold(self, side: str, hand_m: tuple[float, float, float]) -> None:
        for name, segment in zip(SEGMENTS, arm_to(side, hand_m), strict=True):
            self._lay(segment_name(side, name), segment)
        self._place(hand_name(side), hand_m, np.eye(3))

    def _lay(self, name: str, segment: Segment) -> None:
        self._place(name, segment.middle_m, _axes_along(segment.direction))
        for model in (self.picture, self.identity):
            model.geom_size[model.geom(name).id, 1] = segment.length_m / 2

    def _stand(self, person: int, x_m: float, yaw_deg: float) -> None:
        half = radians(yaw_deg) / 2
        mocap = self._mocap(f"{person_name(person)}torso")
        self.data.mocap_pos[mocap] = (x_m, 0.0, TORSO_Z_M)
        self.data.mocap_quat[mocap] = (np.cos(half), 0.0, 0.0, np.sin(half))

    def _place(
        self,
        body: str,
        place: tuple[float, float, float] | NDArray[np.float64],
        axes: NDArray[np.float64],
    ) -> None:
        mocap = self._mocap(body)
        self.data.mocap_pos[mocap] = place
        mujoco.mju_mat2Quat(self.data.mocap_quat[mocap], axes.ravel())

    def _paint(self, geoms: list[int], color: Rgb | None, code: int) -> None:
        self.picture.geom_rgba[geoms] = CLEAR if color is None else (*color, 1.0)
        self.identity.geom_rgba[geoms] = CLEAR if color is None else identity_rgba(code)

    def _mocap(self, body: str) -> int:
        return int(self.picture.body(body).mocapid[0])


_AHEAD = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
"""Right, up and backward vectors of an eye that looks east."""


def _geoms_of(model: mujoco.MjModel, prefix: str) -> dict[str, int]:
    names = (model.geom(index).name for index in range(model.ngeom))
    return {
        name.removeprefix(prefix): index
        for index, name in enumerate(names)
        if name.startswith(prefix)
    }


def _paints_of(look: Person) -> dict[str, Rgb]:
    return {**LOOKS[look.look], "shirt": COLORS[look.shirt], "eye": DARK, "shoe": DARK}


def _axes_along(direction: NDArray[np.float64]) -> NDArray[np.float64]:
    helper = np.array([0.0, 0.0, 1.0]) if abs(direction[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    first = np.cross(helper, direction)
    first /= np.linalg.norm(first)
    return np.column_stack([first, np.cross(direction, first), direction])
