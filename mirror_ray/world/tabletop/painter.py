"""Draws the card, the monkey and the screen: the frame, and the visible pixels of each."""

from copy import copy
from dataclasses import replace
from math import cos, sin, sqrt

import mujoco
import numpy as np

from mirror_ray.core.types import Facts, Frame
from mirror_ray.world.opengl.canvas import Canvas, Layer
from mirror_ray.world.tabletop.card import (
    CardView,
    around_card,
    capital_height_px,
    card_middle_m,
    eye_of,
    monkey_gap_m,
    screen_gap_m,
)
from sim_assets.lettering import lettering
from sim_assets.tabletop import CARD_TEXTURE_PX, build_tabletop

_BODIES = ("sheet", "monkey", "screen", "eye")
_LIES, _STANDS = (1.0, 0.0, 0.0, 0.0), (sqrt(0.5), sqrt(0.5), 0.0, 0.0)
_UNDER_THE_FLOOR = (0.0, 0.0, -3.0)
_SEEN_LEVEL = 38
"""Without lights GL leaves 0.3 of a colour; this is half of that, the level of a blended edge."""


class TabletopPainter:
    """Paints `CardView`s; created while the renderer's context is current."""

    def __init__(self) -> None:
        model = build_tabletop()
        self._canvas = Canvas(model)
        self._picture = Layer(model)
        self._identity = Layer(_as_identities(model))
        self._data = mujoco.MjData(model)
        self._texture = model.texture("text").id
        # Rewritten for every text; only the uploaded texture has the present one.
        first = model.tex_adr[self._texture]
        width_px, height_px = CARD_TEXTURE_PX
        self._sheet = model.tex_data[first : first + 3 * width_px * height_px].reshape(
            height_px, width_px, 3
        )
        self._mocap = {name: model.body(name).mocapid[0] for name in _BODIES}
        self._seen: dict[CardView, Facts] = {}

    def draw(self, view: CardView) -> Frame:
        """Draw the frame; its facts are ``card_px``, ``monkey_px``, ``screen_px``,
        ``text_height_px``.

        The text's height is that of a capital letter, whether the text has one or not."""
        self._arrange(view)
        self._sheet[:] = lettering(view.text, *CARD_TEXTURE_PX, view.type_size_px)[..., None]
        self._canvas.upload_texture(self._picture.model, self._texture)
        rgb = self._canvas.render(self._picture, self._data, view.width_px, view.height_px).copy()
        facts = {**self._pixels(view), "text_height_px": round(capital_height_px(view), 1)}
        return Frame(rgb, facts)

    def free(self) -> None:
        """Release OpenGL's resources."""
        self._canvas.free()

    def _arrange(self, view: CardView) -> None:
        self._data.mocap_pos[self._mocap["sheet"]] = card_middle_m(view)
        self._data.mocap_quat[self._mocap["sheet"]] = _STANDS if view.stands else _LIES
        self._place("monkey", view.monkey_deg, monkey_gap_m(view))
        screened = None if view.screen == "none" else view.monkey_deg
        self._place("screen", screened, screen_gap_m(view))
        eye = eye_of(view)
        self._data.mocap_pos[self._mocap["eye"]] = eye.place
        mujoco.mju_mat2Quat(self._data.mocap_quat[self._mocap["eye"]], eye.axes.ravel())
        for layer in (self._picture, self._identity):
            layer.model.cam_fovy[0] = eye.fov_deg
        mujoco.mj_kinematics(self._picture.model, self._data)
        mujoco.mj_camlight(self._picture.model, self._data)

    def _place(self, body: str, around_deg: int | None, gap_m: float) -> None:
        place, yaw = around_card(around_deg or 0, gap_m)
        self._data.mocap_pos[self._mocap[body]] = _UNDER_THE_FLOOR if around_deg is None else place
        self._data.mocap_quat[self._mocap[body]] = (cos(yaw / 2), 0.0, 0.0, sin(yaw / 2))

    def _pixels(self, view: CardView) -> Facts:
        key = replace(view, text="", encoding="png", type_size_px=None)
        if key not in self._seen:
            rgb = self._canvas.render(self._identity, self._data, view.width_px, view.height_px)
            counts = np.count_nonzero(rgb > _SEEN_LEVEL, axis=(0, 1)).tolist()
            self._seen[key] = dict(zip(("monkey_px", "card_px", "screen_px"), counts, strict=True))
        return self._seen[key]


def _as_identities(picture: mujoco.MjModel) -> mujoco.MjModel:
    model = copy(picture)
    model.geom_matid[:] = -1
    model.geom_rgba[:] = (0.0, 0.0, 0.0, 1.0)
    for color, body in enumerate(("monkey", "sheet", "screen")):
        members = model.geom_bodyid == model.body(body).id
        model.geom_rgba[members, color] = 1.0
    model.geom_rgba[model.geom("floor").id] = (0.0, 0.0, 0.0, 1.0)
    model.geom_rgba[model.geom("shadow").id] = 0.0
    model.light_active[:] = 0
    model.vis.headlight.active = 0
    return model
