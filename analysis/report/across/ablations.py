"""The effect of each varied setting: a curve per model, in panels by condition."""

import re
from functools import partial

from mirror_ray.analysis.plots.curves import MOST_WITH_INTERVALS, curves
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import estimate_text, held_text
from mirror_ray.analysis.report.section import Part, Section
from mirror_ray.analysis.report.section_file import SectionFile, measured_families, section_file

_AXIS = re.compile(r"[a-z][a-z0-9_]{0,39}")


def section(run: Reading) -> Section | None:
    """Return the curves of each family and axis; None if nothing was varied."""
    parts: list[Part | None] = []
    for family in measured_families(run):
        if not _is_varied(run, family):
            continue
        axes = [
            row["axis"]
            for row in run.rows(
                f"select distinct axis from ablation.curves where family = '{family}' order by axis"  # noqa: S608 - a family's name
            )
        ]
        # A value may be the name of a file: such values appear only in the table.
        parts += [
            _file(run, family, axis).figure("ablation_{family}_{axis}", partial(_chart, axis))
            for axis in axes
            if _AXIS.fullmatch(axis)
        ]
        if axes:
            parts.append(_file(run, family).table("ablations_{family}"))
    return section_file(__name__, run).section(*parts)


def _file(run: Reading, family: str, axis: str = "") -> SectionFile:
    return section_file(
        __name__,
        run,
        groups={"curve": lambda row: held_text(str(row["curve"]), row["temperature"])},
        leading=family,
        axis=axis,
        axis_literal=literal(axis),
        most=str(MOST_WITH_INTERVALS),
    )


def _is_varied(run: Reading, family: str) -> bool:
    """Return whether there are several settings, which is cheaper to find than the curves'
    comparisons."""
    (found,) = run.rows(
        f"select count(distinct (temperature, variant)) as n from episode.{family}"  # noqa: S608 - a family's name
    )
    return bool(found["n"] > 1)


def _chart(axis: str, rows: list[Row]) -> Chart:
    is_numeric = all(_is_number(row["value"]) for row in rows)
    # Words have no order: the default comes first, and the dots are not joined.
    is_ordered = all(row["number"] is not None for row in rows)
    by_place = sorted(
        rows,
        key=lambda row: (row["number"],) if is_ordered else (not row["is_default"], row["value"]),
    )
    values = dict.fromkeys(float(r["value"]) if is_numeric else r["value"] for r in by_place)
    return curves(
        [
            {
                "model": row["model"],
                "panel": row["condition"],
                "value": float(row["value"]) if is_numeric else row["value"],
                "estimate": row["estimate"],
                "low": row["ci_low"],
                "high": row["ci_high"],
                "description": f"{row['model']} in {row['condition']}, {axis} {row['value']}: "
                f"{estimate_text(row)}",
            }
            for row in rows
        ],
        title=axis,
        values=tuple(values),
        spacing="linear" if is_numeric else "ordinal" if is_ordered else "nominal",
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
