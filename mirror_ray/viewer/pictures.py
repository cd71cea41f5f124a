"""The pictures of a request: every view, the evidence in it, and the room from above."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mirror_ray.core.types import View
from mirror_ray.replay.episode import EvidenceRenderer, ReplayStep, drawn
from mirror_ray.replay.film.evidence import overlay
from mirror_ray.replay.film.floor_plan import floor_plan, pose_text
from mirror_ray.world.room.view import EyeView

PLAN_PX = 320
_DENSITY = 2
"""Pixels per pixel of a page, because many screens have more than one device pixel for each."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture of a moment: its name, ``view-1``, ``evidence-1``, … in the order of the views, or
    ``plan``; its size on the page; and its content in words."""

    name: str
    width_px: int
    height_px: int
    about: str


@dataclass(frozen=True, slots=True)
class ShownView:
    """A view's frame, and the evidence in it if there is any."""

    frame: PagePicture
    evidence: PagePicture | None


def sights(replay_step: ReplayStep) -> tuple[ShownView, ...]:
    """Return the pictures that the model was shown, in order."""
    found = []
    for number, view in enumerate(replay_step.views, start=1):
        size = (view.width_px, view.height_px)
        which = f" {number}" if len(replay_step.views) > 1 else ""
        frame = PagePicture(f"view-{number}", *size, f"what the model was shown: picture{which}")
        evidence = (
            PagePicture(f"evidence-{number}", *size, "whose each pixel is")
            if isinstance(view, EyeView)
            else None
        )
        found.append(ShownView(frame, evidence))
    return tuple(found)


def plan_picture(replay_step: ReplayStep) -> PagePicture | None:
    """Return a plan of the room from above, if there is a room; `about` names the ego's pose."""
    if (eye := replay_step.eye) is None:
        return None
    return PagePicture("plan", PLAN_PX, PLAN_PX, pose_text(eye.ego.pose))


def names(replay_step: ReplayStep) -> tuple[str, ...]:
    """Return the names of all its pictures."""
    both = [one for sight in sights(replay_step) for one in (sight.frame, sight.evidence)]
    return tuple(one.name for one in (*both, plan_picture(replay_step)) if one is not None)


def draw_picture(
    replay_step: ReplayStep, name: str, renderer: EvidenceRenderer
) -> NDArray[np.uint8]:
    """Draw one of `names`, (height, width, 3) uint8. Raise KeyError for other names, RenderError if
    it cannot be drawn."""
    if name not in names(replay_step):
        raise KeyError(name)
    kind, _, number = name.partition("-")
    if kind == "plan" and (eye := replay_step.eye) is not None:
        return np.asarray(floor_plan(eye, replay_step.way, PLAN_PX, density=_DENSITY))
    view: View = replay_step.views[int(number) - 1]
    if kind == "view":
        return renderer.draw(view).rgb
    seen = drawn(view, renderer)
    return seen.rgb if seen.identities is None else overlay(seen.rgb, *seen.identities).rgb
