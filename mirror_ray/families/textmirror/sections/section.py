"""textmirror's first section: the n×n table of recognition, raw and corrected for habits."""

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.cells import interval_text, setting_text, share_text
from mirror_ray.analysis.report.section_file import section_of

_PLACE_PX = 46
_MOST_PANELS = 9


def _by_place_and_pair(rows: list[Row]) -> Chart:
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


section = section_of(__name__, figures={"textmirror_places_of_pairs": _by_place_and_pair})
"""Makes textmirror's figures and tables; None without its episodes."""
