"""Solids in the mind: a die that rolls, towers of cubes seen from a side."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft, number

_SIDES = ("top", "north", "east", "south", "west", "bottom")


def die(d: Draws, level: int) -> Draft:
    """A die rolls over its edges level + 1 times."""
    top = d.integer(1, 6)
    north = d.pick([face for face in range(1, 7) if face not in (top, 7 - top)])
    east = _east_of(top, north)
    faces = {
        "top": top, "bottom": 7 - top, "north": north, "south": 7 - north,
        "east": east, "west": 7 - east,
    }  # fmt: skip
    lead = (
        "The opposite faces of a die add up to 7. It lies on a table with "
        f"{top} on top, {north} facing north and {east} facing east. It rolls over its edge, one "
        "field at a time, "
    )
    rolls = []
    for _ in range(level + 1):
        way = d.pick(("north", "east", "south", "west"))
        back = {"north": "south", "south": "north", "east": "west", "west": "east"}[way]
        rolls.append(f"to the {way}")
        # What was on top faces the way it rolls; what faced back comes on top.
        faces["top"], faces[way], faces["bottom"], faces[back] = (
            faces[back],
            faces["top"],
            faces[way],
            faces["bottom"],
        )
    side = d.pick(_SIDES)
    where = {"top": "is on top", "bottom": "lies on the table"}.get(side, f"faces {side}")
    return Draft(
        f"{lead}{', then '.join(rolls)}. Which number {where} in the end?", number(faces[side])
    )


def _east_of(top: int, north: int) -> int:
    """With 1 on top and 2 to the north 3 is to the east; swapping two faces turns it over."""
    turn = {1: (1, 1), 2: (2, 1), 3: (3, 1), 4: (3, -1), 5: (2, -1), 6: (1, -1)}
    (a, sign_a), (b, sign_b) = turn[top], turn[north]
    c = 6 - a - b
    sign = sign_a * sign_b * (1 if (a, b) in ((1, 2), (2, 3), (3, 1)) else -1)
    return c if sign > 0 else 7 - c


def stacks(d: Draws, level: int) -> Draft:
    """Towers of cubes on a grid: how many, how much of them is seen."""
    rows, columns = 2 + level // 4, 2 + (level + 1) // 3
    most = 3 + level // 3
    heights = [
        [d.integer(0 if level > 3 else 1, most) for _ in range(columns)] for _ in range(rows)
    ]
    how = d.integer(0, 4)
    shown = "\n".join(" ".join(map(str, row)) for row in heights)
    lead = (
        "Towers of unit cubes stand on a square grid. Each number says how many cubes are stacked "
        f"on its field (0: none); north is up, and towers touch their neighbours:\n{shown}\n"
    )
    if how == 0:
        return Draft(f"{lead}How many cubes are there?", number(sum(map(sum, heights))))
    if how == 1:
        value = sum(max(column) for column in zip(*heights, strict=True))
        way = d.pick(("south", "north"))
        return Draft(
            f"{lead}Looking at them horizontally from the {way}, from far away, how many unit "
            "squares of cube faces can be seen?",
            number(value),
        )
    if how == 2:
        value = sum(max(row) for row in heights)
        way = d.pick(("west", "east"))
        return Draft(
            f"{lead}Looking at them horizontally from the {way}, from far away, how many unit "
            "squares of cube faces can be seen?",
            number(value),
        )
    tops = sum(height > 0 for row in heights for height in row)
    if how == 3:
        box = rows * columns * max(map(max, heights))
        return Draft(
            f"{lead}How many more cubes are needed to fill the smallest box that covers the whole "
            f"grid of {rows} by {columns} fields and is as high as the highest tower?",
            number(box - sum(map(sum, heights))),
        )
    sides = 0
    for i in range(rows):
        for j in range(columns):
            for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                a, b = i + di, j + dj
                beside = heights[a][b] if 0 <= a < rows and 0 <= b < columns else 0
                sides += max(0, heights[i][j] - beside)
    return Draft(
        f"{lead}How many unit squares does their outer surface have, the undersides not counted?",
        number(tops + sides),
    )
