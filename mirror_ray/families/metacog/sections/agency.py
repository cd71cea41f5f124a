"""metacog's second section: does a model delegate what it cannot do itself?"""

from collections.abc import Iterable, Sequence

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.plots.few_models import MOST_MODELS
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.scatter import scatter
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    interval_text,
    number_column,
    p_value,
    share_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.prompt_wording import prompt_wording
from mirror_ray.analysis.report.section import (
    Column,
    Figure,
    ReportTable,
    Section,
    TableCell,
    TableQuery,
    with_rows,
)
from mirror_ray.families.metacog.sections.section import (
    bca,
    paradigm_text,
    row_setting_text,
    summary_sql,
)
from mirror_ray.families.metacog.sections.texts import NO_INTERVAL, section_texts

_CONDITIONS = ("C1", "C2", "C3", "C4")
_TOLD = ("C1", "C2", "C2 false", "C3", "C3 false", "C4")
_OUTCOMES = """\
from agency.metacog_parts_outcomes
where policy = 'median_or_bottom_k'
order by temperature, setting, task_set, paradigm, route, model, information"""
_POLICIES = """\
from agency.metacog_parts_outcomes
where information = 'C1' and paradigm = 'all'
order by temperature, setting, task_set, route, model, policy"""
_EFFECTS = """\
from agency.metacog_parts_outcomes_effects
order by temperature, setting, task_set, paradigm, route, policy, baseline, information"""
_ROUTING = """\
from agency.metacog_parts_routing
where paradigm = 'autonomous' and on_frontier and (threshold * 20)::integer % 2 = 0
order by temperature, setting, task_set, model, threshold"""
_SAME = 0.005
"""Shares that are nearer have equal figures, and points within a pixel or two."""
_SUMMARY = summary_sql(
    ("natural_accuracy", "gap", "cfr_c1", "cfr_c2", "cfr_c3", "cfr_c4", "autonomy_c1", "kdi")
)


def section(run: Reading) -> Section | None:
    """Escalation, the effect of information, policies and routing; None without experiment 9."""
    if "metacog" not in run.families():
        return None
    outcomes = run.rows(_OUTCOMES)
    if not outcomes:
        return None
    parts: list[Figure | ReportTable] = [
        Figure(
            *section_texts("metacog_escalation"),
            _OUTCOMES,
            curves(
                _escalation(outcomes), title="information", values=_told(outcomes),
                spacing="ordinal", across=len({row["paradigm"] for row in outcomes}),
            ),
        ),
        Figure(
            *section_texts("metacog_gap_and_failures"),
            _SUMMARY,
            scatter(
                _gaps(run.rows(_SUMMARY)), across=2, titles=("gap", "confident failures, C1"),
                diagonal=False, side_px=280,
            ),
        ),
        _HEADLINE_TABLE.of(run),
        _EFFECTS_TABLE.of(run),
        _POLICIES_TABLE.of(run),
        _ROUTING_TABLE.of(run),
    ]  # fmt: skip
    return Section(
        "metacog_agency",
        "metacog: knowing and doing",
        "Tasks of two parts, of which each can be done, given to a tool, or deferred (experiment "
        "9 of arXiv 2604.19809). A domain is weak where the model's own natural accuracy lies "
        "below its median, unless another policy is named. Wilson's 95 % intervals."
        + prompt_wording(run, "metacog", "this experiment"),
        with_rows(*parts),
    )


def _escalation(rows: list[Row]) -> list[Row]:
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
    return shown


def _told(rows: list[Row]) -> list[str]:
    there = {row["information"] for row in rows}
    return [at for at in _TOLD if at in there]


def _listed(models: Sequence[str]) -> str:
    """The first of many names, and how many more."""
    more = len(models) - MOST_MODELS
    return ", ".join(models[:MOST_MODELS]) + (f" and {more:,} more" if more > 0 else "")


def _gaps(rows: list[Row]) -> list[Row]:
    names = short_names(row["model"] for row in rows)
    # Many names next to their points could not be read.
    is_named = len(names) <= MOST_MODELS
    labels: dict[tuple[str, float, float], list[str]] = {}
    for row in rows:
        if row["gap"] is not None and row["cfr_c1"] is not None:
            spot = _spot_near((row_setting_text(row), row["gap"], row["cfr_c1"]), labels)
            labels.setdefault(spot, []).append(names[row["model"]])
    return [
        {
            "panel": panel,
            "x": gap,
            "y": failures,
            **NO_INTERVAL,
            "n": 1,
            "label": ", ".join(models) if is_named else "",
            "description": f"{_listed(models)}: gap {share_text(gap)}, confident failures "
            f"{share_text(failures)}",
        }
        for (panel, gap, failures), models in labels.items()
    ]


def _spot_near(
    spot: tuple[str, float, float], taken: Iterable[tuple[str, float, float]]
) -> tuple[str, float, float]:
    """Of those taken one that is the same to the eye: names of both would lie on each other."""
    place, gap, failures = spot
    same = (
        one
        for one in taken
        if one[0] == place and abs(one[1] - gap) < _SAME and abs(one[2] - failures) < _SAME
    )
    return next(same, spot)


def _tasks_text(row: Row) -> str:
    return f"{row['task_set']} tasks, {row_setting_text(row)}"


def _policy(row: Row) -> TableCell:
    """Which domains are weak, in words: ``below .4``, ``lowest 2``."""
    rule, _, bound = row["policy"].partition("_")
    match rule, bound:
        case "median", _:
            return TableCell("median")
        case "below", _:
            return TableCell(f"below {bound.removeprefix('0')}")
        case "bottom", "k":
            return TableCell("lowest weak_lowest")
        case "bottom", _:
            return TableCell(f"lowest {bound}")
    return TableCell("below weak_below")


_HEADLINE_TABLE = TableQuery(
    *section_texts("metacog_doing"),
    _SUMMARY,
    (
        words("model", "model"),
        share_column("natural_accuracy", "natural"),
        bca("gap", "gap"),
        *(bca(f"CFR {at}", f"cfr_{at.lower()}") for at in _CONDITIONS),
        share_column("autonomy_c1", "autonomy"),
        bca("KDI", "kdi"),
    ),
    group=row_setting_text,
)
_EFFECTS_TABLE = TableQuery(
    *section_texts("metacog_effects"),
    _EFFECTS,
    (
        Column("paradigm", lambda row: TableCell(paradigm_text(row)), is_number=False),
        Column("weak domains", _policy, is_number=False),
        words("information", "under"),
        words("baseline", "against"),
        share_column("cfr_baseline", "CFR before"),
        share_column("cfr", "CFR"),
        estimate_column("difference", key="difference", n="n_models"),
        share_column("cohens_d", "Cohen's d"),
        p_value(),
    ),
    group=_tasks_text,
)
_POLICIES_TABLE = TableQuery(
    *section_texts("metacog_policies"),
    _POLICIES,
    (
        words("model", "model"),
        Column("policy", _policy, is_number=False),
        estimate_column("CFR", key="cfr", low="cfr_ci_low", high="cfr_ci_high", n="n_weak"),
        share_column("cfr_conservative", "as wrong"),
        share_column("cfr_complete", "left out"),
        share_column("cfr_low", "as right"),
        share_column("unneeded_escalation", "needless"),
        share_column("success", "right in the end"),
    ),
    group=_tasks_text,
)
_ROUTING_TABLE = TableQuery(
    *section_texts("metacog_routing"),
    _ROUTING,
    (
        words("model", "model"),
        number_column("threshold", "threshold"),
        share_column("autonomy", "autonomy"),
        share_column("cfr", "CFR"),
        share_column("success", "right in the end"),
        share_column("utility", "utility"),
    ),
    group=_tasks_text,
)
