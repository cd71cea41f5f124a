"""The rows of a plan's models: one each, or for many models their groups and the exceptions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from mirror_ray.engine.driver.model_groups import MOST_MODEL_ROWS, grouped, traits_of
from mirror_ray.providers.model import Model
from mirror_ray.sweep.bills import together
from mirror_ray.sweep.duration import Timetable
from mirror_ray.sweep.estimate import CellEstimate, by_model

GROUPS_OPTION = "groups"
_STANDING_OUT = 10


@dataclass(frozen=True, slots=True)
class ModelRows:
    """One row of a table: a model, or several with what they have in common.

    Args:
        section: the part of the table that it belongs to; "" in a table of one part.
    """

    label: str
    models: tuple[str, ...]
    cells: tuple[CellEstimate, ...]
    section: str = ""


def model_rows(
    cells: Sequence[CellEstimate], models: Mapping[str, Model], times: Timetable, *, every: bool
) -> list[ModelRows]:
    """Return the rows of all models, or of more than `MOST_MODELS`: their groups by lab, family and
    limits, then the dearest and the slowest.

    Args:
        every: each model its own row, however many there are.
    """
    each = by_model(cells)
    alone = {name: ModelRows(name, (name,), mine) for name, mine in each.items()}
    if every or len(each) <= MOST_MODEL_ROWS:
        return list(alone.values())
    groups = grouped({name: traits_of(name, asdict(models[name])) for name in each})
    rows = [
        ModelRows(
            f"{label}: {len(names):,} models",
            tuple(names),
            tuple(cell for name in names for cell in each[name]),
            GROUPS_OPTION,
        )
        for label, names in groups.items()
    ]
    costs = {name: _usd(mine) for name, mine in each.items()}
    waits = {name: times.keys[models[name].limits.key].time_s.expected for name in each}
    for section, figures in (("dearest", costs), ("slowest", waits)):
        rows += [
            ModelRows(name, (name,), each[name], section)
            for name in _highest(figures)
            if figures[name]
        ]
    return rows


def names_text(names: Sequence[str], most: int = _STANDING_OUT) -> str:
    """Return names for a sentence: all of them, or the first ones and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more (--all)" if more > 0 else "")


def _highest(figures: Mapping[str, float]) -> list[str]:
    return sorted(figures, key=lambda name: (-figures[name], name))[:_STANDING_OUT]


def _usd(cells: Sequence[CellEstimate]) -> float:
    cost = together([one.whole for one in cells]).cost_usd
    return 0.0 if cost is None else cost.expected
