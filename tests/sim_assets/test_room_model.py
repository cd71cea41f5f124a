from importlib.resources import files
from itertools import product

import mujoco
import numpy as np
import pytest

from mirror_ray.world.room.gait import joint_angles_rad
from mirror_ray.world.room.scene import BODY_RADIUS_M
from sim_assets.room import build_room, clutter_name, cube_name, humanoid_name, is_glass


@pytest.fixture(scope="module")
def room() -> mujoco.MjModel:
    return build_room(
        side_m=6.0,
        height_m=2.5,
        reflector_width_m=2.0,
        reflector_height_m=2.0,
        humanoids=3,
        cubes=2,
        clutter=4,
    )


def test_everything_that_may_move_is_a_mocap_body(room: mujoco.MjModel) -> None:
    names = [
        *(f"{humanoid_name(i)}torso" for i in range(3)),
        *map(cube_name, range(2)),
        *map(clutter_name, range(4)),
        "reflector",
        "reflector1",
        "eye",
    ]
    assert room.nmocap == len(names)
    assert all(room.body(name).mocapid[0] >= 0 for name in names)


def test_only_the_mirror_reflects(room: mujoco.MjModel) -> None:
    shiny = [
        room.geom(i).name for i in range(room.ngeom) if room.mat_reflectance[room.geom_matid[i]] > 0
    ]
    assert all(map(is_glass, shiny))
    assert [name for name in shiny if room.geom(name).rgba[3] > 0.0] == ["mirror"]
    # MuJoCo reflects in a geom of alpha 1 alone; a plane has no edge that would frame it.
    assert room.geom("mirror").rgba[3] == 1.0
    assert room.geom("mirror").type[0] == mujoco.mjtGeom.mjGEOM_PLANE


def test_nothing_is_lit_by_the_camera_or_casts_a_shadow(room: mujoco.MjModel) -> None:
    assert not room.light_castshadow.any()
    assert not room.light_specular.any()
    assert not room.vis.headlight.diffuse.any()


@pytest.fixture(scope="module")
def humanoid() -> mujoco.MjModel:
    source = files("sim_assets").joinpath("humanoid.xml").read_text(encoding="utf-8")
    return mujoco.MjModel.from_xml_string(source)


def test_the_gait_moves_every_joint_there_is(humanoid: mujoco.MjModel) -> None:
    names = {humanoid.joint(i).name for i in range(humanoid.njnt)}
    assert set(joint_angles_rad(0.3)) == names


def test_no_limb_leaves_the_bodys_disc(humanoid: mujoco.MjModel) -> None:
    data = mujoco.MjData(humanoid)
    for phase_rad, geom in product(np.linspace(0, 2 * np.pi, 73), range(humanoid.ngeom)):
        if geom == 0:
            for name, angle in joint_angles_rad(phase_rad).items():
                data.joint(name).qpos = angle
            mujoco.mj_kinematics(humanoid, data)
        radius_m, half_m = humanoid.geom_size[geom, :2]
        if humanoid.geom_type[geom] != mujoco.mjtGeom.mjGEOM_CAPSULE:
            half_m = 0.0
        axis = data.geom_xmat[geom].reshape(3, 3)[:, 2]
        for end in (-half_m, half_m):
            x_m, y_m, _ = data.geom_xpos[geom] + end * axis
            assert np.hypot(x_m, y_m) + radius_m <= BODY_RADIUS_M


def test_the_two_halves_of_the_walk_are_mirror_images(humanoid: mujoco.MjModel) -> None:
    for phase_rad in np.linspace(0, np.pi, 7):
        first, second = joint_angles_rad(phase_rad), joint_angles_rad(phase_rad + np.pi)
        for joint in ("hip_y", "knee", "shoulder"):
            assert first[f"right_{joint}"] == pytest.approx(second[f"left_{joint}"])
