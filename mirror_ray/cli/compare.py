"""`mirror-ray compare` compares two runs cell by cell on equal scenes, and lists other
differences."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pyarrow as pa
from rich.cells import cell_len
from rich.console import Group, JustifyMethod, RenderableType
from rich.table import Table
from rich.text import Text

from mirror_ray.analysis.compare import CELL, Comparison, compare
from mirror_ray.analysis.readable import readable
from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.run_differences import run_differences
from mirror_ray.analysis.summary_cells import MOSTLY_UNREAD, is_mostly_unread
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli.directories import manifests_of
from mirror_ray.cli.row_formats import rows_text
from mirror_ray.cli.show import console, new_table, print_json
from mirror_ray.cli.variables import read_variables
from mirror_ray.core.errors import SweepError
from mirror_ray.core.first_names import first_names
from mirror_ray.core.identity import variant_words
from mirror_ray.core.terminal import say
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.engine.driver.money import MISSING

_MOST_PAIRS = 1_000
_MOST_CELLS = 30
"""Cells shown per family: a thousand models have thousands."""
_CLEAR = 0.05
_PAIR = (*CELL, "metric", "cluster", "scene_seed", "run", "a", "b", "episode_a", "episode_b")


def main(arguments: Namespace) -> int:
    """Print one row per cell and metric that both runs have."""
    manifests = manifests_of(arguments.directories)
    if len(manifests) != 2:
        raise SweepError(
            "command line: A B",
            f"{len(manifests)} run director{'y' if len(manifests) == 1 else 'ies'}",
            "two, of which the second is compared with the first",
            "name two; `mirror-ray sql` and `report` read any number as one",
        )
    named_a, named_b = manifests
    variables = read_variables(arguments.set)
    with (
        readable(tuple(manifests), "the runs cannot be compared"),
        open_run(named_a, variables=variables, hold=True) as a,
        open_run(named_b, variables=variables, hold=True) as b,
    ):
        found = compare(a, b, _metrics(a, arguments.metrics))
        differ = run_differences(a, b, tuple(manifests.values()))
    _require_common(found)
    chosen = found.discordant if arguments.pairs else found.rows()
    if arguments.json:
        print_json(
            {
                "cells": found.rows(),
                "differences": differ,
                "only_a": [dict(zip(CELL, cell, strict=True)) for cell in found.only_a],
                "only_b": [dict(zip(CELL, cell, strict=True)) for cell in found.only_b],
                **({"pairs": found.discordant} if arguments.pairs else {}),
            }
        )
    elif arguments.format in ("csv", "md", "tex"):
        print(rows_text(arguments.format, pa.Table.from_pylist(list(chosen))), end="")
    else:
        console.print(f"A: {named_a}\nB: {named_b}", soft_wrap=True, markup=False)
        _print(found, differ, arguments)
    return 0


def _metrics(run: duckdb.DuckDBPyConnection, wanted: Sequence[str]) -> Sequence[str]:
    if not wanted:
        return []
    rows = run.execute("select distinct metric from metric.scores order by metric").fetchall()
    known = [name for (name,) in rows]
    if wrong := [name for name in wanted if name not in known]:
        raise SweepError(
            "command line: --metrics", repr(wrong[0]), ", ".join(known), "name some of these"
        )
    return wanted


def _require_common(found: Comparison) -> None:
    if found.cells:
        return
    cells = (_cell(side[0]) if side else "none" for side in (found.only_a, found.only_b))
    raise SweepError(
        "command line: A B",
        f"runs without a common cell that is scored on a common scene: {' and '.join(cells)}, e.g.",
        "runs with some equal families, conditions, models, temperatures and variants",
        "for other comparisons read both as one: mirror-ray sql A B 'from contrast.pairs'",
    )


def _print(found: Comparison, differ: Sequence[str], arguments: Namespace) -> None:
    for family in dict.fromkeys(one.family for one in found.cells):
        rows = [row for row in found.rows() if row["family"] == family]
        # A cell without read replies is neither higher in either run, nor equal.
        equal = [
            row
            for row in rows
            if not (row["difference"] is None or row["higher_a"] or row["higher_b"])
        ]
        unequal = [row for row in rows if row not in equal]
        first, n_cells = _clearest(unequal or rows)
        console.print(_table(family, first))
        if n_cells > _MOST_CELLS:
            console.print(
                f"{_MOST_CELLS} of {n_cells:,} cells{' that differ' if unequal else ''}, by the"
                " least p and the largest difference; --json or --format csv has them all.",
                markup=False,
            )
            for line in _by_metric(unequal):
                console.print(line, markup=False)
        if unequal and equal:
            counts = Counter(row["metric"] for row in equal)
            listed = ", ".join(f"{metric} in {n:,}" for metric, n in counts.items())
            console.print(f"Equal in every unit, by cells: {listed}.", markup=False)
    console.print(
        "n: units (scenes, strings, questions, …) that both runs have; read: replies of A, of"
        " B; B - A with its BCa interval;"
        " A:B: units in which A, and in which B is higher; p: exact McNemar or sign test over"
        " these, and adjusted by Holm over a metric's cells; none where a run stopped early or"
        " under half was read.",
        markup=False,
    )
    for name, side in (("A", found.only_a), ("B", found.only_b)):
        if side:
            say(console, f"Only in {name}: {first_names(list(map(_cell, side)), 5, '; ')}")
    console.print(
        "Besides:" if differ else "Models, words, programs and settings: no difference is recorded."
    )
    for line in differ:
        say(console, f"  {line}")
    if arguments.pairs and not found.discordant:
        console.print("No pair differs.")
    elif arguments.pairs:
        console.print(_pairs(found.discordant))
        more_pairs = len(found.discordant) - _MOST_PAIRS
        if more_pairs > 0:
            console.print(f"… and {more_pairs:,} more: --json or --format csv has them all")
    elif found.discordant:
        n_pairs = len(found.discordant)
        many = "1 pair differs: --pairs shows it"
        console.print(many if n_pairs == 1 else f"{n_pairs:,} pairs differ: --pairs lists them")


def _clearest(rows: Sequence[Row]) -> tuple[Sequence[Row], int]:
    """Return the rows of the `_MOST_CELLS` clearest cells in their order, and the number of
    cells."""
    cells: dict[tuple[object, ...], tuple[float, float]] = {}
    for row in rows:
        cell = tuple(row[key] for key in CELL)
        least = (1.0 if row["p"] is None else row["p"], -abs(row["difference"] or 0))
        cells[cell] = min(least, cells.get(cell, least))
    if len(cells) <= _MOST_CELLS:
        return rows, len(cells)
    chosen = set(sorted(cells, key=lambda cell: cells[cell])[:_MOST_CELLS])
    return [row for row in rows if tuple(row[key] for key in CELL) in chosen], len(cells)


def _by_metric(rows: Sequence[Row]) -> Iterator[str]:
    for metric in sorted({row["metric"] for row in rows}):
        own = [row for row in rows if row["metric"] == metric]
        ahead = [sum(sign * (row["difference"] or 0) > 0 for row in own) for sign in (-1, 1)]
        n_clear = sum(row["p_holm"] is not None and row["p_holm"] < _CLEAR for row in own)
        yield (
            f"  {metric}: higher in A in {ahead[0]:,} cells, in B in {ahead[1]:,};"
            f" p (Holm) < {_CLEAR} in {n_clear:,}"
        )


def _table(family: str, rows: Sequence[Row]) -> Group:
    keys = [key for key in CELL[1:] if len({row[key] for row in rows}) > 1]
    shared = {key: rows[0][key] for key in CELL[1:] if key not in keys}
    common = [_named(key, value) for key, value in shared.items() if value is not None]
    cells: dict[str, list[Row]] = {}
    for row in rows:
        cells.setdefault(" · ".join(_named(key, row[key]) for key in keys), []).append(row)
    figures = {name: [_figures(row) for row in members] for name, members in cells.items()}
    widths = _widths([shown for members in figures.values() for shown in members])
    drawn: list[RenderableType] = [Text(" · ".join([family, *common]), style="italic")]
    for place, (name, members) in enumerate(figures.items()):
        if name:
            drawn.append(Text(name, style="bold"))
        table = Table(box=None, padding=(0, 1), pad_edge=False, show_header=not place)
        for column, width in widths.items():
            justify: JustifyMethod = "left" if column == "metric" else "right"
            table.add_column(column, justify=justify, width=width, no_wrap=column != "metric")
        for shown in members:
            table.add_row(*(shown[column] for column in widths))
        drawn.append(table)
    return Group(*drawn)


def _widths(rows: Sequence[Mapping[str, Text]]) -> dict[str, int]:
    widths = {
        name: max(
            cell_len(name),
            *(cell_len(line) for row in rows for line in row[name].plain.split("\n")),
        )
        for name in rows[0]
    }
    for least in ("p", "A"):
        if sum(widths.values()) + 2 * len(widths) > console.width:
            del widths[least]
    return widths


def _figures(row: Row) -> dict[str, Text]:
    ends = [_figure(row[end]) for end in ("ci_low", "ci_high")]
    difference = Text(_figure(row["difference"]))
    if MISSING not in ends:
        difference.append(f"\n{' to '.join(ends)}", style="dim")
    p, holm = (MISSING if row[key] is None else f"{row[key]:.2g}" for key in ("p", "p_holm"))
    return {
        "metric": Text.assemble(_word(row["metric"]), (_read_words(row), "dim")),
        "n": Text(f"{row['n']:,}"),
        "A": Text(_side(row, "a")),
        "B": Text(_side(row, "b")),
        "B - A": difference,
        "A:B": Text(f"{row['higher_a']:,}:{row['higher_b']:,}"),
        "p": Text(p),
        "Holm": Text(holm),
    }


def _read_words(row: Row) -> str:
    counts = [(row[f"n_read_{side}"], row[f"n_replies_{side}"]) for side in "ab"]
    if all(n_read == n for n_read, n in counts):
        return ""
    said = (MISSING if n is None else f"{n_read:,} of {n:,}" for n_read, n in counts)
    return f"\nread {', '.join(said)}"


def _side(row: Row, side: str) -> str:
    counts = {"n_read": row[f"n_read_{side}"], "n_replies": row[f"n_replies_{side}"]}
    return f"{_figure(row[side])}{f' {MOSTLY_UNREAD}' if is_mostly_unread(counts) else ''}"


def _named(key: str, value: object) -> str:
    if key == "variant":
        return variant_words(_word(value))
    return f"{key} {_word(value)}" if key == "temperature" else _word(value)


def _pairs(pairs: Sequence[Row]) -> Table:
    shown = pairs[:_MOST_PAIRS]
    keys = [key for key in _PAIR if key in ("metric", "cluster", "a", "b") or key not in CELL]
    keys = [key for key in CELL if len({row[key] for row in shown}) > 1] + keys
    if all(row["episode_a"] == row["episode_b"] for row in shown):
        keys.remove("episode_b")
    table = new_table(*keys, title="pairs that differ", left=len(keys))
    for row in shown:
        table.add_row(*(_word(row[key]) for key in keys))
    return table


def _cell(cell: Sequence[object]) -> str:
    named = zip(CELL, cell, strict=True)
    return " ".join(_named(key, part) for key, part in named if part is not None)


def _word(value: object) -> str:
    if value is None:
        return MISSING
    return f"{value:g}" if isinstance(value, float) else one_printable_line(str(value))


def _figure(value: float | None) -> str:
    return MISSING if value is None else f"{value:.2g}" if abs(value) < 1 else f"{value:.3g}"
