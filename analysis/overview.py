"""One table per family for the end of a run: the leading metric, models by conditions."""

from collections.abc import Sequence
from itertools import groupby
from statistics import fmean
from typing import TypeAlias

from rich.table import Table
from rich.text import Text

from mirror_ray.analysis.summary_cells import (
    UNDEFINED,
    WIDE,
    SummaryRow,
    broken,
    display_name,
    first_and_last,
    fitted_tables,
    is_mostly_unread,
    metric_cell,
    model_cell,
    name_width,
    whole_lines,
)
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.identity import variant_words

_Setting: TypeAlias = tuple[str, str, float | None, str]
"""Family, condition, temperature and variant."""
_HEADER_CELLS = 14


def overview_tables(
    groups: Sequence[tuple[_Setting, Sequence[SummaryRow]]], width: int
) -> list[Table]:
    """Return one table of the leading metric per family: a row per model, a column per condition
    and setting.

    Args:
        groups: each setting's rows of `summary_rows`, sorted by family.
        width: columns of the terminal.
    """
    tables: list[Table] = []
    for family, members in groupby(groups, key=lambda group: group[0][0]):
        leading = METRICS[family].leading
        settings = {
            setting: {row["model"]: row for row in rows if row["metric"] == leading}
            for setting, rows in members
        }
        tables += _tables(family, leading, settings, width)
    return tables


def _tables(
    family: str, leading: str, settings: dict[_Setting, dict[str, SummaryRow]], width: int
) -> list[Table]:
    of_model: dict[str, list[SummaryRow]] = {}
    for found in settings.values():
        for model, row in found.items():
            of_model.setdefault(model, []).append(row)
    means = {model: _mean(rows) for model, rows in of_model.items()}
    names, left_out = first_and_last(means, "their mean")
    cells_of_names = name_width(names, width)
    is_wide = width >= WIDE
    rows = [
        (
            model_cell(model, _sum(of_model[model]), cells_of_names),
            [
                metric_cell(found[model], is_wide) if model in found else Text(UNDEFINED, "dim")
                for found in settings.values()
            ],
        )
        for model in names
    ]
    temperatures = {temperature for _, _, temperature, _ in settings}
    variants = {variant for _, _, _, variant in settings}
    shared = [display_name(leading)]
    if len(temperatures) == 1 and (only := next(iter(temperatures))) is not None:
        shared.append(f"temperature {only:g}")
    if len(variants) == 1:
        shared.append(variant_words(next(iter(variants))))
    tables = fitted_tables(
        Text.assemble((f"\n{family}", "bold"), (f" {' · '.join(shared)}", "dim")),
        "model",
        [_header(setting, len(temperatures) > 1, len(variants) > 1) for setting in settings],
        rows,
        width=width,
        least=7 if is_wide else 5,
    )
    if left_out:
        tables[-1].caption = whole_lines(left_out, width)
    return tables


def _header(setting: _Setting, with_temperature: bool, with_variant: bool) -> str:
    _, condition, temperature, variant = setting
    words = [condition]
    if with_temperature:
        words.append("its own" if temperature is None else f"at {temperature:g}")
    if with_variant:
        words.append(variant_words(variant))
    return "\n".join(broken(word, _HEADER_CELLS) for word in words)


def _mean(rows: Sequence[SummaryRow]) -> float | None:
    known = [
        row["estimate"] for row in rows if row["estimate"] is not None and not is_mostly_unread(row)
    ]
    return fmean(known) if known else None


def _sum(rows: Sequence[SummaryRow]) -> SummaryRow:
    counts = {row["n"] for row in rows}
    low, high = min(counts), max(counts)
    n = str(low) if low == high else f"{low}–{high}"
    counted = ("n_failed", "n_read", "n_replies")
    return {"n": n, **{name: sum(row[name] or 0 for row in rows) for name in counted}}
