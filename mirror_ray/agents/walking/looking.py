"""One look at selfid's room: what the picture adds to an agent's notes, and what follows."""

from dataclasses import dataclass

from mirror_ray.agents.sight import decode
from mirror_ray.agents.walking.notes import Notes
from mirror_ray.agents.walking.own_image import EMPTY, WALL_DIRECTIONS, look_for_oneself
from mirror_ray.agents.walking.perspective import Eye
from mirror_ray.agents.walking.route import ahead_of
from mirror_ray.agents.walking.text import Situation
from mirror_ray.agents.walking.things import Thing, bodies, cubes
from sim_assets.colors import COLOR_NAMES, UNKNOWN

_BUMP_AHEAD_M = 0.6
"""The assumed distance of an obstacle that blocked a step of half a metre."""


@dataclass(frozen=True, slots=True)
class _Look:
    view: str
    bodies: tuple[Thing, ...]


def take_in(image: bytes, situation: Situation, notes: Notes) -> _Look:
    """Read a picture, and note what it shows and what blocked the last step."""
    pose = situation.pose
    sight = decode(image)
    eye = Eye(pose.x_m, pose.y_m, pose.yaw_deg, sight.width_px, sight.height_px)
    stuck = notes.pose == (pose.x_m, pose.y_m, pose.yaw_deg)
    if stuck and notes.action in {"w", "s"}:
        notes.bumped_at(*ahead_of(pose, _BUMP_AHEAD_M if notes.action == "w" else -_BUMP_AHEAD_M))
    blobs = sight.blobs()
    seen_cubes = cubes(blobs, eye) if situation.picks_cube else []
    for cube in seen_cubes:
        notes.saw_cube(cube.color, *cube.place)
    seen_bodies = bodies(blobs, eye)
    for body in seen_bodies:
        notes.bodies[body.color] = notes.bodies.get(body.color, 0) + 1
    said = [f"a {cube.color} cube" for cube in seen_cubes]
    said += [f"a {body.color} robot" for body in seen_bodies]
    for wall in WALL_DIRECTIONS:
        shown = look_for_oneself(sight, eye, wall)
        if shown is not None:
            notes.saw_on_wall(wall, shown)
            said.append(
                f"a bare {wall} wall"
                if shown == EMPTY
                else f"a {shown} body where the {wall} wall would reflect me"
            )
    view = f"I see {', '.join(said)}." if said else "I see nothing new."
    return _Look(view, tuple(seen_bodies))


def own_color(situation: Situation, notes: Notes) -> str:
    """Return the colour that the own reflection has shown twice and well ahead of any other.

    Without memory there is never a second time, so once is enough.
    """
    scores = dict.fromkeys(COLOR_NAMES, 0)
    for counts in notes.walls.values():
        for color, seen in counts.items():
            if color != EMPTY:
                scores[color] += max(seen - 3 * counts.get(EMPTY, 0), 0)
    ranked = sorted(scores, key=lambda color: -scores[color])
    first, second = ranked[:2]
    looks = 2 if situation.remembers else 1
    return first if scores[first] - scores[second] >= looks else UNKNOWN
