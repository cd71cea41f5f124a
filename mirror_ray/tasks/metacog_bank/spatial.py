"""Generated spatial questions: five subcategories, three levels (0 easy, 1 medium, 2 hard)."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.tasks.metacog_bank.draws import Draws
from mirror_ray.tasks.metacog_bank.question import Draft, number, sequence, text
from mirror_ray.tasks.metacog_bank.words import NAMES, THINGS, Template

_TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29), (9, 40, 41))
_COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_WALKERS = ("robot", "hiker", "ship", "drone", "tractor", "cyclist", "submarine", "rover")


def _plane_geometry(d: Draws, level: int) -> Draft:
    if level == 0:
        a, b = d.integer(3, 59), d.integer(4, 61)
        what, value = d.pick((("perimeter in metres", 2 * (a + b)), ("area in m²", a * b)))
        return Draft(
            f"A rectangle is {a} m long and {b} m wide. What is its {what}?", number(value)
        )
    if level == 1:
        a, b, path = d.integer(6, 40), d.integer(5, 38), d.integer(1, 4)
        ring = (a + 2 * path) * (b + 2 * path) - a * b
        return Draft(
            f"A pond of {a} m by {b} m is surrounded by a path {path} m wide on all four sides, "
            "corners included. What is the area of the path in m²?",
            number(ring),
        )
    a, b, cut_a, cut_b = d.integer(12, 48), d.integer(11, 44), d.integer(2, 10), d.integer(3, 9)
    price = d.integer(3, 18)
    return Draft(
        f"An L-shaped floor is a rectangle of {a} m by {b} m from one corner of which a rectangle "
        f"of {cut_a} m by {cut_b} m is missing. Skirting along its whole edge costs ${price} per "
        f"metre and floor covering ${price + 2} per m². What do both cost together, in dollars?",
        number(2 * (a + b) * price + (a * b - cut_a * cut_b) * (price + 2)),
    )


def _solids(d: Draws, level: int) -> Draft:
    a, b, c = d.integer(3, 18), d.integer(4, 17), d.integer(3, 14)
    block = f"A solid block of {a} × {b} × {c} unit cubes"
    if level == 0:
        return Draft(f"{block} is taken apart. How many unit cubes are there?", number(a * b * c))
    if level == 1:
        return Draft(
            f"{block} stands on a table on its {a} × {b} side. Its top layer is removed, and then "
            f"one outer layer from its {b} × {c} side. How many unit cubes remain?",
            number((a - 1) * b * (c - 1)),
        )
    exactly, value = d.pick(
        (
            ("one painted face", 2 * ((a - 2) * (b - 2) + (b - 2) * (c - 2) + (a - 2) * (c - 2))),
            ("two painted faces", 4 * (a + b + c - 6)),
        )
    )
    return Draft(
        f"{block} is painted red on its whole outside and taken apart. "
        f"How many unit cubes have exactly {exactly}?",
        number(value),
    )


def _distance_direction(d: Draws, level: int) -> Draft:
    who = d.pick(_WALKERS)
    if level == 0:
        out, back = d.integer(40, 99), d.integer(4, 39)
        there, opposite = d.pick((("north", "south"), ("east", "west"), ("south", "north")))
        return Draft(
            f"A {who} moves {out} km {there} and then {back} km {opposite}. "
            "How many kilometres is it from where it began?",
            number(out - back),
        )
    triple, scale = d.pick(_TRIPLES), d.integer(1, 12)
    first, second, direct = (scale * side for side in triple)
    if level == 1:
        detour = d.integer(1, 9)
        return Draft(
            f"A {who} moves {first} m north, {detour} m west, and {second + detour} m east. "
            "What is its straight-line distance from where it began, in metres?",
            number(direct),
        )
    extra, more = d.integer(2, 19), d.integer(3, 17)
    return Draft(
        f"A {who} moves {first + extra} m south, {more} m west, {extra} m north, "
        f"{second + 2 * more} m east and {more} m west. "
        "What is its straight-line distance from where it began, in metres?",
        number(direct),
    )


def _relative_positioning(d: Draws, level: int) -> Draft:
    n = (4, 5, 6)[level]
    row = d.sample(THINGS, n)
    clues = [f"the {row[i]} is directly to the left of the {row[i + 1]}" for i in range(n - 1)]
    if level == 2:
        # Described from both ends, and one link only by what stands between.
        clues = [
            f"the {row[i + 1]} is directly to the right of the {row[i]}" if i % 2 else clues[i]
            for i in range(n - 3)
        ]
        clues += [
            f"the {row[n - 2]} stands between the {row[n - 3]} and the {row[n - 1]}",
            f"the {row[n - 1]} is at the right end",
        ]
    told = "; ".join(d.shuffled(clues))
    place = d.integer(1, n)
    return Draft(
        f"{n} objects stand in a row, seen from the front: {told}. "
        f"Which object is number {place} from the left?",
        text(row[place - 1], row),
    )


def _spatial_transformation(d: Draws, level: int) -> Draft:
    if level < 2:
        name, heading = d.pick(NAMES), d.integer(0, 7)
        start, turns = _COMPASS[heading], []
        step = (90, 45)[level]
        for _ in range(2 + 2 * level):
            degrees, side = step * d.integer(1, (3, 5)[level]), d.pick(("right", "left"))
            heading += degrees // 45 * (1 if side == "right" else -1)
            turns.append(f"{degrees}° to the {side}")
        return Draft(
            f"{name} faces {start} and turns {', then '.join(turns)}. "
            f"Which way does {name} face now?",
            text(_COMPASS[heading % 8], _COMPASS),
        )
    x, y = d.integer(-12, 12), d.integer(1, 14)
    turned_x, turned_y = {"clockwise": (y, -x), "counterclockwise": (-y, x)}[
        way := d.pick(("clockwise", "counterclockwise"))
    ]
    shift_x, shift_y = d.integer(-9, 9), d.integer(-9, 9)
    axis = d.pick(("x-axis", "y-axis"))
    moved_x, moved_y = turned_x + shift_x, turned_y + shift_y
    end = (moved_x, -moved_y) if axis == "x-axis" else (-moved_x, moved_y)
    return Draft(
        f"The point ({x}, {y}) is rotated by 90° {way} about the origin, then moved by "
        f"({shift_x}, {shift_y}), then reflected across the {axis}. "
        "What are its coordinates now? Write them as x, y.",
        sequence(end),
    )


TEMPLATES: Mapping[str, Template] = MappingProxyType(
    {
        "2d_geometry": _plane_geometry,
        "3d_visualization": _solids,
        "distance_direction": _distance_direction,
        "relative_positioning": _relative_positioning,
        "spatial_transformation": _spatial_transformation,
    }
)
