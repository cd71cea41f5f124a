"""How selfid's episodes go wrong: the funnel, the ways, and the effect of the lie."""

from collections.abc import Mapping

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    episode,
    interval_text,
    number_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.defined_panels import defined_panels
from mirror_ray.analysis.report.section import Figure, ReportTable, Section
from mirror_ray.analysis.report.setting import main_setting

_FUNNEL = {
    "funnel_saw": "saw itself",
    "funnel_named": "… named",
    "funnel_named_right": "… rightly",
    "funnel_walked": "… walked",
    "funnel_chose_right": "… chose",
}
_REPEATS = {"right_if_once": "once", "right_if_2_to_4": "2 to 4", "right_if_5_up": "5 and more"}
_WAYS = {
    "right": GOOD,
    "knew but acted wrong": CATEGORIES[4],
    "looked but not extracted": CATEGORIES[2],
    "took another for self": WORSE,
    "guessed before looking": BAD,
    "never looked": CATEGORIES[3],
    "guessed without a mirror": CATEGORIES[1],
    "guessed right but acted wrong": CATEGORIES[5],
    "chose nothing": CATEGORIES[0],
    "never finished": NEUTRAL,
}
_CONFLICT = {"mirror": GOOD, "neither": NEUTRAL, "lie": WORSE}
_SHARES = """\
from metric.selfid_process
where metric in ({metrics}) and {setting}
order by condition, model, metric"""
_KINDS = """\
select
    model,
    condition as panel,
    coalesce(failure, 'right') as kind,
    count(*) as n
from episode.selfid_process
where not failed and {setting}
group by all
order by all"""
_LIES = """\
select model, condition as panel, conflict as kind, count(*) as n
from episode.selfid_process
where conflict is not null and {setting}
group by all
order by all"""
_EXAMPLES = """\
select
    condition,
    model,
    failure,
    count(*) as n,
    arg_min(episode_id, (scene_seed, run)) as episode_id
from episode.selfid_process
where failure is not null and {setting}
group by condition, model, failure
order by condition, model, n desc, failure"""


def section(run: Reading) -> Section | None:
    """The funnel, the ways to go wrong, the lie, repeated statements; None without episodes."""
    setting = main_setting(run, "selfid")
    if setting is None:
        return None
    funnel = _SHARES.format(metrics=_quoted(_FUNNEL), setting=setting.where)
    repeats = _SHARES.format(metrics=_quoted(_REPEATS), setting=setting.where)
    kinds, lies, examples = (
        sql.format(setting=setting.where) for sql in (_KINDS, _LIES, _EXAMPLES)
    )
    stages, no_stage = defined_panels(_cells(run.rows(funnel), _FUNNEL), "value")
    said, not_said = defined_panels(_cells(run.rows(repeats), _REPEATS), "value")
    parts: list[Figure | ReportTable] = [
        Figure(
            "selfid_funnel",
            "From looking to choosing",
            "The share of episodes that passed each stage and all before it: the own reflection "
            "was in view, a colour was named after that, the right one, the agent walked to its "
            "cube and chose it. Where a row pales is where the model goes wrong." + no_stage,
            funnel,
            heat_map(
                stages,
                columns=tuple(_FUNNEL.values()),
                title="share of episodes",
                across=2,
                cell_px=74,
            ),
        ),
        Figure(
            "selfid_failures",
            "How episodes go wrong",
            "Each wrong episode is wrong in one way, the first that applies. Without a "
            "mirror (E2) none is about looking.",
            kinds,
            stacked_shares(
                run.rows(kinds),
                kinds=_WAYS,
                title="share of episodes",
                across=2,
                width_px=300,
            ),
        ),
    ]
    if rows := run.rows(lies):
        parts.append(
            Figure(
                "selfid_conflict",
                "Whom the answer follows when the prompt lies",
                "E3's prompt claims a false colour: an answer follows the mirror, the lie, or "
                "neither.",
                lies,
                stacked_shares(rows, kinds=_CONFLICT, title="share of episodes with a lie"),
            )
        )
    if any(cell["value"] is not None for cell in said):
        parts.append(
            Figure(
                "selfid_repeated_statements",
                "Is a repeated statement more often right?",
                "The share of last statements that are right, by how often in a row they were made."
                + not_said,
                repeats,
                heat_map(
                    said,
                    columns=tuple(_REPEATS.values()),
                    title="share of last statements",
                    across=3,
                    cell_px=74,
                ),
            )
        )
    if (data := run.table(examples)).num_rows:
        parts.append(
            ReportTable(
                "selfid_failed_examples",
                "An episode of each way to go wrong",
                "The first scene in which a model went so; watch it with mirror-ray view DIR.",
                examples,
                data,
                (
                    words("model", "model"),
                    words("failure", "wrong"),
                    number_column("n", "episodes"),
                    episode(run),
                ),
                group=lambda row: str(row["condition"]),
            )
        )
    return Section(
        "selfid_process",
        "selfid: where it goes wrong",
        f"What happened on the way to the answer ({setting.text}).",
        tuple(parts),
    )


def _quoted(metrics: Mapping[str, str]) -> str:
    return ", ".join(f"'{metric}'" for metric in metrics)


def _cells(rows: list[Row], columns: Mapping[str, str]) -> list[Row]:
    return [
        {
            "model": row["model"],
            "panel": row["condition"],
            "column": columns[row["metric"]],
            "value": row["estimate"],
            "label": share_text(row["estimate"]),
            "description": f"{row['model']} in {row['condition']}, {columns[row['metric']]}: "
            f"{share_text(row['estimate'])} "
            f"({interval_text(row['ci_low'], row['ci_high'], share_text)}), n = {row['n']}",
        }
        for row in rows
    ]
