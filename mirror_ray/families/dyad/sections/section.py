"""dyad's section: whom each model takes for itself, by subject and partner, and every metric."""

import altair as alt

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, FAINT, GOOD
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, setting_text, share_text
from mirror_ray.analysis.report.pivots import every_metric
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file

_TAKEN = {"its own": GOOD, "the other's": BAD, "neither's": CATEGORIES[4], "no choice": FAINT}
_MINDLESS = ("still", "wandering")
_CELL_PX = 62


def section(run: Reading) -> Section | None:
    """dyad's figures and tables; None without its episodes."""
    if "dyad" not in run.families():
        return None
    file = section_file(__name__, run)
    return file.section(
        file.figure(
            "dyad_choices", lambda rows: stacked_shares(rows, kinds=_TAKEN, title="share of minds")
        ),
        file.figure("dyad_cross_other", lambda rows: _square(rows, "other")),
        file.figure("dyad_cross_own", lambda rows: _square(rows, "own")),
        *file.tables(),
        every_metric(run, "dyad", *file.texts("dyad_summary")),
    )


def _square(cross: list[Row], choice: str) -> alt.ConcatChart | None:
    rows = [
        row
        for row in cross
        if row["choice"] == choice
        and row["beside"] not in _MINDLESS
        and row["estimate"] is not None
    ]
    if not rows:
        return None
    partners = short_names(row["beside"] for row in rows)
    several = len({setting_text(row) for row in rows}) > 1
    return heat_map(
        [
            {
                "model": row["model"],
                "column": partners[row["beside"]],
                "panel": row["condition"] + (f" · {setting_text(row)}" if several else ""),
                "value": row["estimate"],
                "label": share_text(row["estimate"]),
                "description": f"{row['model']} with {row['beside']}: "
                f"{share_text(row['estimate'])} of {row['n_sides']} in {row['n']} scenes, 95 % "
                + interval_text(row["ci_low"], row["ci_high"], share_text),
            }
            for row in rows
        ],
        columns=list(dict.fromkeys(partners.values())),
        title="share",
        across=2,
        cell_px=_CELL_PX,
    )
