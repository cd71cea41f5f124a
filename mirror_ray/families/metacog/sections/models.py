"""metacog's figures over all models: means, the index of knowing and doing, sizes, cells."""

from collections.abc import Sequence
from itertools import groupby

from mirror_ray.analysis.bootstrap import Sample, expanded_bca, scene_draws
from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.forest import forest
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    interval_text,
    number_column,
    p_value,
    share_column,
    share_text,
)
from mirror_ray.analysis.report.section import (
    Column,
    Figure,
    ReportTable,
    Section,
    TableCell,
    TableQuery,
)
from mirror_ray.families.metacog.sections.section import paradigm_text, row_setting_text
from mirror_ray.families.metacog.sections.texts import NO_INTERVAL, section_texts

_DRAWS = 10_000
_POOLED = """\
select temperature, setting, route, information, model, cfr
from agency.metacog_parts_outcomes
where
    policy = 'median_or_bottom_k' and paradigm = 'all' and task_set = 'fixed'
    and cfr is not null
    -- Leave out controls: they lie on no path from being told to being routed.
    and information in ('C1', 'C2', 'C3', 'C4')
order by temperature, setting, route, information, model"""
_INDEX = """\
select temperature, setting, model, kdi
from paper.metacog_table_4
where kdi is not null
order by temperature, setting, kdi, model"""
_SIZES = """\
select *
from (
    select
        temperature,
        setting,
        macro.model_family(model) as model_family,
        macro.model_size_b(model) as size_b,
        metric,
        avg(estimate) as estimate
    from summary.metacog
    where
        metric in ('natural_accuracy', 'gap', 'cfr_c1') and estimate is not null
        and macro.model_size_b(model) is not null
    group by all
)
qualify count(*) over (partition by temperature, setting, model_family, metric) > 1
order by all"""
_CELLS = """\
from agency.metacog_parts_subcategories
where gap is not null and cfr is not null
order by temperature, setting, route, paradigm, model, domain, subcategory"""
_CORRELATIONS = "from paper.metacog_figure_6 order by temperature, setting, route, paradigm"
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
    """Means over models, KDI, sizes and cells; None where none of it was played."""
    if "metacog" not in run.families():
        return None
    figures = (_pooled(run), _index(run), _sizes(run), _cells(run))
    parts: list[Figure | ReportTable] = [figure for figure in figures if figure is not None]
    correlations = _CORRELATIONS_TABLE.of(run)
    if correlations.data.num_rows:
        parts.append(correlations)
    if not parts:
        return None
    return Section(
        *section_texts("metacog_models"),
        tuple(parts),
    )


def _pooled(run: Reading) -> Figure | None:
    means = pooled_means(run.rows(_POOLED))
    several = len({row["panel"] for row in means}) > 1
    means = [row if several else {**row, "panel": "confident failures"} for row in means]
    if not means:
        return None
    told = list(dict.fromkeys(row["value"] for row in means))
    return Figure(
        "metacog_pooled",
        "From no information to routing, over all models",
        "Mean of the models' confident failures, of fixed tasks and all paradigms, with BCa 95 % "
        f"intervals from {_DRAWS:,} draws of models. A single model has no interval.",
        _POOLED,
        curves(means, title="information", values=sorted(told), spacing="ordinal"),
    )


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


def _index(run: Reading) -> Figure | None:
    rows = run.rows(_INDEX)
    if not rows:
        return None
    return Figure(
        *section_texts("metacog_index"),
        _INDEX,
        forest(
            [
                {
                    "model": row["model"],
                    "panel": row_setting_text(row),
                    "difference": row["kdi"],
                    **NO_INTERVAL,
                    "is_clear": True,
                    "description": f"{row['model']}: {share_text(row['kdi'])}",
                }
                for row in rows
            ],
            title="knowing-doing index",
            kinds=None,
        ),
    )


def _sizes(run: Reading) -> Figure | None:
    rows = run.rows(_SIZES)
    if not rows:
        return None
    sizes = sorted({row["size_b"] for row in rows})
    return Figure(
        *section_texts("metacog_sizes"),
        _SIZES,
        curves(
            [
                {
                    "model": row["model_family"],
                    "panel": f"{_METRICS[row['metric']]}, {row_setting_text(row)}",
                    "value": row["size_b"],
                    "estimate": row["estimate"],
                    **NO_INTERVAL,
                    "description": f"{row['model_family']}, {row['size_b']:g} billion: "
                    f"{_METRICS[row['metric']]} {share_text(row['estimate'])}",
                }
                for row in rows
            ],
            title="billions of parameters",
            values=sizes,
            spacing="log",
        ),
    )


def _cells(run: Reading) -> Figure | None:
    rows = run.rows(_CELLS)
    if not rows:
        return None
    several = len({(row["route"], row_setting_text(row)) for row in rows}) > 1
    return Figure(
        *section_texts("metacog_subcategories"),
        _CELLS,
        scatter(
            [
                {
                    "panel": paradigm_text(row)
                    + (f", {row['route']}, {row_setting_text(row)}" if several else ""),
                    "x": row["gap"],
                    "y": row["cfr"],
                    **NO_INTERVAL,
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
        ),
    )


_CORRELATIONS_TABLE = TableQuery(
    *section_texts("metacog_subcategory_correlations"),
    _CORRELATIONS,
    (
        Column("paradigm", lambda row: TableCell(paradigm_text(row)), is_number=False),
        Column(
            "confident failures and", lambda row: TableCell(_PREDICTORS[row["predictor"]]),
            is_number=False,
        ),
        share_column("r", "r"),
        p_value(),
        number_column("n", "points"),
    ),
    group=lambda row: f"{row['route']}, {row_setting_text(row)}",
)  # fmt: skip
