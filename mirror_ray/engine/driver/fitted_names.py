"""Names of models within a number of terminal cells, no two of them the same."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import count

from rich.cells import cell_len, chop_cells, set_cell_size

from mirror_ray.core.untrusted import one_printable_line

_HEADS = (0.5, 0.7, 0.3, 0.85, 0.15)
"""Which share of a name that is too long its beginning may have."""


def fitted_names(models: Iterable[str], cells: int) -> Mapping[str, str]:
    """Return model → its name in at most `cells` terminal cells (at least 8), in the order given.

    Whole names if all fit; otherwise the last part where that identifies the model. Longer ones
    lose their middle so that all differ, if need be by a number.
    """
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
    return _numbered(short, lambda name, room: _without_middle(name, room, 0.5), width)


def last_parts(models: Iterable[str]) -> Mapping[str, str]:
    """Model → the last part of its name, or its whole name where others have the same."""
    names = {model: _line(model) for model in models}
    last = {model: name.rsplit("/", 1)[-1] or name for model, name in names.items()}
    shared = {name for name, n in Counter(last.values()).items() if n > 1}
    return {model: names[model] if name in shared else name for model, name in last.items()}


def _line(model: str) -> str:
    return one_printable_line(model, 1_000) or "(no name)"


def _numbered(
    short: Mapping[str, str], fit: Callable[[str, int], str], width: int
) -> Mapping[str, str]:
    fitted: dict[str, str] = {}
    taken: set[str] = set()
    for place, (model, name) in enumerate(short.items(), start=1):
        found = fit(name, width)
        numbers = count(place)
        while found in taken:
            number = f" ({next(numbers)})"
            found = fit(name, width - len(number)) + number
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
