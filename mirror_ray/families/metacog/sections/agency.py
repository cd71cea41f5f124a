"""metacog's second section: does a model delegate what it cannot do itself?"""

from collections.abc import Iterable, Sequence

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.few_models import MOST_MODELS
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, row_setting_text, share_text
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import family_file, text_column
from mirror_ray.families.metacog.sections.section import bca, paradigm_text, summary_sql

_TOLD = ("C1", "C2", "C2 false", "C3", "C3 false", "C4")
_SAME = 0.005
"""Shares this close have equal figures, and points within a pixel or two."""
_SUMMARY = summary_sql(
    ("natural_accuracy", "gap", "cfr_c1", "cfr_c2", "cfr_c3", "cfr_c4", "autonomy_c1", "kdi")
)


def section(run: Reading) -> Section | None:
    """Return escalation, the effect of information, policies and routing; None without experiment
    9."""
    file = family_file(
        __name__,
        run,
        columns={
            "bca": bca,
            "paradigm": text_column(paradigm_text),
            "policy": text_column(_policy),
        },
        summary=_SUMMARY,
    )
    if file is None:
        return None
    escalation = file.figure("metacog_escalation", _escalation)
    if escalation is None:
        return None
    return file.section(escalation, file.figure("metacog_gap_and_failures", _gaps), *file.tables())


def _escalation(rows: list[Row]) -> Chart:
    places = len({(row_setting_text(row), row["task_set"], row["route"]) for row in rows}) > 1
    shown = []
    for measure, label, ends in (
        ("cfr", "confident failures", ("cfr_ci_low", "cfr_ci_high")),
        ("success", "right in the end", (None, None)),
    ):
        for row in rows:
            low, high = (row[end] if end else None for end in ends)
            where = (
                f", {row['task_set']}, {row['route']}, {row_setting_text(row)}" if places else ""
            )
            shown.append(
                {
                    "model": row["model"],
                    "panel": f"{label}, {paradigm_text(row)}{where}",
                    "value": row["information"],
                    "estimate": row[measure],
                    "low": low,
                    "high": high,
                    "description": f"{row['model']}, {row['information']}: {label} "
                    f"{share_text(row[measure])} {interval_text(low, high, share_text)}",
                }
            )
    there = {row["information"] for row in rows}
    return curves(
        shown,
        title="information",
        values=[at for at in _TOLD if at in there],
        spacing="ordinal",
        across=len({row["paradigm"] for row in rows}),
    )


def _listed(models: Sequence[str]) -> str:
    more = len(models) - MOST_MODELS
    return ", ".join(models[:MOST_MODELS]) + (f" and {more:,} more" if more > 0 else "")


def _gaps(rows: list[Row]) -> Chart:
    names = short_names(row["model"] for row in rows)
    # Many names next to their points could not be read.
    is_named = len(names) <= MOST_MODELS
    labels: dict[tuple[str, float, float], list[str]] = {}
    for row in rows:
        if row["gap"] is not None and row["cfr_c1"] is not None:
            spot = _spot_near((row_setting_text(row), row["gap"], row["cfr_c1"]), labels)
            labels.setdefault(spot, []).append(names[row["model"]])
    points = [
        {
            "panel": panel,
            "x": gap,
            "y": failures,
            "low": None,
            "high": None,
            "n": 1,
            "label": ", ".join(models) if is_named else "",
            "description": f"{_listed(models)}: gap {share_text(gap)}, confident failures "
            f"{share_text(failures)}",
        }
        for (panel, gap, failures), models in labels.items()
    ]
    titles = ("gap", "confident failures, C1")
    return scatter(points, across=2, titles=titles, diagonal=False, side_px=280)


def _spot_near(
    spot: tuple[str, float, float], taken: Iterable[tuple[str, float, float]]
) -> tuple[str, float, float]:
    """Return an occupied point that looks the same, where a second name would overlap."""
    place, gap, failures = spot
    same = (
        one
        for one in taken
        if one[0] == place and abs(one[1] - gap) < _SAME and abs(one[2] - failures) < _SAME
    )
    return next(same, spot)


def _policy(row: Row) -> str:
    rule, _, bound = row["policy"].partition("_")
    match rule, bound:
        case "median", _:
            return "median"
        case "below", _:
            return f"below {bound.removeprefix('0')}"
        case "bottom", "k":
            return "lowest weak_lowest"
        case "bottom", _:
            return f"lowest {bound}"
    return "below weak_below"
