"""The table of `mirror-ray status`: models down, conditions across, within the terminal's width."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.table import Table

from mirror_ray.cli.show import count
from mirror_ray.engine.driver.cost_forecast import ModelCosts
from mirror_ray.engine.driver.fitted_table import FittedColumn, fits, fitted_table
from mirror_ray.engine.driver.money import spent_cell, usd

MOST_CONDITIONS = 6
"""Side by side."""

_Row = tuple[Any, ...]


def status_table(rows: Sequence[_Row], costs: Mapping[str, ModelCosts], width: int) -> Table:
    """A row a model: done of planned, by condition where there is room for that, else by family or
    in all; then its totals.

    Args:
        rows: of `mirror_ray.cli.status.COLUMNS`.
    """
    models = list(dict.fromkeys(row[2] for row in rows))
    mine = {model: [row for row in rows if row[2] == model] for model in models}

    def column(title: str, cell: Callable[[str], str], rank: int) -> FittedColumn:
        return FittedColumn(title, tuple(cell(model) for model in models), rank)

    def sums(title: str, place: int, rank: int) -> FittedColumn:
        def cell(model: str) -> str:
            total = sum(row[place] for row in mine[model])
            return count(total) if total or place == _ASKS else ""

        return column(title, cell, rank)

    def money(title: str, amount: Callable[[ModelCosts], str], rank: int) -> FittedColumn:
        return column(title, lambda model: amount(costs[model]), rank)

    totals = [
        sums("failed", 5, 2),
        sums("unpaid", 9, 2),
        sums("asks", _ASKS, 5),
        money("spent", lambda one: spent_cell(one.known_usd, one.unpriced), 1),
        money("budget", lambda one: "" if one.ceiling_usd is None else usd(one.ceiling_usd), 4),
        money("in all", lambda one: usd(one.projected_usd), 3),
    ]
    played = [
        [
            column(title, lambda model, of=of: _progress(mine[model], of), 0)  # type: ignore[misc]
            for title, of in columns.items()
        ]
        for columns in _ways(rows)
    ]
    spent = [one for one in totals if one.title == "spent"]
    chosen = next((one for one in played if fits(models, [*one, *spent], width)), played[-1])
    return fitted_table(models, [*chosen, *totals], width)


_ASKS = 6


def _ways(rows: Sequence[_Row]) -> list[dict[str, set[tuple[str, str]]]]:
    """Ways to head the columns of progress, the fullest first: title → (family, condition)."""
    cells = list(dict.fromkeys((row[0], row[1]) for row in rows))
    families = list(dict.fromkeys(family for family, _ in cells))
    by_condition = {
        (f"{family} {condition}" if len(families) > 1 else condition): {(family, condition)}
        for family, condition in cells
    }
    by_family = {family: {cell for cell in cells if cell[0] == family} for family in families}
    ways = [by_condition] if len(cells) <= MOST_CONDITIONS else []
    return [*ways, *([by_family] if len(families) > 1 else []), {"done": set(cells)}]


def _progress(rows: Sequence[_Row], of: set[tuple[str, str]]) -> str:
    chosen = [row for row in rows if (row[0], row[1]) in of]
    if not chosen:
        return ""
    return f"{sum(row[4] for row in chosen):,}/{sum(row[3] for row in chosen):,}"
