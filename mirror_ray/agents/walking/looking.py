"""One look at selfid's room: what the picture adds to an agent's notes, and what the agent
infers."""

from collections.abc import Iterable
from dataclasses import dataclass

from mirror_ray.agents.sight import Blob, decode
from mirror_ray.agents.walking.notes import Notes
from mirror_ray.agents.walking.own_image import EMPTY, WALL_DIRECTIONS, look_for_oneself
from mirror_ray.agents.walking.perspective import HALF_ROOM_M, WALKER_EYE_HEIGHT_M, Eye, FloorXY
from mirror_ray.agents.walking.route import ahead_of
from mirror_ray.agents.walking.text import Situation
from sim_assets.colors import COLOR_NAMES, UNKNOWN

CUBE_M = 0.3
_CUBE_WIDTHS_M = (0.2, 0.5)
_CUBE_LIMIT_M = HALF_ROOM_M - 0.5
"""Cubes are never nearer to a wall than this allows."""
_TALL_M = 0.9
_BODY_WIDTH_M = 0.9
_BUMP_AHEAD_M = 0.6
"""The assumed distance of an obstacle that blocked a step of half a metre."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of one colour that is on the floor of the room."""

    color: str
    place: FloorXY


def cubes(blobs: Iterable[Blob], eye: Eye) -> list[Thing]:
    """Return cubes in full view, which have the right width and height for their distance."""
    found = []
    for blob in blobs:
        place = _cube_place(blob, eye)
        if place is not None and max(abs(place[0]), abs(place[1])) <= _CUBE_LIMIT_M:
            found.append(Thing(COLOR_NAMES[blob.label], place))
    return found


def bodies(blobs: Iterable[Blob], eye: Eye) -> list[Thing]:
    """Return bodies seen directly: their feet are on the floor inside the room."""
    found = []
    for blob in blobs:
        if _cut_at_side(blob, eye) or _cut_at_foot(blob, eye):
            continue
        if blob.bottom <= eye.horizon_px + 8:
            continue
        ahead_m = eye.ahead_of_foot(blob.bottom)
        tall_m = (blob.bottom - blob.top) * ahead_m / eye.focal_px
        wide_m = (blob.right - blob.left) * ahead_m / eye.focal_px
        if tall_m < _TALL_M or wide_m > _BODY_WIDTH_M:
            continue
        place = eye.on_floor(ahead_m, _right_m(blob, eye, ahead_m))
        if max(abs(place[0]), abs(place[1])) < HALF_ROOM_M:
            found.append(Thing(COLOR_NAMES[blob.label], place))
    return found


def _cube_place(blob: Blob, eye: Eye) -> FloorXY | None:
    if _cut_at_side(blob, eye) or blob.top <= eye.horizon_px + 8:
        return None
    # The topmost pixel is the far corner of the top face, 1 to √2 edge lengths behind the front.
    far_m = (WALKER_EYE_HEIGHT_M - CUBE_M) * eye.focal_px / (blob.top - eye.horizon_px)
    centre_m = far_m - 0.6 * CUBE_M
    if not _cut_at_foot(blob, eye):
        front_m = eye.ahead_of_foot(blob.bottom)
        slack_m = 0.12 * front_m
        if not CUBE_M - slack_m <= far_m - front_m <= CUBE_M * 1.5 + slack_m:
            return None
        centre_m = (front_m + far_m) / 2
    wide_m = (blob.right - blob.left) * centre_m / eye.focal_px
    if not _CUBE_WIDTHS_M[0] <= wide_m <= _CUBE_WIDTHS_M[1] + 0.1 * centre_m:
        return None
    return eye.on_floor(centre_m, _right_m(blob, eye, centre_m))


def _right_m(blob: Blob, eye: Eye, ahead_m: float) -> float:
    return ((blob.left + blob.right) / 2 - eye.width_px / 2) * ahead_m / eye.focal_px


def _cut_at_side(blob: Blob, eye: Eye) -> bool:
    return blob.left <= 1 or blob.right >= eye.width_px - 1


def _cut_at_foot(blob: Blob, eye: Eye) -> bool:
    return blob.bottom >= eye.height_px - 1


@dataclass(frozen=True, slots=True)
class _Look:
    view: str
    bodies: tuple[Thing, ...]


def take_in(image: bytes, situation: Situation, notes: Notes) -> _Look:
    """Read a picture; note what it shows, and what blocked the last step."""
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
    """Return the colour that the agent's reflection has shown twice and far more often than any
    other.

    Without memory there is never a second time, so once is enough."""
    scores = dict.fromkeys(COLOR_NAMES, 0)
    for counts in notes.walls.values():
        for color, seen in counts.items():
            if color != EMPTY:
                scores[color] += max(seen - 3 * counts.get(EMPTY, 0), 0)
    ranked = sorted(scores, key=lambda color: -scores[color])
    first, second = ranked[:2]
    looks = 2 if situation.remembers else 1
    return first if scores[first] - scores[second] >= looks else UNKNOWN
