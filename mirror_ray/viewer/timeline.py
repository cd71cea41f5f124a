"""An episode at a glance: one row per column, one cell per request.

Shown are short words that change, counts of pixels, and how each reply could be read."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.words import value_text
from sim_assets.colors import COLORS

SHORT_CHARS = 16
_MOST_BARS = 3
_IN_A_CELL_CHARS = 2
_NOTHING = frozenset({"none", "nothing"})
"""Values that mean that nothing was said: such cells stay empty."""


@dataclass(frozen=True, slots=True)
class TimelineCell:
    """One request in a track.

    Args:
        about: its value, in words.
        text: the text of the cell; "" if nothing fits.
        color: the body colour that the value names, or "".
        share: for counts: the share of the largest, 0 to 1.
        is_alert: something went wrong here.
    """

    ask: int
    about: str
    text: str = ""
    color: str = ""
    share: float | None = None
    is_alert: bool = False


@dataclass(frozen=True, slots=True)
class Track:
    """A row of cells, one per request."""

    name: str
    cells: tuple[TimelineCell, ...]


def tracks(steps: Sequence[StoredRow], own_columns: Sequence[str]) -> tuple[Track, ...]:
    """Return the rows for an episode; nothing if it has only one request. `own_columns` are the
    family's columns of the steps, in order."""
    if len(steps) < 2:
        return ()
    words = [name for name in own_columns if _tells_words([row[name] for row in steps])]
    counts = [
        name
        for name in own_columns
        if name.endswith("_px") and _is_count([row[name] for row in steps])
    ]
    return (
        *_turns(steps),
        *(_words(name, steps) for name in words),
        *(_bars(name, steps) for name in counts[:_MOST_BARS]),
        _replies(steps),
    )


def is_short(values: Sequence[Any]) -> bool:
    """Return whether all values are short texts, shown as badges rather than paragraphs."""
    return all(len(value or "") <= SHORT_CHARS for value in values)


def _tells_words(values: Sequence[Any]) -> bool:
    """Return whether a column deserves a row: short texts that differ, or that name a colour."""
    texts = [value for value in values if value is not None]
    if not all(isinstance(one, str) for one in texts) or not is_short(texts):
        return False
    words = set(texts)
    return bool(words - _NOTHING) and (len(set(values)) > 1 or bool(words & COLORS.keys()))


def _is_count(values: Sequence[Any]) -> bool:
    numbers = [value for value in values if value is not None]
    return all(isinstance(one, int) for one in numbers) and len(set(numbers)) > 1


def _turns(steps: Sequence[StoredRow]) -> tuple[Track, ...]:
    """Return whose turn each request was, by the first letter; nothing if there is only one
    role."""
    if len({row["role"] for row in steps}) < 2:
        return ()
    cells = (
        TimelineCell(row["ask"], f"{row['role']}, {row['model']}", text=row["role"][:1])
        for row in steps
    )
    return (Track("turn", tuple(cells)),)


def _words(name: str, steps: Sequence[StoredRow]) -> Track:
    values = [row[name] for row in steps]
    letters = _letters({value for value in values if value} - COLORS.keys() - _NOTHING)
    cells = (
        TimelineCell(
            row["ask"],
            value_text(value),
            text=letters.get(value, ""),
            color=value if value in COLORS else "",
        )
        for row, value in zip(steps, values, strict=True)
    )
    return Track(name, tuple(cells))


def _letters(words: Set[str]) -> Mapping[str, str]:
    """Return the letters shown in a cell for each word: as few as distinguish all words, or none if
    two letters do not suffice. With letters for only some words, the other cells would look
    empty."""
    for n_chars in range(1, _IN_A_CELL_CHARS + 1):
        if len({word[:n_chars] for word in words}) == len(words):
            return {word: word[:n_chars] for word in words}
    return {}


def _bars(name: str, steps: Sequence[StoredRow]) -> Track:
    largest = max(row[name] or 0 for row in steps)
    cells = (
        TimelineCell(row["ask"], value_text(row[name]), share=(row[name] or 0) / largest)
        for row in steps
    )
    return Track(name, tuple(cells))


def _replies(steps: Sequence[StoredRow]) -> Track:
    cells = []
    for row in steps:
        trouble = troubles(row)
        about = ", ".join(trouble) or "read as it came"
        cells.append(TimelineCell(row["ask"], about, is_alert=bool(trouble)))
    return Track("reply", tuple(cells))


def troubles(row: StoredRow) -> tuple[str, ...]:
    """Return the problems of a request, in a few words each."""
    found = []
    if row["error_kind"] != "none":
        found.append(f"error: {row['error_kind']}")
    if row["superseded"]:
        found.append("asked again")
    if row["parse_status"] not in (None, "strict"):
        found.append(f"reply {row['parse_status']}")
    return tuple(found)
