"""Spatial questions at ten levels: five subcategories."""

from collections.abc import Mapping
from itertools import pairwise
from math import isqrt
from types import MappingProxyType

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, number, sequence, text
from mirror_ray.families.metacog.bank.words import NAMES, THINGS
from mirror_ray.families.metacog.levels.kind import Kind, one_of
from mirror_ray.families.metacog.levels.orders import ORDINALS, clues_for, told, told_apart
from mirror_ray.families.metacog.levels.spatial_solids import die, stacks

_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}
_WALKERS = ("robot", "ferry", "ship", "drone", "tractor", "truck", "submarine", "rover")
_TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (9, 40, 41))

_ROW: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "next": (
            "the {a} is directly to the left of the {b}",
            "the {b} is directly to the right of the {a}",
        ),
        "before": (
            "the {a} is somewhere to the left of the {b}",
            "the {b} is somewhere to the right of the {a}",
        ),
        "apart": ("exactly {k} object{s} stand{v} between the {a} and the {b}",),
        "beside": ("the {a} and the {b} are neighbours", "the {a} is next to the {b}"),
        "not_beside": ("the {a} and the {b} are not neighbours", "the {a} is not next to the {b}"),
        "end": ("the {a} is at one end of the row",),
        "not_at": ("the {a} is not the {place} from the left",),
        "between": (
            "the {b} is somewhere between the {a} and the {c}",
            "the {a} and the {c} have the {b} somewhere between them",
        ),
    }
)


def _relative_positioning(d: Draws, level: int) -> Draft:
    n = 3 + (level + 1) // 2
    place, how = d.integer(0, n - 1), d.integer(0, 2)
    row = d.sample(THINGS, n)
    clues = clues_for(d, n, level)
    words = [told(clue, row, _ROW, d) for clue in clues]
    lead = f"{n} objects stand in a row, seen from the front: {'; '.join(d.shuffled(words))}. "
    them = f"The objects are {', '.join(sorted(row))}. "
    if how == 0:
        return Draft(
            f"{them}{lead}Which object is the {ORDINALS[place]} from the left?",
            text(row[place], row),
        )
    known_apart = told_apart(clues)
    apart = [i for i in range(n) if i != place and frozenset((i, place)) not in known_apart]
    if how == 1 or not apart:
        return Draft(
            f"{them}{lead}Counted from the left, beginning with 1, at which place is the "
            f"{row[place]}?",
            number(place + 1),
        )
    other = d.pick(apart)
    return Draft(
        f"{them}{lead}How many objects stand between the {row[place]} and the {row[other]}?",
        number(abs(place - other) - 1),
    )


def _rectangles(d: Draws, level: int) -> Draft:
    n = 1 + (level + 1) // 2
    boxes = []
    for _ in range(n):
        x, y = d.integer(0, 9), d.integer(0, 8)
        boxes.append((x, y, x + d.integer(2, 5 + level // 2), y + d.integer(2, 6 + level // 2)))
    cells: dict[tuple[int, int], int] = {}
    for left, low, right, high in boxes:
        for x in range(left, right):
            for y in range(low, high):
                cells[x, y] = cells.get((x, y), 0) + 1
    times = d.integer(1, 2) if n > 1 else 1
    ask, area = d.pick(
        (
            (f"at least {('', 'once', 'twice')[times]}", sum(c >= times for c in cells.values())),
            (f"exactly {('', 'once', 'twice')[times]}", sum(c == times for c in cells.values())),
        )
    )
    listed = "; ".join(f"from ({a}, {b}) to ({c}, {e})" for a, b, c, e in boxes)
    whole = "A rectangle is" if n == 1 else f"{n} rectangles are"
    return Draft(
        f"{whole} painted on squared paper, with sides along the lines, each given by two opposite "
        f"corners: {listed}. How many unit squares are painted {ask}?",
        number(area),
    )


def _outline(d: Draws, level: int) -> Draft:
    """A stepped outline: columns of different heights side by side."""
    n = 2 + (level + 1) // 2
    columns = [(d.integer(2, 6 + level), d.integer(2, 9 + level)) for _ in range(n)]
    for i in range(1, n):
        if columns[i][1] == columns[i - 1][1]:
            columns[i] = (columns[i][0], columns[i][1] + 1)
    words = "; then ".join(f"{width} m wide and {height} m high" for width, height in columns)
    lead = (
        f"Seen from the front, a wall consists of {n} rectangular parts side by side on level "
        f"ground, from left to right {words}. "
    )
    area = sum(width * height for width, height in columns)
    if d.integer(0, 1):
        return Draft(f"{lead}What is the area of its front in m²?", number(area))
    heights = [0, *(height for _, height in columns), 0]
    upright = sum(abs(a - b) for a, b in pairwise(heights))
    return Draft(
        f"{lead}How long is the whole outline of its front, the ground line included, in metres?",
        number(2 * sum(width for width, _ in columns) + upright),
    )


def _corners(d: Draws, level: int) -> Draft:
    """A polygon by its corners, around a centre so that it does not cross itself."""
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
    double = sum(
        a * e - c * b for (a, b), (c, e) in zip(points, points[1:] + points[:1], strict=True)
    )
    shown = ", ".join(f"({x}, {y})" for x, y in points)
    return Draft(
        f"A polygon has its corners, in this order, at {shown}. What is its area in square units?",
        number(abs(double) / 2),
    )


def _distance_direction(d: Draws, level: int) -> Draft:
    who = d.pick(_WALKERS)
    legs, x, y = [], 0, 0
    for _ in range(level + 1):
        way, far = d.pick(tuple(_STEPS)), d.integer(2, 20 + 4 * level)
        legs.append(f"{far} m {way}")
        x, y = x + far * _STEPS[way][0], y + far * _STEPS[way][1]
    lead = f"A {who} moves {', then '.join(legs)}. "
    how = d.integer(0, 2)
    if how == 0:
        way = d.pick(tuple(_STEPS))
        value = {"north": y, "south": -y, "east": x, "west": -x}[way]
        return Draft(
            f"{lead}How many metres further {way} is it in the end than at the start? A negative "
            f"number means further {_OPPOSITE[way]}.",
            number(value),
        )
    if how == 1:
        return Draft(
            f"{lead}How many metres must it move at least to return to its start, if it moves only "
            "north, east, south or west?",
            number(abs(x) + abs(y)),
        )
    a, b, c = d.pick(_TRIPLES)
    scale = d.integer(1, 6)
    a, b, c = (scale * side for side in d.pick(((a, b, c), (b, a, c))))
    if d.integer(0, 1):
        a = -a
    legs += [
        f"{abs(far)} m {way if far > 0 else _OPPOSITE[way]}"
        for far, way in ((a - x, "east"), (b - y, "north"))
        if far
    ]
    return Draft(
        f"A {who} moves {', then '.join(legs)}. How far is it from its start in a straight line, "
        "in metres?",
        number(isqrt(a * a + b * b)),
    )


def _turning_walk(d: Draws, level: int) -> Draft:
    who, heading = d.pick(_WALKERS), d.integer(0, 3)
    ways = tuple(_STEPS)
    told_steps, x, y, at = [], 0, 0, heading
    for _ in range(level + 1):
        turn, far = d.pick(("left", "right", "round")), d.integer(2, 9 + level)
        at = (at + {"left": 3, "right": 1, "round": 2}[turn]) % 4
        told_steps.append(f"turns {turn} and moves {far} m")
        x, y = x + far * _STEPS[ways[at]][0], y + far * _STEPS[ways[at]][1]
    lead = f"A {who} faces {ways[heading]}. It {', '.join(told_steps)}. (“Turns round” is 180°.) "
    if d.integer(0, 1):
        return Draft(f"{lead}Which way does it face in the end?", text(ways[at], ways))
    return Draft(
        f"{lead}Where is it, seen from its start? Answer with two numbers, as in “3, -5”: metres "
        "to the east, then metres to the north; west and south are negative.",
        sequence((x, y)),
    )


def _moved_point(d: Draws, level: int) -> Draft:
    x, y = d.integer(-9, 9), d.integer(-8, 8)
    lead = f"The point ({x}, {y}) is "
    steps = []
    for _ in range(level + 1):
        how, a, b = d.integer(0, 5), d.integer(-6, 6), d.integer(-7, 7)
        if how == 0:
            x, y = y, -x
            steps.append("rotated by 90° clockwise about the origin")
        elif how == 1:
            x, y = -y, x
            steps.append("rotated by 90° counterclockwise about the origin")
        elif how == 2:
            y = -y
            steps.append("reflected across the x-axis")
        elif how == 3:
            x = -x
            steps.append("reflected across the y-axis")
        elif how == 4:
            # No move is none.
            b = b or (0 if a else 1)
            x, y = x + a, y + b
            steps.append(f"moved by ({a}, {b})")
        else:
            x, y = y, x
            steps.append("reflected across the line y = x")
    return Draft(
        f"{lead}{', then '.join(steps)}. What are its coordinates in the end? Write them as x, y.",
        sequence((x, y)),
    )


def _turns(d: Draws, level: int) -> Draft:
    name, heading, turns = d.pick(NAMES), d.integer(0, 7), []
    start, step = _COMPASS[heading], 90 if level < 2 else 45
    for _ in range(level + 1):
        degrees, side = step * d.integer(1, (270 if step == 90 else 315) // step), d.integer(0, 1)
        heading += degrees // 45 * (1 if side else -1)
        turns.append(f"{degrees}° to the {'right' if side else 'left'}")
    if level > 5:
        mid = len(turns) // 2
        turns.insert(mid, "back by the whole turn just made")
        last = turns[mid - 1]
        amount = int(last.split("°")[0]) // 45
        heading += amount * (-1 if last.endswith("right") else 1)
    return Draft(
        f"{name} faces {start} and turns {', then '.join(turns)}. Which way does {name} face now?",
        text(_COMPASS[heading % 8], _COMPASS),
    )


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "2d_geometry": Kind(
            one_of(_rectangles, _outline, _corners),
            "rectangles that overlap, parts, corners (2 to 8)",
        ),
        "3d_visualization": Kind(one_of(die, stacks), "rolls of a die, towers of cubes"),
        "distance_direction": Kind(one_of(_distance_direction, _turning_walk), "legs (level + 1)"),
        "relative_positioning": Kind(
            _relative_positioning, "objects (4 to 8), weakness of the clues"
        ),
        "spatial_transformation": Kind(one_of(_moved_point, _turns), "moves or turns (level + 1)"),
    }
)
