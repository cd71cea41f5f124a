"""The pictures of an ask: every view, the evidence in it, the room from above.

Knows which pictures a moment has, by name, and how each is made; does not know how a page lays them
out, nor on which thread they are drawn.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mirror_ray.engine.film.evidence import overlay
from mirror_ray.engine.film.floor_plan import floor_plan, heading
from mirror_ray.engine.replay import Draws, Moment, drawn
from mirror_ray.types import View
from mirror_ray.world.view import EyeView

PLAN_PX = 320
_DENSITY = 2
"""Screens show more than one pixel on each of a page's."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a moment has.

    Args:
        name: ``view-1``, ``evidence-1``, … in the order of the views, or ``plan``.
        width_px, height_px: how large it is laid out.
        about: what it shows, in words.
    """

    name: str
    width_px: int
    height_px: int
    about: str


@dataclass(frozen=True, slots=True)
class Sight:
    """A view's frame, and the evidence in it where there is any."""

    frame: Picture
    evidence: Picture | None


def sights(moment: Moment) -> tuple[Sight, ...]:
    """What the model was shown, in order."""
    found = []
    for number, view in enumerate(moment.views, start=1):
        size = (view.width_px, view.height_px)
        which = f" {number}" if len(moment.views) > 1 else ""
        frame = Picture(f"view-{number}", *size, f"what the model was shown: picture{which}")
        evidence = (
            Picture(f"evidence-{number}", *size, "whose each pixel is")
            if isinstance(view, EyeView)
            else None
        )
        found.append(Sight(frame, evidence))
    return tuple(found)


def plan(moment: Moment) -> Picture | None:
    """The room from above, where the ask shows one; `about` says where the ego stands."""
    eye = _eye(moment)
    if eye is None:
        return None
    return Picture("plan", PLAN_PX, PLAN_PX, heading(eye.ego.pose))


def names(moment: Moment) -> tuple[str, ...]:
    """The names of all its pictures."""
    both = [one for sight in sights(moment) for one in (sight.frame, sight.evidence)]
    return tuple(one.name for one in (*both, plan(moment)) if one is not None)


def draw(moment: Moment, name: str, renderer: Draws) -> NDArray[np.uint8]:
    """One of `names`, (height, width, 3) uint8; KeyError for others.

    Raises:
        RenderError: it cannot be drawn.
    """
    if name not in names(moment):
        raise KeyError(name)
    kind, _, number = name.partition("-")
    eye = _eye(moment)
    if kind == "plan" and eye is not None:
        return np.asarray(floor_plan(eye, moment.way, PLAN_PX, density=_DENSITY))
    view: View = moment.views[int(number) - 1]
    if kind == "view":
        return renderer.draw(view).rgb
    seen = drawn(view, renderer)
    return seen.rgb if seen.identities is None else overlay(seen.rgb, *seen.identities).rgb


def _eye(moment: Moment) -> EyeView | None:
    return next((view for view in moment.views if isinstance(view, EyeView)), None)
