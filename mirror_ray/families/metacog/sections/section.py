"""metacog's first section: a model's self-knowledge and its adaptation."""

from collections.abc import Sequence

from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.reading import Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    interval_text,
    row_setting_text,
    share_text,
)
from mirror_ray.analysis.report.section import Column, TableCell
from mirror_ray.analysis.report.section_file import section_of
from mirror_ray.core.shipped_files import shipped_rows

_NAMES = shipped_rows("mirror_ray.families.metacog", "summary_metrics.csv")
_HEADINGS = {metric: heading for metric, _, _, heading in _NAMES if heading}
_KNOWING, _ADAPTING = (
    [metric for metric, of, _, _ in _NAMES if of == part] for part in ("knowing", "adapting")
)
_ACRONYMS = {
    *("ai", "ars", "cce", "cfr", "ece", "fdr", "kdi", "mci", "sar", "ssr", "tii"),
    *("c1", "c2", "c3", "c4"),
}


def summary_text(metric: str) -> str:
    """Return a metric's heading in `summary.metacog`: ``Brier``, ``CFR C2``, ``AI true tools``."""
    said = (word.upper() if word in _ACRONYMS else word for word in metric.split("_"))
    return _HEADINGS.get(metric) or " ".join(said)


def paradigm_text(row: Row) -> str:
    """Return a row's paradigm of experiment 9."""
    return "all paradigms" if row["paradigm"] == "all" else row["paradigm"].replace("_", " ")


def summary_sql(metrics: Sequence[str]) -> str:
    """Return SQL for one row per model with these metrics of `summary.metacog`, their n and
    intervals."""
    columns = ",\n".join(
        f"    any_value({source}) filter (where found.metric = '{metric}') as {metric}{suffix}"
        for metric in metrics
        for source, suffix in (
            ("found.estimate", ""),
            ("found.n", "_n"),
            ("ci_low", "_low"),
            ("ci_high", "_high"),
        )
    )
    return (
        f"select\n    found.temperature,\n    found.setting,\n    found.model,\n{columns}\n"
        "from summary.metacog as found\n"
        "left join summary.metacog_intervals as drawn\n"
        "    on found.model = drawn.model\n"
        "    and found.temperature is not distinct from drawn.temperature\n"
        "    and found.setting = drawn.setting\n"
        "    and found.metric = drawn.metric\n"
        "group by found.temperature, found.setting, found.model\n"
        "order by found.temperature, found.setting, found.model"
    )


def bca(heading: str, metric: str) -> Column:
    """Return the column of a metric in `summary_sql`, with its interval; n is only in the files."""
    return estimate_column(heading, key=metric, low=f"{metric}_low", high=f"{metric}_high")


def _spaced(key: str, heading: str) -> Column:
    return Column(heading, lambda row: TableCell(row[key].replace("_", " ")), is_number=False)


def _reliability(rows: list[Row]) -> Chart:
    names = short_names(row["model"] for row in rows)
    several = len({row_setting_text(row) for row in rows}) > 1
    points = [
        {
            "panel": f"{names[row['model']]}, {row_setting_text(row)}"
            if several
            else names[row["model"]],
            "x": row["confidence"],
            "y": row["accuracy"],
            "low": row["ci_low"],
            "high": row["ci_high"],
            "n": row["n"],
            "label": "",
            "description": f"{row['model']}: wagers {share_text(row['confidence'])}, right "
            f"{share_text(row['accuracy'])}, n={row['n']}, 95 % "
            + interval_text(row["ci_low"], row["ci_high"], share_text),
        }
        for row in rows
    ]
    return scatter(points, across=4, titles=("wager", "share right"), diagonal=True)


section = section_of(
    __name__,
    columns={
        "spaced": _spaced,
        "knowing": [bca(_HEADINGS[metric], metric) for metric in _KNOWING],
        "adapting": [bca(_HEADINGS[metric], metric) for metric in _ADAPTING],
    },
    figures={"metacog_reliability": _reliability},
    knowing=summary_sql(_KNOWING),
    adapting=summary_sql(_ADAPTING),
)
"""Makes Table 4's parts, reliability, attacks and channels; None without metacog's episodes."""
