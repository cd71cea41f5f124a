"""An agent's only memory: text that it writes into `summary` and reads back from the history."""

from dataclasses import asdict, dataclass, field, fields
from json import JSONDecoder, dumps
from math import dist
from typing import Annotated

from pydantic import Field, TypeAdapter

_MARK = "notes="
_SAME_PLACE_M = 0.45
_BUMPS_KEPT = 16
_DECODER = JSONDecoder()

# A history may quote text of other origin: text outside these bounds is not a note.
_Metres = Annotated[float, Field(ge=-1_000, le=1_000)]
_Count = Annotated[int, Field(ge=0, le=1_000_000)]


@dataclass(slots=True)
class CubeNote:
    """A cube's colour, its place on the floor averaged over sightings, and their number."""

    color: str
    x_m: _Metres
    y_m: _Metres
    seen: _Count = 1


@dataclass(slots=True)
class Notes:
    """An agent's whole memory; updated during one step, then written down.

    Args:
        steps: how many steps the agent has taken.
        pose: x, y, heading at its last step; None at the first.
        action: its action at that step.
        walls: wall → {"empty" or a colour: how often that wall showed it}.
        cubes: where cubes are.
        bodies: colour → how often an agent of that colour was seen directly.
        bumps: places that blocked a movement, the latest last.
        target: the wall it wants to look at.
        turns: turns of the present look around.
        station: the next viewpoint.
        said: the identification that it stated at its last step.
        choice: the final choice of a colour.
        trail: its places at its last steps, for pictures of them; written if there are any.
    """

    steps: _Count = 0
    pose: tuple[_Metres, _Metres, _Metres] | None = None
    action: str = ""
    walls: dict[str, dict[str, _Count]] = field(default_factory=dict)
    cubes: list[CubeNote] = field(default_factory=list)
    bodies: dict[str, _Count] = field(default_factory=dict)
    bumps: list[tuple[_Metres, _Metres]] = field(default_factory=list)
    target: str = ""
    turns: _Count = 0
    station: _Count = 0
    said: str = ""
    choice: str = ""
    trail: list[tuple[_Metres, _Metres, _Metres]] = field(default_factory=list)

    def saw_on_wall(self, wall: str, what: str) -> None:
        """Note one more look at a wall, which showed a body of colour `what`, or "empty"."""
        counts = self.walls.setdefault(wall, {})
        counts[what] = counts.get(what, 0) + 1

    def saw_cube(self, color: str, x_m: float, y_m: float) -> None:
        """Note one more sighting, merged with an earlier one close by."""
        for cube in self.cubes:
            if cube.color == color and dist((cube.x_m, cube.y_m), (x_m, y_m)) < _SAME_PLACE_M:
                weight = 1 / min(cube.seen + 1, 6)
                cube.x_m = round(cube.x_m + weight * (x_m - cube.x_m), 2)
                cube.y_m = round(cube.y_m + weight * (y_m - cube.y_m), 2)
                cube.seen += 1
                return
        self.cubes.append(CubeNote(color, round(x_m, 2), round(y_m, 2)))

    def bumped_at(self, x_m: float, y_m: float) -> None:
        """Add a place that blocked a movement, and drop the oldest one."""
        self.bumps = [*self.bumps, (round(x_m, 2), round(y_m, 2))][-_BUMPS_KEPT:]

    def forget_bumps(self) -> None:
        """Drop the older half: the obstacles may have moved."""
        self.bumps = self.bumps[len(self.bumps) // 2 + 1 :]

    def cube(self, color: str) -> CubeNote | None:
        """Return the best known cube of a colour."""
        known = [cube for cube in self.cubes if cube.color == color]
        return max(known, key=lambda cube: cube.seen, default=None)

    def write(self, sentence: str) -> str:
        """Return a summary: a sentence for people, then the notes."""
        plain = {part.name: getattr(self, part.name) for part in fields(self)}
        if not self.trail:
            del plain["trail"]
        return f"{sentence} {_MARK}{dumps(plain, default=asdict, separators=(',', ':'))}"


def read_notes(history: str) -> Notes:
    """Return the latest notes in a history text; empty ones if it has no readable notes."""
    latest = Notes()
    for chunk in history.split(_MARK)[1:]:
        try:
            found, _ = _DECODER.raw_decode(chunk)
            notes = _NOTES.validate_python(found)
        except (ValueError, RecursionError):
            continue
        if notes.steps >= latest.steps:
            latest = notes
    return latest


_NOTES = TypeAdapter(Notes)
