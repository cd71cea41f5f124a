"""The live table: a row per model or, if there is not enough room, groups and some single
models."""

from collections.abc import Iterable, Mapping, Sequence

from rich.table import Table

from mirror_ray.engine.driver.fitted_table import FittedColumn, fitted_table
from mirror_ray.engine.driver.model_counts import ModelLine, sum_of_lines
from mirror_ray.engine.driver.model_groups import (
    MOST_MODEL_ROWS,
    TableRow,
    Traits,
    rows_of_many,
    titles_of,
)
from mirror_ray.engine.driver.money import MISSING, spent_cell, usd_words
from mirror_ray.engine.driver.rough_figures import time_left

FEWEST_ROWS = 5


def progress_table(
    lines: Sequence[ModelLine], traits: Mapping[str, Traits], width: int, height: int
) -> tuple[Table, int]:
    """Return the table for this width and height, head included, and the number of models left
    out."""
    rows, more = _rows(lines, traits, height - 1)
    by_name = {one.model: one for one in lines}
    shown = [
        by_name[row.models[0]]
        if row.models == (row.label,)
        else sum_of_lines(row.label, [by_name[name] for name in row.models])
        for row in rows
    ]
    return fitted_table(
        [row.label for row in rows], _columns(rows, shown), width, titles_of(rows)
    ), more


def _rows(
    lines: Sequence[ModelLine], traits: Mapping[str, Traits], height: int
) -> tuple[list[TableRow], int]:
    if len(lines) <= height:
        return [TableRow(one.model, (one.model,)) for one in lines], 0
    if len(lines) <= MOST_MODEL_ROWS:
        chosen = _most_telling(lines, height)
        return [TableRow(one.model, (one.model,)) for one in chosen], len(lines) - len(chosen)
    trouble = {one.model: _trouble(one) for one in lines if any(_trouble(one))}
    done = {one.model: one.done / max(1, one.planned) for one in lines}
    return rows_of_many(traits, done, trouble, height), 0


def _trouble(line: ModelLine) -> tuple[int, int, int]:
    return line.unreachable is not None, line.failed, line.unpaid


def _most_telling(lines: Sequence[ModelLine], rows: int) -> Sequence[ModelLine]:
    ranked = sorted(
        lines, key=lambda one: (one.unreachable is None, not one.failed, -one.waiting, -one.calls)
    )
    chosen = {one.model for one in ranked[:rows]}
    return [one for one in lines if one.model in chosen]


def _columns(rows: Sequence[TableRow], lines: Sequence[ModelLine]) -> list[FittedColumn]:
    def column(title: str, cells: Iterable[str], rank: int) -> FittedColumn:
        return FittedColumn(title, tuple(cells), rank)

    # Short episodes end first, so their mean may predict less than was already spent.
    in_all = [
        spent_cell(costs.projected_usd, costs.unpriced)
        if (costs.projected_usd or 0.0) > costs.spent_usd
        else MISSING
        for costs in (one.costs for one in lines)
    ]
    return [
        column("models", (row.size for row in rows), 0),
        column("episodes", (f"{one.done:,}/{one.planned:,}" for one in lines), 0),
        column("errors", (_some(one.failed) for one in lines), 2),
        column("unpaid", (_some(one.unpaid) for one in lines), 2),
        column("calls", (f"{one.calls:,}" for one in lines), 6),
        column("waiting", (f"{one.waiting:,}" for one in lines), 4),
        column("retried", (_some(sum(one.retried.values())) for one in lines), 3),
        # As wide as most ranges, so that other columns do not come and go with it.
        column("left".rjust(11), map(_left, lines), 2),
        column("spent", (spent_cell(one.costs.known_usd, one.costs.unpriced) for one in lines), 1),
        column("reserved", (_some_usd(one.costs.reserved_usd) for one in lines), 8),
        column("budget", (_some_usd(one.costs.ceiling_usd) for one in lines), 7),
        column("in all", in_all if any(one != MISSING for one in in_all) else (), 5),
        column("latency", map(_latency, lines), 9),
    ]


def _left(line: ModelLine) -> str:
    return "" if line.left_s is None or not line.left_s.high else time_left(line.left_s)


def _latency(line: ModelLine) -> str:
    return MISSING if line.latency_s is None else f"{line.latency_s:.2f} s"


def _some(number: int) -> str:
    return f"{number:,}" if number else ""


def _some_usd(amount: float | None) -> str:
    return usd_words(amount) if amount else ""
