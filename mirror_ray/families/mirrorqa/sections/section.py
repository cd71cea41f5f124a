"""MirrorQA's first section: the frame of reference of the answers, direct and mirrored, and
difficulty.
"""

from collections.abc import Iterable

import altair as alt

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import estimate_text, metric_text, share_text
from mirror_ray.analysis.report.pivots import pivoted
from mirror_ray.analysis.report.section import Column, Section
from mirror_ray.analysis.report.section_file import section_file
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.contract.metrics import METRICS

_LEANINGS = (
    *("same_frame", "other_frame", "frame_effect", "confusion"),
    *("position_bias_2", "position_bias_4"),
)
_SCORES = tuple(
    metric.name
    for metric in METRICS["mirrorqa"].metrics
    if metric.name not in _LEANINGS and not metric.name.endswith(("_2", "_4"))
)


def section(run: Reading) -> Section | None:
    """MirrorQA's figures and tables; None without its episodes."""
    setting = main_setting(run, "mirrorqa")
    if setting is None:
        return None
    file = section_file(
        __name__,
        run,
        columns={"scores": _pivoted(_SCORES), "leanings": _pivoted(_LEANINGS)},
        where=setting.where,
        setting=setting.text,
    )
    return file.section(
        file.figure("mirrorqa_frames", _frames),
        file.figure("mirrorqa_parts_sim", _difficulty),
        file.figure("mirrorqa_parts_sim_reflected", _difficulty),
        file.table("mirrorqa_summary"),
        file.table("mirrorqa_leanings"),
        file.table("mirrorqa_reflection", run.table(run.leading(file.sql("mirrorqa_reflection")))),
    )


def _frames(rows: list[Row]) -> alt.ConcatChart:
    return dumbbell(
        [
            {
                "model": row["model"],
                "condition": row["condition"],
                "left": row["left_share"],
                "right": row["right_share"],
                "description": f"{row['model']} in {row['condition']}: frames agree "
                f"{share_text(row['left_share'])} (n = {row['left_n']}), frames differ "
                f"{share_text(row['right_share'])} (n = {row['right_n']})",
            }
            for row in rows
        ],
        left="frames agree",
        right="frames differ",
        title="share of questions",
    )


def _difficulty(rows: list[Row]) -> alt.ConcatChart:
    return heat_map(
        [
            {
                "model": row["model"],
                "column": row["level"],
                "panel": row["condition"],
                "value": row["estimate"],
                "label": share_text(row["estimate"]),
                "description": f"{row['model']}, {row['axis']} {row['level']}: "
                + estimate_text(row),
            }
            for row in rows
        ],
        columns=tuple(dict.fromkeys(row["level"] for row in rows)),
        title="share of questions",
        cell_px=74,
    )


def _pivoted(metrics: Iterable[str]) -> tuple[Column, ...]:
    return tuple(pivoted(metric, metric_text("mirrorqa", metric)) for metric in metrics)
