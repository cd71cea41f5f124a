"""A table with one row per model, fitted to a terminal's width: it drops empty columns, then the
least important ones, and shortens names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from mirror_ray.engine.driver.fitted_names import fitted_names, last_parts

FEWEST_CELLS = 20
"""Of a name, unless all are shorter: columns give way before names do."""

_GAP = 2


@dataclass(frozen=True, slots=True)
class FittedColumn:
    """A column of figures.

    Args:
        cells: a text for each model.
        rank: columns of the highest rank are dropped first; those of rank 0 never.
    """

    title: str
    cells: tuple[str, ...]
    rank: int = 1

    @property
    def width(self) -> int:
        """In terminal cells."""
        return max(cell_len(text) for text in (self.title, *self.cells))


def fits(models: Sequence[str], columns: Sequence[FittedColumn], width: int) -> bool:
    """Whether a table has room for every column that is not empty."""
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
        # Of equal ones the last.
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
