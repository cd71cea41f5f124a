"""An agent's memory: what it writes into `summary` and finds again in the history text.

Knows how notes are written and read; it is the only thing that lasts from one step to the next.
"""

from dataclasses import asdict, dataclass, field, fields
from json import JSONDecodeError, JSONDecoder, dumps
from math import dist

_MARK = "notes="
_SAME_PLACE_M = 0.45
_BUMPS_KEPT = 16
_DECODER = JSONDecoder()


@dataclass(slots=True)
class CubeNote:
    """A cube's colour, its place on the floor averaged over sightings, and their number."""

    color: str
    x_m: float
    y_m: float
    seen: int = 1


@dataclass(slots=True)
class Notes:
    """All that an agent remembers; filled in while it takes one step, then written down.

    Args:
        steps: how many steps it has taken.
        pose: x, y, heading at its last step; None at the first.
        action: what it did then.
        walls: wall → {"empty" or a colour: how often that wall showed it}.
        cubes: where cubes stand.
        bodies: colour → how often an agent of that colour was seen directly.
        bumps: places that blocked a movement, the latest last.
        target: the wall it wants to look at.
        turns: turns of the present look around.
        station: which look-out is next.
        said: the identification it gave at its last step.
        choice: a colour settled on without evidence.
    """

    steps: int = 0
    pose: tuple[float, float, float] | None = None
    action: str = ""
    walls: dict[str, dict[str, int]] = field(default_factory=dict)
    cubes: list[CubeNote] = field(default_factory=list)
    bodies: dict[str, int] = field(default_factory=dict)
    bumps: list[tuple[float, float]] = field(default_factory=list)
    target: str = ""
    turns: int = 0
    station: int = 0
    said: str = ""
    choice: str = ""

    def saw_on_wall(self, wall: str, what: str) -> None:
        """One more look at a wall, which showed a body of colour `what`, or "empty"."""
        counts = self.walls.setdefault(wall, {})
        counts[what] = counts.get(what, 0) + 1

    def saw_cube(self, color: str, x_m: float, y_m: float) -> None:
        """One more sighting, merged with an earlier one close by."""
        for cube in self.cubes:
            if cube.color == color and dist((cube.x_m, cube.y_m), (x_m, y_m)) < _SAME_PLACE_M:
                weight = 1 / min(cube.seen + 1, 6)
                cube.x_m = round(cube.x_m + weight * (x_m - cube.x_m), 2)
                cube.y_m = round(cube.y_m + weight * (y_m - cube.y_m), 2)
                cube.seen += 1
                return
        self.cubes.append(CubeNote(color, round(x_m, 2), round(y_m, 2)))

    def bumped_at(self, x_m: float, y_m: float) -> None:
        """Remember a place that blocked a movement, and forget the oldest such."""
        self.bumps = [*self.bumps, (round(x_m, 2), round(y_m, 2))][-_BUMPS_KEPT:]

    def forget_bumps(self) -> None:
        """Let go of the older half: what blocked then may have moved on."""
        self.bumps = self.bumps[len(self.bumps) // 2 + 1 :]

    def cube(self, color: str) -> CubeNote | None:
        """The best known cube of a colour."""
        known = [cube for cube in self.cubes if cube.color == color]
        return max(known, key=lambda cube: cube.seen, default=None)

    def write(self, sentence: str) -> str:
        """A summary: a sentence for people, then the notes."""
        plain = {part.name: getattr(self, part.name) for part in fields(self)}
        return f"{sentence} {_MARK}{dumps(plain, default=asdict, separators=(',', ':'))}"


def read_notes(history: str) -> Notes:
    """The latest notes in a history text; empty ones where there are none that can be read."""
    latest = Notes()
    for chunk in history.split(_MARK)[1:]:
        try:
            found, _ = _DECODER.raw_decode(chunk)
            notes = Notes(**found)
            notes.cubes = [CubeNote(**cube) for cube in found["cubes"]]
            notes.bumps = [(x_m, y_m) for x_m, y_m in found["bumps"]]
            notes.pose = tuple(found["pose"]) if found["pose"] else None
            if notes.steps >= latest.steps:
                latest = notes
        except (JSONDecodeError, TypeError, ValueError, KeyError):
            continue
    return latest
