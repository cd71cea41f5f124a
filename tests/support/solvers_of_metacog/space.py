"""Space, solved from the words: cells counted one by one, complex numbers, searched orders."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from support.solvers_of_metacog.figures import Answer, ints

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_WAYS = {"north": 1j, "east": 1, "south": -1j, "west": -1}


def plane(q: str) -> Answer:
    if "painted" in q:
        boxes = [tuple(map(int, b)) for b in re.findall(
            r"from \((\d+), (\d+)\) to \((\d+), (\d+)\)", q)]  # fmt: skip
        counts = [
            sum(a <= x < c and b <= y < e for a, b, c, e in boxes)
            for x, y in product(range(40), range(40))
        ]
        how, times = re.search(r"painted (at least|exactly) (once|twice)", q).groups()  # type: ignore[union-attr]
        n = ("", "once", "twice").index(times)
        return sum(c == n if how == "exactly" else c >= n for c in counts)
    if q.startswith("Seen from the front"):
        parts = [(int(a), int(b)) for a, b in re.findall(r"(\d+) m wide and (\d+) m high", q)]
        cells, x = set(), 0
        for width, height in parts:
            cells |= set(product(range(x, x + width), range(height)))
            x += width
        if "area" in q:
            return len(cells)
        return sum(
            (x + dx, y + dy) not in cells
            for x, y in cells
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
        )
    corners = [tuple(map(int, c)) for c in re.findall(r"\((-?\d+), (-?\d+)\)", q)]
    # Trapezoids below each side.
    return abs(
        sum(
            Fraction((c - a) * (b + e), 2)
            for (a, b), (c, e) in zip(corners, corners[1:] + corners[:1], strict=True)
        )
    )


def solids(q: str) -> Answer:
    if "die" in q:
        top, north, east = map(int, re.search(
            r"with (\d) on top, (\d) facing north and (\d) facing east", q).groups())  # type: ignore[union-attr]  # fmt: skip
        # Faces as the numbers in six directions of space, turned by the cross product.
        faces = {(0, 0, 1): top, (0, 1, 0): north, (1, 0, 0): east}
        faces |= {(-x, -y, -z): 7 - face for (x, y, z), face in faces.items()}
        for way in re.findall(r"to the (north|east|south|west)", q):
            dx, dy = int(_WAYS[way].real), int(complex(_WAYS[way]).imag)

            def turned(v: tuple[int, int, int], dx: int = dx, dy: int = dy) -> tuple[int, int, int]:
                x, y, z = v
                along = x * dx + y * dy
                # Up goes the way it rolls, the way goes down; across stays.
                return (x - along * dx + z * dx, y - along * dy + z * dy, -along)

            faces = {turned(v): face for v, face in faces.items()}
        where = {"is on top": (0, 0, 1), "lies on the table": (0, 0, -1),
                 "faces north": (0, 1, 0), "faces south": (0, -1, 0), "faces east": (1, 0, 0),
                 "faces west": (-1, 0, 0)}  # fmt: skip
        return faces[next(v for words, v in where.items() if f"number {words}" in q)]
    rows = [list(map(int, line.split())) for line in q.split("\n")[1:-1]]
    cubes = {(i, j, z) for i, row in enumerate(rows) for j, h in enumerate(row) for z in range(h)}
    if "How many cubes are there" in q:
        return len(cubes)
    if "more cubes are needed" in q:
        return len(rows) * len(rows[0]) * (1 + max(z for *_, z in cubes)) - len(cubes)
    if "horizontally from the" in q:
        axis = 1 if re.search("from the (?:north|south)", q) else 0
        return len({(cube[axis], cube[2]) for cube in cubes})
    beside = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1))
    return sum((i + a, j + b, z + c) not in cubes for i, j, z in cubes for a, b, c in beside)


def walks(q: str) -> Answer:
    if "turns" in q:
        heading = complex(_WAYS[re.search(r"faces (\w+)\.", q)[1]])  # type: ignore[index]
        at = 0j
        for turn, far in re.findall(r"turns (\w+) and moves (\d+) m", q):
            heading *= {"left": 1j, "right": -1j, "round": -1}[turn]
            at += heading * int(far)
        if "Which way" in q:
            return next(way for way, step in _WAYS.items() if step == heading)
        return f"{int(at.real)}, {int(at.imag)}"
    at = sum(int(far) * complex(_WAYS[way]) for far, way in re.findall(r"(\d+) m (\w+)", q))
    if "straight line" in q:
        return abs(at)
    if "at least to return" in q:
        return abs(at.real) + abs(at.imag)
    way = re.search(r"metres further (\w+) is it", q)[1]  # type: ignore[index]
    return (at * complex(_WAYS[way]).conjugate()).real


def transformations(q: str) -> Answer:
    if q.startswith("The point"):
        x, y = ints(q)[:2]
        at = complex(x, y)
        for step in re.split(r", then | is ", q.split("What are", maxsplit=1)[0])[1:]:
            if "moved by" in step:
                at += complex(*ints(step)[:2])
            elif "rotated" in step:
                at *= 1j if "counterclockwise" in step else -1j
            elif "x-axis" in step:
                at = at.conjugate()
            elif "y-axis" in step:
                at = -at.conjugate()
            else:
                at = complex(at.imag, at.real)
        return f"{int(at.real)}, {int(at.imag)}"
    names = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
    degrees = 45 * names.index(re.search(r"faces (\w+) and turns", q)[1])  # type: ignore[index]
    last = 0
    for step in re.findall(r"\d+° to the \w+|back by the whole turn", q):
        if step.startswith("back"):
            last = -last
        else:
            last = int(step.split("°")[0]) * (1 if step.endswith("right") else -1)
        degrees += last
    return names[degrees % 360 // 45]


Clue = tuple[tuple[str, ...], Callable[..., bool]]
"""The things it is about, and what must hold of their places, from 0."""


def arrangement(things: Sequence[str], clues: Sequence[Clue]) -> list[str]:
    """The only order in which all clues hold, searched place by place."""
    found: list[list[str]] = []

    def place(order: list[str], at: dict[str, int]) -> None:
        for names, test in clues:
            can_tell = order and order[-1] in names and all(name in at for name in names)
            if can_tell and not test(*(at[name] for name in names)):
                return
        if len(order) == len(things):
            found.append(order)
            return
        for name in things:
            if name not in at:
                place([*order, name], {**at, name: len(order)})

    place([], {})
    assert len(found) == 1, found
    return found[0]


def clue_of(text: str, n: int) -> Clue:
    """A clue about places in a row or in time."""
    rules: list[tuple[str, str, Callable[..., bool]]] = [
        (r"directly to the left of|right before", "ab", lambda a, b: b == a + 1),
        (r"directly to the right of|right after", "ab", lambda a, b: a == b + 1),
        (r"nothing came between", "ab", lambda a, b: b == a + 1),
        (r"somewhere to the left of| came before ", "ab", lambda a, b: a < b),
        (r"somewhere to the right of| came after ", "ab", lambda a, b: a > b),
        (r"exactly (\d+) ", "ab", lambda a, b: abs(a - b) == int(ints(text)[0]) + 1),
        (r"are not neighbours|is not next to|something came between", "ab",
         lambda a, b: abs(a - b) != 1),
        (r"are neighbours|is next to|no event came between", "ab", lambda a, b: abs(a - b) == 1),
        (r"at one end|first or last", "a", lambda a: a in (0, n - 1)),
        (r"is not the (\w+) from|was not the (\w+) event", "a",
         lambda a: ORDINALS[a] not in text.split()),
        (r"have the|had the", "abc", lambda a, c, b: (a - b) * (b - c) > 0),
        (r"somewhere between|at some time between", "abc", lambda b, a, c: (a - b) * (b - c) > 0),
    ]  # fmt: skip
    names = [w for w in re.findall(r"\bthe (\w+)", text) if w not in ORDINALS and w not in ("row", "left", "right")]  # fmt: skip  # noqa: E501
    for pattern, arity, test in rules:
        if re.search(pattern, text):
            return tuple(names[: len(arity)]), test
    raise AssertionError(text)


def positions(q: str) -> Answer:
    head, listed = re.split(r"\. ", q, maxsplit=1)
    things = head.removeprefix("The objects are ").split(", ")
    told, ask = listed.split(": ", 1)[1].split(". ", 1)
    order = arrangement(things, [clue_of(clue, len(things)) for clue in told.split("; ")])
    return _asked(order, ask)


def events(q: str) -> Answer:
    head, told, ask = q.split(". ", 2)
    things = head.split(": ")[1].split(", ")
    clues = (told[0].lower() + told[1:]).split("; ")
    order = arrangement(things, [clue_of(clue, len(things)) for clue in clues])
    return _asked(order, ask)


def _asked(order: list[str], ask: str) -> Answer:
    named = [name for name in re.findall(r"\w+", ask) if name in order]
    if "stand between" in ask:
        return abs(order.index(named[0]) - order.index(named[1])) - 1
    if "came after" in ask:
        return len(order) - 1 - order.index(named[0])
    if named:
        return order.index(named[0]) + 1
    return order[next(i for i, word in enumerate(ORDINALS) if f" {word} " in ask)]
