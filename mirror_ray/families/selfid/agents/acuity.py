"""Agents of known acuity: what they need to see of themselves before they know their colour.

In a glance, whose geometry they know, they examine the patch where their own image must be: how
many pixels have its colour, and how bright these are. A dimmed or small mirror reduces both. The
probability that they know their colour is a logistic function of the logarithm of one of the two.
Otherwise they name any of the ten colours; occasionally they do so even if they know."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp, log10

import numpy as np
from numpy.typing import NDArray

from mirror_ray.agents.channel import indifferent
from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError
from mirror_ray.agents.sight import decode
from mirror_ray.agents.walking.own_image import WALL_DIRECTIONS, viewpoint_of
from mirror_ray.agents.walking.perspective import Eye
from mirror_ray.agents.walking.text import WalkerDecision, read_situation, write_reply
from sim_assets.colors import COLOR_NAMES, COLORS

LAPSES = 0.04
"""How often an agent ignores what it saw."""
STEEPNESS = 12.0
"""The steepness of the logistic function, per factor of ten."""
NEEDED_PX = 400.0
NEEDED_LIGHT = 0.3

_PATCH = ((-0.05, 0.05), (0.65, 0.85))
_BODY = ((-0.35, 0.35), (0.0, 1.6))
_ALIKE = 0.25
"""The largest difference of a body's pixel from the patch, as a share of the patch."""


@dataclass(frozen=True, slots=True)
class OwnImage:
    """What a glance shows of the agent: a colour, its number of pixels, its brightness (1:
    undimmed)."""

    color: str
    seen_px: int
    light: float


def known_share(seen: float, needed: float) -> float:
    """Return the probability that an agent knows its colour."""
    if seen <= 0:
        return 0.0
    return (1 - LAPSES) / (1 + exp(-STEEPNESS * (log10(seen) - log10(needed))))


def needs_pixels(prompt: Prompt) -> str:
    """Know one's own colour with probability ½ if 400 pixels of one's image are visible."""
    return _told(prompt, lambda own: known_share(own.seen_px, NEEDED_PX))


def needs_light(prompt: Prompt) -> str:
    """Know one's own colour with probability ½ if the mirror returns 0.3 of the light."""
    return _told(prompt, lambda own: known_share(own.light, NEEDED_LIGHT))


def own_image(prompt: Prompt) -> OwnImage:
    """Return one's own image. Raise UnfamiliarPromptError if there is no picture or no faced
    wall."""
    situation = read_situation(prompt.system, prompt.user)
    if not prompt.images:
        raise UnfamiliarPromptError("no picture")
    pose, sight = situation.pose, decode(prompt.images[-1])
    eye = Eye(pose.x_m, pose.y_m, pose.yaw_deg, sight.width_px, sight.height_px)
    wall = (*WALL_DIRECTIONS,)[round(pose.yaw_deg / 90) % 4]
    off_m, (x, y) = viewpoint_of(wall, (pose.x_m, pose.y_m)).off_m, WALL_DIRECTIONS[wall]
    ahead_m, right_m = eye.seen_from((pose.x_m + 2 * off_m * x, pose.y_m + 2 * off_m * y))
    if ahead_m <= 0:
        raise UnfamiliarPromptError("no wall ahead")

    def inside(offsets_m: tuple[float, float], heights_m: tuple[float, float]) -> NDArray[np.uint8]:
        left, right = (eye.column_px(ahead_m, right_m + offset) for offset in offsets_m)
        foot, top = (eye.row_px(ahead_m, height) for height in heights_m)
        rows = slice(max(round(top), 0), max(round(foot), 0) + 1)
        return sight.rgb[rows, max(round(left), 0) : max(round(right), 0) + 1].reshape(-1, 3)

    patch = np.median(inside(*_PATCH).astype(float), axis=0)
    length = max(float(np.linalg.norm(patch)), 1.0)
    palette = np.array(list(COLORS.values())) * 255
    directions = palette / np.linalg.norm(palette, axis=1, keepdims=True)
    nearest = int((directions @ patch).argmax())
    apart = np.linalg.norm(inside(*_BODY).astype(float) - patch, axis=1)
    return OwnImage(
        COLOR_NAMES[nearest],
        int(np.count_nonzero(apart <= _ALIKE * length)),
        length / float(np.linalg.norm(palette[nearest])),
    )


def _told(prompt: Prompt, share: Callable[[OwnImage], float]) -> str:
    own = own_image(prompt)
    knows = prompt.rng.random() < share(own)
    color = own.color if knows else str(prompt.rng.choice(COLOR_NAMES))
    view = f"{own.seen_px} pixels of a body before me, {own.light:.2f} as bright as it might be."
    situation = read_situation(prompt.system, prompt.user)
    return write_reply(situation, view, WalkerDecision("done", view, color, color), view)


AGENTS: Mapping[str, Agent] = {
    "needs-pixels": indifferent(needs_pixels),
    "needs-light": indifferent(needs_light),
}
"""The agents by name."""
