"""metacog's figures over all models: means, the knowing–doing index, sizes, cells."""

from collections.abc import Sequence
from itertools import groupby

import altair as alt

from mirror_ray.analysis.bootstrap import Sample, expanded_bca, scene_draws
from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.forest import forest
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import interval_text, share_text
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file, text_column
from mirror_ray.families.metacog.sections.section import paradigm_text, row_setting_text

_DRAWS = 10_000
_METRICS = {
    "natural_accuracy": "natural accuracy",
    "gap": "gap",
    "cfr_c1": "confident failures, C1",
}
_PREDICTORS = {
    "gap": "the gap",
    "natural_accuracy": "natural accuracy",
    "partial": "the gap, natural accuracy taken off both",
}


def section(run: Reading) -> Section | None:
    """Return means over models, KDI, sizes and cells; None if none of it was played."""
    if "metacog" not in run.families():
        return None
    file = section_file(
        __name__,
        run,
        columns={
            "paradigm": text_column(paradigm_text),
            "predictor": text_column(lambda row: _PREDICTORS[row["predictor"]]),
        },
        groups={"route": lambda row: f"{row['route']}, {row_setting_text(row)}"},
        draws=f"{_DRAWS:,}",
    )
    return file.section(
        file.figure("metacog_pooled", _pooled),
        file.figure("metacog_index", _index),
        file.figure("metacog_sizes", _sizes),
        file.figure("metacog_subcategories", _cells),
        *file.tables(),
    )


def _pooled(rows: list[Row]) -> alt.ConcatChart:
    means = pooled_means(rows)
    several = len({row["panel"] for row in means}) > 1
    means = [row if several else {**row, "panel": "confident failures"} for row in means]
    told = sorted({row["value"] for row in means})
    return curves(means, title="information", values=told, spacing="ordinal")


def pooled_means(rows: Sequence[Row]) -> list[Row]:
    """The mean over models with its BCa interval, one row per place and information.

    Args:
        rows: of one model each, in order of `temperature`, `setting`, `route`, `information`.
    """
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


def _index(rows: list[Row]) -> alt.ConcatChart:
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


def _sizes(rows: list[Row]) -> alt.ConcatChart:
    sizes = sorted({row["size_b"] for row in rows})
    return curves(
        [
            {
                "model": row["model_family"],
                "panel": f"{_METRICS[row['metric']]}, {row_setting_text(row)}",
                "value": row["size_b"],
                "estimate": row["estimate"],
                "low": None,
                "high": None,
                "description": f"{row['model_family']}, {row['size_b']:g} billion: "
                f"{_METRICS[row['metric']]} {share_text(row['estimate'])}",
            }
            for row in rows
        ],
        title="billions of parameters",
        values=sizes,
        spacing="log",
    )


def _cells(rows: list[Row]) -> alt.ConcatChart:
    several = len({(row["route"], row_setting_text(row)) for row in rows}) > 1
    return scatter(
        [
            {
                "panel": paradigm_text(row)
                + (f", {row['route']}, {row_setting_text(row)}" if several else ""),
                "x": row["gap"],
                "y": row["cfr"],
                "low": None,
                "high": None,
                "n": row["n_weak"],
                "label": "",
                "description": f"{row['model']}, {row['domain']}, {row['subcategory']}: gap "
                f"{share_text(row['gap'])}, confident failures {share_text(row['cfr'])}, "
                f"n={row['n_weak']}",
            }
            for row in rows
        ],
        across=4,
        titles=("gap", "confident failures, C1"),
        diagonal=False,
    )
