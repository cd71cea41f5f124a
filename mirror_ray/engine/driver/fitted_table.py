"""A table with one row per model, fitted to a terminal's width. It drops empty columns, then the
least important ones, and shortens names while keeping them distinct."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.table import Table
from rich.text import Text

from mirror_ray.core.untrusted import one_printable_line

FEWEST_CELLS = 20
"""A name keeps this width unless all are shorter: columns are dropped before names are
shortened."""

_GAP = 2


@dataclass(frozen=True, slots=True)
class FittedColumn:
    """A column of figures, with a cell for each model. Columns of the highest `rank` are dropped
    first, those of rank 0 never."""

    title: str
    cells: tuple[str, ...]
    rank: int = 1

    @property
    def width(self) -> int:
        """The width in terminal cells."""
        return max(cell_len(text) for text in (self.title, *self.cells))


def fits(models: Sequence[str], columns: Sequence[FittedColumn], width: int) -> bool:
    """Return whether a table has room for every column that is not empty."""
    filled = [column for column in columns if any(column.cells)]
    return _needed(filled) + min(FEWEST_CELLS, _longest(models)) <= width


def fitted_table(
    models: Sequence[str],
    columns: Sequence[FittedColumn],
    width: int,
    titles: Mapping[int, str] = MappingProxyType({}),
) -> Table:
    """Return the lines of a table at most `width` cells wide if possible.

    Args:
        models: names, or labels of groups; repeats are allowed.
        titles: row index → the heading above it, of at most `FEWEST_CELLS` cells.
    """
    shown = [column for column in columns if any(column.cells)]
    least = max(min(FEWEST_CELLS, _longest(models)), *map(cell_len, titles.values()), 0)
    while _needed(shown) + least > width and any(column.rank for column in shown):
        last = max(column.rank for column in shown)
        # Of equal ones, the last.
        place = max(i for i, column in enumerate(shown) if column.rank == last)
        del shown[place]
    names = fitted_names(models, max(8, width - _needed(shown)))
    table = Table(box=None, padding=(0, 1, 0, 1), pad_edge=False, header_style="bold")
    table.add_column("model", no_wrap=True)
    for column in shown:
        table.add_column(column.title, justify="right", no_wrap=True)
    for place, model in enumerate(models):
        if place in titles:
            table.add_row(Text(titles[place], style="bold dim"))
        table.add_row(names[model], *(column.cells[place] for column in shown))
    return table


def _needed(columns: Sequence[FittedColumn]) -> int:
    return sum(column.width + _GAP for column in columns)


def _longest(models: Sequence[str]) -> int:
    return max((cell_len(name) for name in last_parts(models).values()), default=0)


_HEADS = (0.5, 0.7, 0.3, 0.85, 0.15)
"""The share of the room that the beginning of a shortened name gets."""


def fitted_names(models: Iterable[str], cells: int) -> Mapping[str, str]:
    """Return each model's name in at most `cells` terminal cells (at least 8), in the order given.

    All whole names are kept if they fit; otherwise the last part, if it identifies the model.
    Longer names lose their middle, so that all differ, if necessary by a number."""
    names = {model: _line(model) for model in models}
    short = last_parts(names)
    width = max(8, cells)
    fit_whole = all(cell_len(name) <= width for name in names.values())
    if fit_whole and len(set(names.values())) == len(names):
        return names
    for head in _HEADS:
        fitted = {model: _without_middle(name, width, head) for model, name in short.items()}
        if len(set(fitted.values())) == len(fitted):
            return fitted
    return _numbered(short, width)


def last_parts(models: Iterable[str]) -> Mapping[str, str]:
    """Return the last part of each model's name, or the whole name if others have the same last
    part."""
    names = {model: _line(model) for model in models}
    last = {model: name.rsplit("/", 1)[-1] or name for model, name in names.items()}
    shared = {name for name, n in Counter(last.values()).items() if n > 1}
    return {model: names[model] if name in shared else name for model, name in last.items()}


def _line(model: str) -> str:
    return one_printable_line(model, 1_000) or "(no name)"


def _numbered(short: Mapping[str, str], width: int) -> Mapping[str, str]:
    fitted: dict[str, str] = {}
    taken: set[str] = set()
    for place, (model, name) in enumerate(short.items(), start=1):
        found = _without_middle(name, width, 0.5)
        numbers = count(place)
        while found in taken:
            number = f" ({next(numbers)})"
            found = _without_middle(name, width - len(number), 0.5) + number
        taken.add(found)
        fitted[model] = found
    return fitted


def _without_middle(name: str, cells: int, head: float) -> str:
    if cell_len(name) <= cells:
        return name
    first = int((cells - 1) * head)
    kept = set_cell_size(name, first).rstrip() if first else ""
    left = cells - 1 - cell_len(kept)
    # From behind: the end of a name is cut off its reversed form.
    ending = chop_cells(name[::-1], left)[0][::-1] if left > 0 else ""
    return f"{kept}…{ending}"
