"""Solids to be imagined: a die that rolls, towers of cubes seen from a side."""

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft
from mirror_ray.families.metacog.bank.words import question_texts

_T = question_texts(__name__)
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
        # The top faces the direction of the roll afterwards; the back comes to the top.
        faces["top"], faces[way], faces["bottom"], faces[back] = (
            faces[back],
            faces["top"],
            faces[way],
            faces["bottom"],
        )
    side = d.pick(_SIDES)
    where = {"top": "is on top", "bottom": "lies on the table"}.get(side, f"faces {side}")
    words = {"top": top, "north": north, "east": east, "rolls": ", then ".join(rolls)}
    return _T.draft("die", keys.number_key(faces[side]), where=where, **words)


def _east_of(top: int, north: int) -> int:
    """With 1 on top and 2 to the north 3 is to the east; swapping two faces turns it over."""
    turn = {1: (1, 1), 2: (2, 1), 3: (3, 1), 4: (3, -1), 5: (2, -1), 6: (1, -1)}
    (a, sign_a), (b, sign_b) = turn[top], turn[north]
    c = 6 - a - b
    sign = sign_a * sign_b * (1 if (a, b) in ((1, 2), (2, 3), (3, 1)) else -1)
    return c if sign > 0 else 7 - c


def stacks(d: Draws, level: int) -> Draft:
    """Stack towers of cubes on a grid; ask for the number of cubes, or for those visible from a
    side.
    """
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
        return _T.draft("n_cubes", keys.number_key(n_cubes), lead=lead)
    if how in (1, 2):
        lines = zip(*heights, strict=True) if how == 1 else heights
        way = d.pick(("south", "north") if how == 1 else ("west", "east"))
        return _T.draft(
            "seen", keys.number_key(sum(max(line) for line in lines)), lead=lead, way=way
        )
    if how == 3:
        box = rows * columns * max(map(max, heights))
        return _T.draft(
            "to_fill", keys.number_key(box - n_cubes), lead=lead, rows=rows, columns=columns
        )
    tops = sum(height > 0 for row in heights for height in row)
    sides = 0
    for i in range(rows):
        for j in range(columns):
            for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                a, b = i + di, j + dj
                neighbour = heights[a][b] if 0 <= a < rows and 0 <= b < columns else 0
                sides += max(0, heights[i][j] - neighbour)
    return _T.draft("surface", keys.number_key(tops + sides), lead=lead)
