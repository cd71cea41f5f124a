"""An agent that remembers what it saw only through the pictures sent to it.

It is sure of its colour once two pictures of one prompt show it in its own place; a single picture
never convinces it. In words it remembers only where it was."""

from mirror_ray.agents.prompt import Prompt
from mirror_ray.agents.sight import decode
from mirror_ray.agents.walking.explorer import explore
from mirror_ray.agents.walking.notes import Notes
from mirror_ray.agents.walking.own_image import EMPTY, WALL_DIRECTIONS, look_for_oneself
from mirror_ray.agents.walking.perspective import Eye
from mirror_ray.agents.walking.text import Situation
from sim_assets.colors import UNKNOWN

_AGREEING = 2
_PLACES_KEPT = 7
"""With the current place, as many as the most pictures that are sent."""


def comparer(prompt: Prompt) -> str:
    """Take the colour that two of the pictures agree on, and keep it."""

    def believe(situation: Situation, notes: Notes) -> str:
        here = situation.pose
        notes.trail = [*notes.trail, (here.x_m, here.y_m, here.yaw_deg)]
        if not notes.choice:
            notes.choice = _agreed(prompt.images, notes.trail)
        notes.trail = notes.trail[-_PLACES_KEPT:]
        return notes.choice or UNKNOWN

    return explore(prompt, believe)


def _agreed(images: tuple[bytes, ...], places: list[tuple[float, float, float]]) -> str:
    """Return the agent's colour that enough pictures show in front of any wall; else ""."""
    shown: dict[str, int] = {}
    for image, place in zip(reversed(images), reversed(places), strict=False):
        sight = decode(image)
        eye = Eye(*place, sight.width_px, sight.height_px)
        seen = {look_for_oneself(sight, eye, wall) for wall in WALL_DIRECTIONS} - {None, EMPTY}
        for color in seen:
            shown[str(color)] = shown.get(str(color), 0) + 1
    best = max(sorted(shown), key=lambda color: shown[color], default="")
    return best if shown.get(best, 0) >= _AGREEING else ""
