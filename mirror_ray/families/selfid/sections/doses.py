"""selfid's doses: success as a function of what a mirror gives, and where it is lost."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from mirror_ray.analysis.plots.psychometric import psychometric
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    interval_text,
    number_text,
    share_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import Column, Figure, ReportTable, Section, TableCell
from mirror_ray.families.selfid.psychometric import (
    DOSES,
    EXTRA,
    Fit,
    by_curve,
    fitted,
    is_installed,
)

_DOSES = """\
from metric.selfid_doses
order by axis, condition, temperature, setting, model, level"""
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
    """The curves and thresholds; None where no axis of the mirror has several levels."""
    rows = run.rows(_DOSES)
    if not rows:
        return None
    fits = {
        key: fitted(key[-1], of_one) if is_installed() else Fit()
        for key, of_one in by_curve(rows).items()
    }
    parts: list[Figure | ReportTable] = [_figure(rows, fits)]
    if is_installed():
        parts.append(_table(by_curve(rows), fits))
    return Section(
        "selfid_doses",
        "selfid: mirrors as a dose",
        ("" if is_installed() else _WITHOUT)
        + "Success as a function of one property of the mirror, all else equal. Dots are shares "
        "with Wilson's intervals; a curve is a logistic function with a guess and a lapse rate of "
        "its own (psignifit 4, no overdispersion), drawn where its threshold is crossed; the bar "
        "is the 95 % credible interval of the threshold, halfway between the two.",
        tuple(parts),
    )


def _figure(rows: Sequence[Row], fits: dict[tuple[Any, ...], Fit]) -> Figure:
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
            "description": f"{row['model']}, {number_text(row['level'])}: "
            f"{share_text(row['estimate'])} "
            f"({interval_text(row['ci_low'], row['ci_high'], share_text)}), n = {row['n']}",
        }
        for row in shown
    ]
    lines, thresholds = [], []
    for key, fit in fits.items():
        condition, model, temperature, setting, axis = key
        if (condition, temperature, setting) != first[axis]:
            continue
        of_model = {"model": model, "panel": titles[axis]}
        # Without a threshold the fit's turns lie beyond the levels, and say nothing within them.
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
    chart = psychometric(
        dots,
        lines,
        thresholds,
        spacings={title: DOSES[axis].spacing for axis, title in titles.items()},
    )
    return Figure(
        "selfid_doses",
        "How little of a mirror is enough",
        "Task success by dose, of each axis in its last setting; metric.selfid_doses has all.",
        _DOSES,
        chart,
    )


def _table(
    curves: dict[tuple[Any, ...], list[Row]], fits: dict[tuple[Any, ...], Fit]
) -> ReportTable:
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
    return ReportTable(
        "selfid_thresholds_of_doses",
        "Thresholds",
        "The dose at the middle of each curve, with its 95 % credible interval. Guess: the success "
        "that remains without the mirror; lapse: what is missing with all of it.",
        _DOSES,
        pa.Table.from_pylist(data, schema=_FITTED),
        (
            words("condition", "condition"),
            words("model", "model"),
            Column("threshold", _threshold),
            share_column("guess", "guess"),
            share_column("lapse", "lapse"),
            Column("n", lambda row: TableCell(str(row["n"]))),
        ),
        group=lambda row: f"{DOSES[row['axis']].title} · {row['setting']}",
        source="psignifit's fits of metric.selfid_doses",
    )


def _threshold(row: Row) -> TableCell:
    if row["threshold"] is None:
        return TableCell(row["note"])
    return TableCell(
        number_text(row["threshold"]), interval_text(row["low"], row["high"], number_text)
    )
