"""The table of `mirror-ray status`: a row per model, a column per condition, fitted in width."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from rich.table import Table

from mirror_ray.cli.show import count
from mirror_ray.engine.driver.cost_forecast import ModelCosts, sum_of
from mirror_ray.engine.driver.fitted_table import FittedColumn, fits, fitted_table
from mirror_ray.engine.driver.model_groups import (
    MOST_MODEL_ROWS,
    TableRow,
    rows_of_many,
    titles_of,
    traits_of,
)
from mirror_ray.engine.driver.money import spent_cell, usd_words

MOST_CONDITIONS = 6
"""Most conditions shown side by side."""

_Row = tuple[Any, ...]


def status_table(
    rows: Sequence[_Row],
    costs: Mapping[str, ModelCosts],
    width: int,
    table_rows: Sequence[TableRow],
) -> Table:
    """Return a row per model or group: done of planned, by condition if there is room, else by
    family or in all; then the totals.

    Args:
        rows: with `mirror_ray.cli.run_status.STATUS_COLUMNS`.
    """
    of_model: defaultdict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        of_model[row[2]].append(row)
    mine = [[row for model in one.models for row in of_model[model]] for one in table_rows]
    money_of = [sum_of([costs[model] for model in one.models]) for one in table_rows]
    labels = [one.label for one in table_rows]

    def sums(title: str, place: int, rank: int) -> FittedColumn:
        def cell(members: Sequence[_Row]) -> str:
            total = sum(row[place] for row in members)
            return count(total) if total or place == _ASKS else ""

        return FittedColumn(title, tuple(map(cell, mine)), rank)

    def money(title: str, amount: Callable[[ModelCosts], str], rank: int) -> FittedColumn:
        return FittedColumn(title, tuple(map(amount, money_of)), rank)

    sizes = FittedColumn("models", tuple(one.size for one in table_rows), 0)
    totals = [
        sums("errors", 5, 2),
        sums("unpaid", 9, 2),
        *([sums("asks", _ASKS, 5)] if all(row[_ASKS] is not None for row in rows) else []),
        money("spent", lambda one: spent_cell(one.known_usd, one.unpriced), 1),
        money(
            "budget", lambda one: "" if one.ceiling_usd is None else usd_words(one.ceiling_usd), 4
        ),
        money("in all", lambda one: spent_cell(one.projected_usd, one.unpriced), 3),
    ]
    played = [
        [
            FittedColumn(title, tuple(_progress(members, of) for members in mine), 0)
            for title, of in columns.items()
        ]
        for columns in _ways(rows)
    ]
    spent = [one for one in totals if one.title == "spent"]
    narrow = (one for one in played if fits(labels, [sizes, *one, *spent], width))
    chosen = next(narrow, played[-1])
    return fitted_table(labels, [sizes, *chosen, *totals], width, titles_of(table_rows))


_ASKS = 6


def _ways(rows: Sequence[_Row]) -> list[dict[str, set[tuple[str, str]]]]:
    """Return the possible headings of the progress columns, the most detailed first. Each maps a
    title to (family, condition) pairs."""
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


def status_rows(
    rows: Sequence[tuple[Any, ...]],
    entries: Mapping[str, Mapping[str, Any]],
    unreachable: Collection[str],
    *,
    every: bool,
) -> list[TableRow]:
    """Return a row per model. Of more than `MOST_MODELS`, return their groups by lab, family and
    limits, models with problems (unreachable, failed, unpaid), the first and the last by progress.

    Args:
        rows: with `mirror_ray.cli.run_status.STATUS_COLUMNS`.
        entries: model → its entry in the manifest.
        every: return one row per model, however many there are.
    """
    models = list(dict.fromkeys(row[2] for row in rows))
    if every or len(models) <= MOST_MODEL_ROWS:
        return [TableRow(name, (name,)) for name in models]
    planned, done, failed, unpaid = (_sums(rows, place) for place in (3, 4, 5, 9))
    trouble = {name: (name in unreachable, failed[name], unpaid[name]) for name in models}
    return rows_of_many(
        {name: traits_of(name, entries.get(name, {})) for name in models},
        {name: done[name] / max(1, planned[name]) for name in models},
        {name: kinds for name, kinds in trouble.items() if any(kinds)},
    )


def _sums(rows: Sequence[tuple[Any, ...]], place: int) -> Counter[str]:
    sums = Counter[str]()
    for row in rows:
        sums[row[2]] += row[place]
    return sums
