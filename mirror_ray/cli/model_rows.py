"""The rows of a plan's models: one per model, or for many models their groups and the
exceptions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from mirror_ray.engine.driver.model_groups import MOST_MODEL_ROWS, grouped, traits_of
from mirror_ray.providers.model import Model
from mirror_ray.sweep.duration import Timetable
from mirror_ray.sweep.estimate import CellEstimate, by_model
from mirror_ray.sweep.ranges import together

GROUPS_OPTION = "groups"
STANDING_OUT = 10
"""How many models are named because they cost or take most."""


@dataclass(frozen=True, slots=True)
class ModelRows:
    """One row of a table: a model, or several with their common values. `section` is the part of
    the table that it belongs to; "" in a table of one part."""

    label: str
    models: tuple[str, ...]
    cells: tuple[CellEstimate, ...]
    section: str = ""


def model_rows(
    cells: Sequence[CellEstimate], models: Mapping[str, Model], times: Timetable, *, every: bool
) -> list[ModelRows]:
    """Return the rows of all models. Of more than `MOST_MODELS`, return their groups by lab, family
    and limits, then the dearest and the slowest models.

    Args:
        every: return one row per model, however many there are.
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
    bills = {name: together([one.whole for one in mine]) for name, mine in each.items()}
    costs = {name: one.cost_usd.expected if one.cost_usd else 0.0 for name, one in bills.items()}
    waits = {name: times.keys[models[name].limits.key].time_s.expected for name in each}
    for section, figures in (("dearest", costs), ("slowest", waits)):
        highest = sorted(figures, key=lambda name: (-figures[name], name))[:STANDING_OUT]
        rows += [ModelRows(name, (name,), each[name], section) for name in highest if figures[name]]
    return rows
