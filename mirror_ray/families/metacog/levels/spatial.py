"""Spatial questions at ten levels: five subcategories."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from math import isqrt

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft
from mirror_ray.families.metacog.bank.words import NAMES, THINGS, Template, one_of, question_texts
from mirror_ray.families.metacog.levels.orders import ORDINAL_WORDS, clues_for, told, told_apart

_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
COMPASS_STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
_T = question_texts(__name__)


def _relative_positioning(d: Draws, level: int) -> Draft:
    n = 3 + (level + 1) // 2
    place, how = d.integer(0, n - 1), d.integer(0, 2)
    row = d.sample(THINGS, n)
    clues = clues_for(d, n, level)
    words = [told(clue, row, _T["clues"], d) for clue in clues]
    shown = "; ".join(d.shuffled(words))
    lead = _T.say("row", objects=", ".join(sorted(row)), n=n, clues=shown)
    if how == 0:
        return _T.draft(
            "at_place", keys.text(row[place], row), lead=lead, place=ORDINAL_WORDS[place]
        )
    known_apart = told_apart(clues)
    apart = [i for i in range(n) if i != place and frozenset((i, place)) not in known_apart]
    if how == 1 or not apart:
        return _T.draft("place_of", place + 1, lead=lead, one=row[place])
    other = d.pick(apart)
    return _T.draft(
        "n_between", abs(place - other) - 1, lead=lead, one=row[place], other=row[other]
    )


def _rectangles(d: Draws, level: int) -> Draft:
    n = 1 + (level + 1) // 2
    boxes = []
    for _ in range(n):
        x, y = d.integer(0, 9), d.integer(0, 8)
        boxes.append((x, y, x + d.integer(2, 5 + level // 2), y + d.integer(2, 6 + level // 2)))
    cells = Counter(
        (x, y)
        for left, low, right, high in boxes
        for x in range(left, right)
        for y in range(low, high)
    )
    times = d.integer(1, 2) if n > 1 else 1
    often = ("once", "twice")[times - 1]
    ask, area = d.pick(
        (
            (f"at least {often}", sum(count >= times for count in cells.values())),
            (f"exactly {often}", sum(count == times for count in cells.values())),
        )
    )
    listed = "; ".join(_T["from_to"].format(*box) for box in boxes)
    whole = _T["one_rectangle"] if n == 1 else _T.say("rectangles", n=n)
    return _T.draft("painted", area, whole=whole, boxes=listed, ask=ask)


def _outline(d: Draws, level: int) -> Draft:
    """Ask about a stepped outline of adjacent columns with different heights."""
    n = 2 + (level + 1) // 2
    columns = [(d.integer(2, 6 + level), d.integer(2, 9 + level)) for _ in range(n)]
    for i in range(1, n):
        if columns[i][1] == columns[i - 1][1]:
            columns[i] = (columns[i][0], columns[i][1] + 1)
    words = "; then ".join(_T.say("part", width=width, height=height) for width, height in columns)
    lead = _T.say("wall", n=n, parts=words)
    if d.integer(0, 1):
        area = sum(width * height for width, height in columns)
        return _T.draft("area_of_wall", area, lead=lead)
    heights = [0, *(height for _, height in columns), 0]
    upright = sum(abs(a - b) for a, b in pairwise(heights))
    length = 2 * sum(width for width, _ in columns) + upright
    return _T.draft("outline", length, lead=lead)


def _corners(d: Draws, level: int) -> Draft:
    """Ask about a polygon given by its corners, around a centre so that no sides cross."""
    n = min(8, 3 + level // 2)
    around = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
    chosen = sorted(d.sample(range(8), n))
    gaps = [(b - a) % 8 for a, b in zip(chosen, chosen[1:] + chosen[:1], strict=True)]
    if max(gaps) > 3:  # the centre would be outside, and sides might cross
        chosen = sorted({0, 3, 5, *chosen})
    cx, cy, reach = d.integer(-5, 5), d.integer(-6, 6), 3 + level
    points = []
    for i in chosen:
        r = d.integer(1, reach)
        points.append((cx + r * around[i][0], cy + r * around[i][1]))
    sides = zip(points, points[1:] + points[:1], strict=True)
    double = sum(a * e - c * b for (a, b), (c, e) in sides)
    return _T.draft("polygon", abs(double) / 2, corners=", ".join(map(str, points)))


def _distance_direction(d: Draws, level: int) -> Draft:
    who = d.pick(_T["walkers"])
    legs, x, y = [], 0, 0
    for _ in range(level + 1):
        way, far = d.pick(tuple(COMPASS_STEPS)), d.integer(2, 20 + 4 * level)
        legs.append(f"{far} m {way}")
        x, y = x + far * COMPASS_STEPS[way][0], y + far * COMPASS_STEPS[way][1]
    lead = _T.say("walk", who=who, legs=", then ".join(legs))
    how = d.integer(0, 2)
    if how == 0:
        way = d.pick(tuple(COMPASS_STEPS))
        further = {"north": y, "south": -y, "east": x, "west": -x}[way]
        return _T.draft("further", further, lead=lead, way=way, back=_OPPOSITE[way])
    if how == 1:
        return _T.draft("return", abs(x) + abs(y), lead=lead)
    a, b, c = d.pick(_T["triples"])
    scale = d.integer(1, 6)
    a, b, c = (scale * side for side in d.pick(((a, b, c), (b, a, c))))
    if d.integer(0, 1):
        a = -a
    legs += [
        f"{abs(far)} m {way if far > 0 else _OPPOSITE[way]}"
        for far, way in ((a - x, "east"), (b - y, "north"))
        if far
    ]
    lead = _T.say("walk", who=who, legs=", then ".join(legs))
    return _T.draft("straight_line", isqrt(a * a + b * b), lead=lead)


def _turning_walk(d: Draws, level: int) -> Draft:
    who, heading = d.pick(_T["walkers"]), d.integer(0, 3)
    ways = tuple(COMPASS_STEPS)
    told_steps, x, y, at = [], 0, 0, heading
    for _ in range(level + 1):
        turn, far = d.pick(("left", "right", "round")), d.integer(2, 9 + level)
        at = (at + {"left": 3, "right": 1, "round": 2}[turn]) % 4
        told_steps.append(f"turns {turn} and moves {far} m")
        x, y = x + far * COMPASS_STEPS[ways[at]][0], y + far * COMPASS_STEPS[ways[at]][1]
    lead = _T.say("turning_walk", who=who, way=ways[heading], steps=", ".join(told_steps))
    if d.integer(0, 1):
        return _T.draft("facing", keys.text(ways[at], ways), lead=lead)
    return _T.draft("where", keys.sequence((x, y)), lead=lead)


def _moved_point(d: Draws, level: int) -> Draft:
    start = x, y = d.integer(-9, 9), d.integer(-8, 8)
    steps = []
    for _ in range(level + 1):
        how, a, b = d.integer(0, 5), d.integer(-6, 6), d.integer(-7, 7)
        # A move by (0, 0) would be no move.
        b = b or (0 if a else 1)
        x, y = ((y, -x), (-y, x), (x, -y), (-x, y), (x + a, y + b), (y, x))[how]
        steps.append(_T["moves"][how].format(a=a, b=b))
    words = {"x": start[0], "y": start[1], "steps": ", then ".join(steps)}
    return _T.draft("moved_point", keys.sequence((x, y)), **words)


def _turns(d: Draws, level: int) -> Draft:
    name, heading, turns = d.pick(NAMES), d.integer(0, 7), []
    start, step = _COMPASS[heading], 90 if level < 2 else 45
    for _ in range(level + 1):
        degrees, side = step * d.integer(1, (270 if step == 90 else 315) // step), d.integer(0, 1)
        heading += degrees // 45 * (1 if side else -1)
        turns.append(f"{degrees}° to the {'right' if side else 'left'}")
    if level > 5:
        mid = len(turns) // 2
        turns.insert(mid, _T["back"])
        last = turns[mid - 1]
        heading += int(last.split("°")[0]) // 45 * (-1 if last.endswith("right") else 1)
    key = keys.text(_COMPASS[heading % 8], _COMPASS)
    return _T.draft("turns", key, name=name, start=start, turns=", then ".join(turns))


_SIDES = ("top", "north", "east", "south", "west", "bottom")


def die(d: Draws, level: int) -> Draft:
    """Roll a die over its edges level + 1 times."""
    top = d.integer(1, 6)
    north = d.pick([face for face in range(1, 7) if face not in (top, 7 - top)])
    east = _east_of(top, north)
    faces = {
        "top": top, "bottom": 7 - top, "north": north, "south": 7 - north,
        "east": east, "west": 7 - east,
    }  # fmt: skip
    rolls = []
    for _ in range(level + 1):
        way = d.pick(("north", "east", "south", "west"))
        back = {"north": "south", "south": "north", "east": "west", "west": "east"}[way]
        rolls.append(f"to the {way}")
        # After the roll, the top faces the direction of the roll, and the back becomes the top.
        faces["top"], faces[way], faces["bottom"], faces[back] = (
            faces[back],
            faces["top"],
            faces[way],
            faces["bottom"],
        )
    side = d.pick(_SIDES)
    where = {"top": "is on top", "bottom": "lies on the table"}.get(side, f"faces {side}")
    words = {"top": top, "north": north, "east": east, "rolls": ", then ".join(rolls)}
    return _T.draft("die", faces[side], where=where, **words)


def _east_of(top: int, north: int) -> int:
    """Return the face to the east: 3 with 1 on top and 2 to the north; a swap of those two mirrors
    it."""
    turn = {1: (1, 1), 2: (2, 1), 3: (3, 1), 4: (3, -1), 5: (2, -1), 6: (1, -1)}
    (a, sign_a), (b, sign_b) = turn[top], turn[north]
    c = 6 - a - b
    sign = sign_a * sign_b * (1 if (a, b) in ((1, 2), (2, 3), (3, 1)) else -1)
    return c if sign > 0 else 7 - c


def stacks(d: Draws, level: int) -> Draft:
    """Stack towers of cubes on a grid; ask for the number of cubes, in total or as seen from a
    side."""
    rows, columns = 2 + level // 4, 2 + (level + 1) // 3
    most = 3 + level // 3
    heights = [
        [d.integer(0 if level > 3 else 1, most) for _ in range(columns)] for _ in range(rows)
    ]
    how = d.integer(0, 4)
    grid = "\n".join(" ".join(map(str, row)) for row in heights)
    lead = _T.say("towers", grid=grid)
    n_cubes = sum(map(sum, heights))
    if how == 0:
        return _T.draft("n_cubes", n_cubes, lead=lead)
    if how in (1, 2):
        lines = zip(*heights, strict=True) if how == 1 else heights
        way = d.pick(("south", "north") if how == 1 else ("west", "east"))
        return _T.draft("seen", sum(max(line) for line in lines), lead=lead, way=way)
    if how == 3:
        box = rows * columns * max(map(max, heights))
        return _T.draft("to_fill", box - n_cubes, lead=lead, rows=rows, columns=columns)
    tops = sum(height > 0 for row in heights for height in row)
    sides = 0
    for i in range(rows):
        for j in range(columns):
            for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                a, b = i + di, j + dj
                neighbour = heights[a][b] if 0 <= a < rows and 0 <= b < columns else 0
                sides += max(0, heights[i][j] - neighbour)
    return _T.draft("surface", tops + sides, lead=lead)


KINDS: Mapping[str, Template] = {
    "2d_geometry": one_of(_rectangles, _outline, _corners),
    "3d_visualization": one_of(die, stacks),
    "distance_direction": one_of(_distance_direction, _turning_walk),
    "relative_positioning": _relative_positioning,
    "spatial_transformation": one_of(_moved_point, _turns),
}
