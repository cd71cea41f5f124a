"""MirrorQA's first section: the frame of reference of the answers, direct and mirrored, and
difficulty.
"""

from collections.abc import Iterable

from mirror_ray.analysis.plots.dumbbell import dumbbell
from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    condition_text,
    estimate_column,
    interval_text,
    metric_text,
    number_column,
    p_value,
    setting_text,
    share_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.pivots import pivot_sql, pivoted
from mirror_ray.analysis.report.section import (
    Column,
    Figure,
    ReportTable,
    Section,
    TableQuery,
    with_rows,
)
from mirror_ray.analysis.report.setting import Setting, main_setting
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
_SUMMARY = pivot_sql(
    "metric.mirrorqa",
    "condition, temperature, variant, model",
    figures="estimate, ci_low, ci_high, n, chance",
)
_FRAMES = """\
select
    condition,
    model,
    max(estimate) filter (where metric = 'same_frame') as left_share,
    max(n) filter (where metric = 'same_frame') as left_n,
    max(estimate) filter (where metric = 'other_frame') as right_share,
    max(n) filter (where metric = 'other_frame') as right_n
from metric.mirrorqa
where {setting}
group by condition, model
having max(n) filter (where metric = 'other_frame') > 0
order by condition, model"""
_VIEWS = """\
from metric.mirrorqa_views
where axis = 'part' and condition = '{condition}' and {setting}
order by level, model"""
_REFLECTION = """\
select reflection.* replace (pairs.ci_low as ci_low, pairs.ci_high as ci_high)
from metric.mirrorqa_reflection as reflection
left join contrast.pairs as pairs
    on
        pairs.family = 'mirrorqa'
        and pairs.axis = 'condition'
        and pairs.baseline = 'sim'
        and pairs.value = 'sim-reflected'
        and pairs.metric = 'accuracy'
        and reflection.model = pairs.model
        and reflection.temperature is not distinct from pairs.temperature
        and reflection.variant = pairs.variant
order by reflection.temperature, reflection.variant, reflection.model"""


def section(run: Reading) -> Section | None:
    """MirrorQA's figures and tables; None without its episodes."""
    setting = main_setting(run, "mirrorqa")
    if setting is None:
        return None
    parts: list[Figure | ReportTable] = []
    frames = _FRAMES.format(setting=setting.where)
    if rows := run.rows(frames):
        parts.append(
            Figure(
                "mirrorqa_frames",
                "Whose left?",
                "Accuracy where the viewer's left is also the subject's (seen from behind, or from "
                "ahead in the mirror), and where it is not. Who answers in the viewer's frame is "
                "right in the first and wrong in the second.",
                frames,
                dumbbell(
                    [_gap(row) for row in rows],
                    left="frames agree",
                    right="frames differ",
                    title="share of questions",
                ),
            )
        )
    parts += [
        figure
        for condition in ("sim", "sim-reflected")
        if (figure := _difficulty(run, condition, setting)) is not None
    ]
    parts += [_SUMMARY_TABLE.of(run), _LEANINGS_TABLE.of(run), _reflection(run)]
    return Section(
        "mirrorqa",
        "mirrorqa: whose left is it?",
        "Questions about a left or right limb in the subject's own frame (“MirrorQA”): photographs "
        "of the public data set (data), and people and dogs of the simulation, seen directly (sim) "
        "and, the same scenes, in a mirror (sim-reflected). Circular counts a question as right "
        f"if it is under every cyclic shift of its options. Figures show the setting "
        f"{setting.text}; tables show every setting.",
        with_rows(*parts),
    )


def _gap(row: Row) -> Row:
    return {
        "model": row["model"],
        "condition": row["condition"],
        "left": row["left_share"],
        "right": row["right_share"],
        "description": f"{row['model']} in {row['condition']}: frames agree "
        f"{share_text(row['left_share'])} (n = {row['left_n']}), frames differ "
        f"{share_text(row['right_share'])} (n = {row['right_n']})",
    }


def _difficulty(run: Reading, condition: str, setting: Setting) -> Figure | None:
    sql = _VIEWS.format(condition=condition, setting=setting.where)
    rows = run.rows(sql)
    if not rows:
        return None
    cells = [
        {
            "model": row["model"],
            "column": row["level"],
            "panel": condition,
            "value": row["estimate"],
            "label": share_text(row["estimate"]),
            "description": f"{row['model']}, {row['axis']} {row['level']}: "
            f"{share_text(row['estimate'])} "
            f"({interval_text(row['ci_low'], row['ci_high'], share_text)}), n = {row['n']}",
        }
        for row in rows
    ]
    return Figure(
        f"mirrorqa_parts_{condition.replace('-', '_')}",
        f"What is asked about ({condition})",
        "Accuracy by whose limb it is and how it is told: raised hands and legs, gloves, boots and "
        "socks. By azimuth, what hides the limb and the rest: metric.mirrorqa_views.",
        sql,
        heat_map(
            cells,
            columns=tuple(dict.fromkeys(cell["column"] for cell in cells)),
            title="share of questions",
            cell_px=74,
        ),
    )


def _pivoted(metrics: Iterable[str]) -> tuple[Column, ...]:
    """Metrics as columns."""
    return tuple(
        pivoted(
            metric,
            metric_text("mirrorqa", metric),
        )
        for metric in metrics
    )


def _reflection(run: Reading) -> ReportTable:
    return ReportTable(
        "mirrorqa_reflection",
        "The same scenes, directly and in the mirror",
        "Pairs of one scene: the difference of accuracies with the interval of paired comparisons, "
        "how many scenes were answered right in one picture alone, and McNemar's exact p of the "
        "two.",
        _REFLECTION,
        run.table(run.leading(_REFLECTION)),
        (
            words("model", "model"),
            estimate_column("direct", key="direct", low="", high="", n=""),
            estimate_column("mirrored", key="reflected", low="", high="", n=""),
            estimate_column("difference", key="difference"),
            number_column("n_direct_only", "direct alone"),
            number_column("n_reflected_only", "mirrored alone"),
            p_value(),
        ),
        group=setting_text,
    )


_SUMMARY_TABLE = TableQuery(
    "mirrorqa_summary",
    "Scores with their intervals",
    "Precision and recall are macro means over the answers of two and of four options, "
    "weighted by their counts; F1 is made of the two; they have no interval. Δ is circular "
    "minus accuracy. A reply that names no option is a miss.",
    _SUMMARY,
    (
        words("model", "model"),
        *_pivoted(_SCORES),
        share_column("accuracy_chance", "chance"),
    ),
    group=condition_text,
)
_LEANINGS_TABLE = TableQuery(
    "mirrorqa_leanings",
    "What answers lean to",
    "Accuracy where the viewer's left is the subject's and where it is not, and what the "
    "former has over the latter; confusion is the share of answers on the viewer's side where "
    "the frames differ, by chance half. Of photographs no frame is known. Bias, with two "
    "options and with four: how much of the choices would have to move for places to be "
    "chosen as often as they are right, shifts included.",
    _SUMMARY,
    (words("model", "model"), *_pivoted(_LEANINGS)),
    group=condition_text,
)
