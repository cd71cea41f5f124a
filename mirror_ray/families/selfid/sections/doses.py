"""selfid's doses: success by the mirror's properties, with thresholds."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from mirror_ray.analysis.plots.psychometric import psychometric
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import estimate_text, interval_text, number_text
from mirror_ray.analysis.report.section import Column, Section, TableCell
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.families.selfid.psychometric import (
    DOSES,
    EXTRA,
    Fit,
    by_curve,
    fitted,
    is_installed,
)

_FITTED = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("axis", "condition", "model")),
        pa.field("temperature", pa.float64()),
        pa.field("setting", pa.string()),
        *(
            pa.field(name, pa.float64())
            for name in ("threshold", "low", "high", "guess", "lapse", "width")
        ),
        pa.field("n", pa.int64()),
        pa.field("note", pa.string()),
    ]
)
_WITHOUT = (
    f"Curves and thresholds need psignifit: pip install 'mirror-ray[{EXTRA}]', and write the "
    "report again. "
)


def section(run: Reading) -> Section | None:
    """Return the curves and thresholds; None if no axis of the mirror has several levels."""
    file = section_file(
        __name__,
        run,
        columns={"threshold": lambda _key, heading: Column(heading, _threshold)},
        groups={"dose": lambda row: f"{DOSES[row['axis']].title} · {row['setting']}"},
        without="" if is_installed() else _WITHOUT,
    )
    rows = file.rows("selfid_doses")
    if not rows:
        return None
    curves = by_curve(rows)
    fits = {
        key: fitted(key[-1], of_one) if is_installed() else Fit() for key, of_one in curves.items()
    }
    return file.section(
        file.drawn("selfid_doses", _chart(rows, fits)),
        file.table("selfid_thresholds_of_doses", _thresholds(curves, fits))
        if is_installed()
        else None,
    )


def _chart(rows: Sequence[Row], fits: dict[tuple[Any, ...], Fit]) -> Chart:
    first = {row["axis"]: (row["condition"], row["temperature"], row["setting"]) for row in rows}
    shown = [
        row
        for row in rows
        if (row["condition"], row["temperature"], row["setting"]) == first[row["axis"]]
    ]
    titles = {axis: DOSES[axis].title for axis in DOSES if axis in first}
    dots = [
        {
            "model": row["model"],
            "panel": titles[row["axis"]],
            "value": row["level"],
            "estimate": row["estimate"],
            "low": row["ci_low"],
            "high": row["ci_high"],
            "description": f"{row['model']}, {number_text(row['level'])}: {estimate_text(row)}",
        }
        for row in shown
    ]
    lines, thresholds = [], []
    for key, fit in fits.items():
        condition, model, temperature, setting, axis = key
        if (condition, temperature, setting) != first[axis]:
            continue
        of_model = {"model": model, "panel": titles[axis]}
        # Without a threshold, the fitted curve bends outside the levels and says nothing within
        # them.
        if fit.threshold is not None and fit.guess is not None and fit.lapse is not None:
            lines += [{**of_model, "value": x, "estimate": y} for x, y in fit.curve]
            levels = [row["level"] for row in shown if row["axis"] == axis]
            thresholds.append(
                {
                    **of_model,
                    "value": fit.threshold,
                    "low": max(fit.low or 0.0, min(levels)),
                    "high": min(fit.high or 0.0, max(levels)),
                    "height": (fit.guess + 1 - fit.lapse) / 2,
                }
            )
    return psychometric(
        dots,
        lines,
        thresholds,
        spacings={title: DOSES[axis].spacing for axis, title in titles.items()},
    )


def _thresholds(
    curves: dict[tuple[Any, ...], list[Row]], fits: dict[tuple[Any, ...], Fit]
) -> pa.Table:
    data = [
        {
            "axis": axis,
            "condition": condition,
            "model": model,
            "temperature": temperature,
            "setting": setting,
            "threshold": fit.threshold,
            "low": fit.low,
            "high": fit.high,
            "guess": fit.guess,
            "lapse": fit.lapse,
            "width": fit.width,
            "n": sum(row["n"] for row in curves[condition, model, temperature, setting, axis]),
            "note": fit.note,
        }
        for (condition, model, temperature, setting, axis), fit in fits.items()
    ]
    return pa.Table.from_pylist(data, schema=_FITTED)


def _threshold(row: Row) -> TableCell:
    if row["threshold"] is None:
        return TableCell(row["note"])
    return TableCell(
        number_text(row["threshold"]), interval_text(row["low"], row["high"], number_text)
    )
