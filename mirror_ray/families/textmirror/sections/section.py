"""textmirror's first section: the n×n table of recognition, and the same corrected for habits."""

import altair as alt

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    interval_text,
    setting_text,
    share_text,
    three_digits_text,
)
from mirror_ray.analysis.report.section import Column, Section
from mirror_ray.analysis.report.section_file import section_file

_CELL_PX, _PLACE_PX = 62, 46
_MOST_PANELS = 9


def section(run: Reading) -> Section | None:
    """textmirror's figures and tables; None without its episodes."""
    if "textmirror" not in run.families():
        return None
    file = section_file(__name__, run, columns={"ratio": _ratio})
    return file.section(
        file.figure("textmirror_recognition", _square),
        file.table("textmirror_pairs"),
        file.table("textmirror_above_chance"),
        file.figure("textmirror_places", _by_place),
        file.table("textmirror_positions"),
        file.table("textmirror_corrected"),
        file.table("textmirror_stratified"),
        file.figure("textmirror_places_of_pairs", _by_place_and_pair),
        file.figure("textmirror_authorship", _square),
        file.table("textmirror_authorship_pairs"),
    )


def _ratio(key: str, heading: str) -> Column:
    return estimate_column(heading, key=key, show=three_digits_text)


def _square(rows: list[Row]) -> alt.ConcatChart:
    editors = short_names(row["editor"] for row in rows)
    return heat_map(
        [
            {
                "model": row["author"],
                "column": editors[row["editor"]],
                "panel": setting_text(row),
                "value": row["accuracy"],
                "label": share_text(row["accuracy"]),
                "description": f"{row['author']}, revised by {row['editor']}: "
                f"{share_text(row['accuracy'])}, {row['n_correct']} of {row['n']}, 95 % "
                + interval_text(row["ci_low"], row["ci_high"], share_text),
            }
            for row in rows
        ],
        columns=list(dict.fromkeys(editors.values())),
        title="share found",
        across=2,
        cell_px=_CELL_PX,
    )


def _by_place_and_pair(rows: list[Row]) -> alt.ConcatChart:
    editors = short_names({row["editor"] for row in rows} - {None})
    each = len(editors) <= _MOST_PANELS
    rows = [row for row in rows if (row["editor"] is not None) == each]
    several = len({setting_text(row) for row in rows}) > 1
    return heat_map(
        [
            {
                "model": row["author"],
                "column": str(row["position"]),
                "panel": f"revised by {editors[row['editor']] if each else 'any editor'}"
                + (f", {setting_text(row)}" if several else ""),
                "value": row["accuracy"],
                "label": share_text(row["accuracy"]),
                "description": f"{row['author']}, place {row['position']} revised by "
                f"{row['editor'] or 'any editor'}: {share_text(row['accuracy'])} of "
                f"{row['n']} stories, 95 % "
                + interval_text(row["ci_low"], row["ci_high"], share_text),
            }
            for row in rows
        ],
        columns=[str(place) for place in sorted({row["position"] for row in rows})],
        title="share found",
        across=3,
        cell_px=_PLACE_PX,
    )


def _by_place(rows: list[Row]) -> alt.ConcatChart:
    most = max((row["predicted_share"] for row in rows), default=1.0)
    return heat_map(
        [
            {
                "model": row["model"],
                "column": str(row["position"]),
                "panel": setting_text(row),
                "value": row["predicted_share"],
                "label": share_text(row["predicted_share"]),
                "description": f"{row['model']} names place {row['position']} in "
                f"{row['n_predicted']} of {row['n_episodes']} replies; {row['n_actual']} were "
                "revised there",
            }
            for row in rows
        ],
        columns=[str(place) for place in sorted({row["position"] for row in rows})],
        title="share of replies",
        most=most,
        across=2,
    )
