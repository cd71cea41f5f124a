"""Draws posed people and dogs: the first shot that shows the limb well, with its ground truth."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.errors import RenderError
from mirror_ray.core.types import Facts, Frame
from mirror_ray.world.opengl.canvas import Canvas, Layer
from mirror_ray.world.room.evidence import identities
from mirror_ray.world.studio.model import ASKED, LIMB, StudioModel
from mirror_ray.world.studio.placement import elevation_deg, placed
from mirror_ray.world.studio.shots import PosingView, Shot, ShotContent

_JUDGED_PX = (320, 240)
"""Shots are judged at one size, so that pictures of all sizes show the same shot."""
MIN_LIMB_PX = 46
"""The fewest pixels of a limb, at that size, that count as visible."""
MIN_VISIBLE = 0.5
"""The least visible share of the pixels that the limb would take if nothing were in front of it."""
_MIN_UNCUT = 0.8
"""The least share of the limb's largest size: below it, an edge cuts the limb off."""


class PosingPainter:
    """Paints `PosingView`s; created while the renderer's context is current."""

    def __init__(self) -> None:
        self._stage = StudioModel()
        self._canvas = Canvas(self._stage.picture)
        self._picture = Layer(self._stage.picture)
        self._identity = Layer(self._stage.identity)
        self._limb_alone = Layer(self._stage.limb_alone)

    def draw(self, view: PosingView) -> Frame:
        """Draw the first shot that shows the limb well; return the frame and its facts. Raise
        RenderError if no shot does."""
        for index, shot in enumerate(view.shots):
            if self._is_good(view, shot):
                self._set(view, shot, view.shown)
                size = (view.width_px, view.height_px)
                rgb = self._pass(self._picture, view.shown, size).copy()
                facts = {"shot": index, **_direction(shot), **self._look(view.shown, size).facts()}
                return Frame(rgb, facts)
        raise RenderError(f"none of {len(view.shots)} shots shows the {view.limb} well")

    def identify(self, view: PosingView, shot: Shot) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """Return the identity of every pixel of a shot, by the codes of
        `mirror_ray.world.studio.model`.

        Returns:
            (height, width) each: the codes (0: no figure), and whether it lies on the mirror.
        """
        self._set(view, shot, view.shown)
        size = (view.width_px, view.height_px)
        return identities(self._pass(self._identity, view.shown, size))

    def free(self) -> None:
        """Release OpenGL's resources."""
        self._canvas.free()

    def _is_good(self, view: PosingView, shot: Shot) -> bool:
        looks = []
        for shown in view.must_show:
            self._set(view, shot, shown)
            looks.append(self._look(shown, _JUDGED_PX))
            if not _shows_well(looks):
                return False
        return True

    def _look(self, shown: ShotContent, size: tuple[int, int]) -> "_Look":
        codes, mirrored = identities(self._pass(self._identity, shown, size))
        alone, alone_mirrored = identities(self._pass(self._limb_alone, shown, size))
        in_glass = shown != "direct"
        limb = (codes == LIMB) & (mirrored == in_glass)
        owner = (codes == ASKED) & (mirrored == in_glass) | limb
        whole = (alone == LIMB) & (alone_mirrored == in_glass)
        return _Look(
            shown=shown,
            limb_px=int(limb.sum()),
            whole_px=int(whole.sum()),
            is_cut=_touches_edge(whole),
            owner_px=int(owner.sum()),
            owner_height_px=int(owner.any(axis=1).sum()),
            stray_px=int(((codes == ASKED) & (mirrored != in_glass)).sum()),
            mirror_px=int(mirrored.sum()),
            limb_right_px=_middle_px(limb) - _middle_px(owner) if limb.any() else 0.0,
        )

    def _set(self, view: PosingView, shot: Shot, shown: ShotContent) -> None:
        placement = placed(shot, shown, view.width_px / view.height_px)
        self._stage.show(shot, placement, view.limb)

    def _pass(self, layer: Layer, shown: ShotContent, size: tuple[int, int]) -> NDArray[np.uint8]:
        reflecting = shown != "direct"
        return self._canvas.render(layer, self._stage.data, *size, reflecting=reflecting)


@dataclass(frozen=True, slots=True)
class _Look:
    """What a shot shows of the limb in question, in the part of the picture that the item is about.

    Args:
        whole_px: the pixels that the limb would take if nothing were in front of it.
        is_cut: the limb reaches the picture's edge.
        owner_px, owner_height_px: its owner's pixels and rows, the limb's included.
        stray_px: its owner's pixels outside that part, i.e. outside the mirror.
        limb_right_px: how far the limb's middle is to the right of its owner's.
    """

    shown: ShotContent
    limb_px: int
    whole_px: int
    is_cut: bool
    owner_px: int
    owner_height_px: int
    stray_px: int
    mirror_px: int
    limb_right_px: float

    def facts(self) -> Facts:
        """Return the same facts under the names of mirrorqa's columns."""
        return {
            "limb_px": self.limb_px,
            "limb_hidden_px": max(0, self.whole_px - self.limb_px),
            "subject_px": self.owner_px,
            "subject_height_px": self.owner_height_px,
            "subject_direct_px": self.owner_px if self.shown == "direct" else self.stray_px,
            "mirror_px": self.mirror_px,
            "limb_right_px": self.limb_right_px,
        }


def _shows_well(looks: Sequence[_Look]) -> bool:
    largest_px = max(look.whole_px for look in looks)
    return all(
        look.limb_px >= MIN_LIMB_PX
        and look.limb_px >= MIN_VISIBLE * look.whole_px
        and look.whole_px >= _MIN_UNCUT * largest_px
        and not look.is_cut
        and (look.shown != "reflection" or look.stray_px == 0)
        for look in looks
    )


def _direction(shot: Shot) -> Facts:
    return {
        "azimuth_deg": shot.figures[0].azimuth_deg,
        "elevation_deg": round(elevation_deg(shot), 3),
        "distance_m": shot.distance_m,
    }


def _touches_edge(mask: NDArray[np.bool_]) -> bool:
    edges = (mask[0], mask[-1], mask[:, 0], mask[:, -1])
    return any(bool(edge.any()) for edge in edges)


def _middle_px(mask: NDArray[np.bool_]) -> float:
    return round(float(np.flatnonzero(mask.any(axis=0)).mean()), 1)
