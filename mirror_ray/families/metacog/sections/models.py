"""metacog's figures over all models: means, the knowing–doing index, sizes, cells."""

from collections.abc import Sequence
from itertools import groupby

from mirror_ray.analysis.bootstrap import Sample, expanded_bca, scene_draws
from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.forest import forest
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.cells import interval_text, row_setting_text, share_text
from mirror_ray.analysis.report.section_file import section_of, text_column
from mirror_ray.families.metacog.sections.section import paradigm_text

_DRAWS = 10_000
_PREDICTORS = {
    "gap": "the gap",
    "natural_accuracy": "natural accuracy",
    "partial": "the gap, natural accuracy taken off both",
}


def _pooled(rows: list[Row]) -> Chart:
    means = pooled_means(rows)
    several = len({row["panel"] for row in means}) > 1
    means = [row if several else {**row, "panel": "confident failures"} for row in means]
    told = sorted({row["value"] for row in means})
    return curves(means, title="information", values=told, spacing="ordinal")


def pooled_means(rows: Sequence[Row]) -> list[Row]:
    """Return the mean over models with its BCa interval, one row per place and information. Each
    row is of one model; rows are in order of `temperature`, `setting`, `route`, `information`."""
    found: list[Row] = []
    for key, members in groupby(
        rows, lambda row: (row_setting_text(row), row["route"], row["information"])
    ):
        place, route, information = key
        values = [row["cfr"] for row in members]
        sample = Sample.of(values, range(len(values)))
        drawn = expanded_bca(sample, scene_draws(len(values), _DRAWS, 0))
        what = f"mean of {len(values)} models" if len(values) > 1 else "one model"
        found.append(
            {
                "model": "mean",
                "panel": f"{place}, {route}",
                "value": information,
                "estimate": drawn.estimate,
                "low": drawn.ci_low,
                "high": drawn.ci_high,
                "description": f"{information}: {share_text(drawn.estimate)} "
                f"{interval_text(drawn.ci_low, drawn.ci_high, share_text)}, {what}",
            }
        )
    return found


def _index(rows: list[Row]) -> Chart:
    return forest(
        [
            {
                "model": row["model"],
                "panel": row_setting_text(row),
                "difference": row["kdi"],
                "low": None,
                "high": None,
                "is_clear": True,
                "description": f"{row['model']}: {share_text(row['kdi'])}",
            }
            for row in rows
        ],
        title="knowing-doing index",
        kinds=None,
    )


section = section_of(
    __name__,
    columns={
        "paradigm": text_column(paradigm_text),
        "predictor": text_column(lambda row: _PREDICTORS[row["predictor"]]),
    },
    figures={"metacog_pooled": _pooled, "metacog_index": _index},
    draws=f"{_DRAWS:,}",
)
"""Makes means over models, KDI, sizes and cells; None if none of it was played."""
