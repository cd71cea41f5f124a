"""dyad's section: who takes whom for itself, by subject and partner, and every metric."""

import altair as alt

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, FAINT, GOOD
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    condition_text,
    estimate_column,
    interval_text,
    setting_text,
    share_text,
    words,
)
from mirror_ray.analysis.report.every_metric import every_metric
from mirror_ray.analysis.report.pivots import pivot_sql, pivoted
from mirror_ray.analysis.report.section import Figure, ReportTable, Section, TableQuery, with_rows

_TAKEN = {
    "its own": GOOD,
    "the other's": BAD,
    "neither's": CATEGORIES[4],
    "no choice": FAINT,
}
_CHOICES = """\
select
    model,
    condition as panel,
    case choice
        when 'own' then 'its own'
        when 'other' then 'the other''s'
        when 'neither' then 'neither''s'
        else 'no choice'
    end as kind,
    sum(round(estimate * n_sides))::bigint as n
from metric.dyad_pairs
where estimate is not null
group by all
having n > 0
order by condition, model, kind"""
_CROSS = """\
select condition, temperature, setting as variant, model, beside, choice,
    n, n_sides, estimate, ci_low, ci_high, chance
from metric.dyad_pairs
where n > 0
order by condition, temperature, setting, model, beside, choice"""
_TURNS = """\
select *, setting as variant, if(moves_first, 'moves first', 'moves second') as turn
from metric.dyad_turns
order by condition, temperature, setting, model, moves_first desc"""
_PAIRS = pivot_sql(
    "metric.dyad_pairs",
    "condition, temperature, setting as variant, model, beside",
    on="choice in ('own', 'other', 'neither', 'none')",
    where="n > 0",
)
_OF_CHOICE = {
    "own": "chose its own",
    "other": "took the other",
    "neither": "chose the third",
    "none": "chose nothing",
}
_MINDLESS = ("still", "wandering")
_CELL_PX = 62


def section(run: Reading) -> Section | None:
    """dyad's figures and tables; None without its episodes."""
    if "dyad" not in run.families():
        return None
    parts: list[Figure | ReportTable] = []
    if rows := run.rows(_CHOICES):
        parts.append(
            Figure(
                "dyad_choices",
                "Whose colour a mind took for its own",
                "Shares of minds, both of each room, over all that they shared a room with. Where "
                "both bodies have one colour (alike), its own is also the other's.",
                _CHOICES,
                stacked_shares(rows, kinds=_TAKEN, title="share of minds"),
            )
        )
    cross = [row for row in run.rows(_CROSS) if row["beside"] not in _MINDLESS]
    for choice, title, text in (
        (
            "other",
            "Who takes whom for itself",
            "the share that chose the other's colour; chance: 1/3",
        ),
        ("own", "Who knows itself, by partner", "the share that chose its own colour; chance: 1/3"),
    ):
        rows = [row for row in cross if row["choice"] == choice and row["estimate"] is not None]
        if rows:
            parts.append(
                Figure(
                    f"dyad_cross_{choice}",
                    title,
                    f"Rows: a model. Columns: the model in the other body. In each cell {text}.",
                    _CROSS,
                    _square(rows),
                )
            )
    parts += [_PAIRS_TABLE.of(run), _TURNS_TABLE.of(run), _summary(run)]
    return Section(
        "dyad",
        "dyad: two minds in one room",
        "Two robots share a room with a mirror, each with its own model, view and memory; they "
        "take turns, and each has to find out its own colour and walk to the cube of that colour. "
        "A mind that takes the body it sees for its own chooses the other's. The unit is a scene: "
        "the two minds of a room are not independent, and both are counted in the cross tables.",
        with_rows(*parts),
    )


def _square(rows: list[Row]) -> alt.ConcatChart:
    partners = short_names(row["beside"] for row in rows)
    several = len({setting_text(row) for row in rows}) > 1
    return heat_map(
        [
            {
                "model": row["model"],
                "column": partners[row["beside"]],
                "panel": row["condition"] + (f" · {setting_text(row)}" if several else ""),
                "value": row["estimate"],
                "label": share_text(row["estimate"]),
                "description": f"{row['model']} with {row['beside']}: "
                f"{share_text(row['estimate'])} of {row['n_sides']} in {row['n']} scenes, 95 % "
                + interval_text(row["ci_low"], row["ci_high"], share_text),
            }
            for row in rows
        ],
        columns=list(dict.fromkeys(partners.values())),
        title="share",
        across=2,
        cell_px=_CELL_PX,
    )


def _summary(run: Reading) -> ReportTable:
    return every_metric(
        run,
        "dyad",
        "All metrics of the subjects with their intervals",
        "Shares of episodes, each of another scene, with Wilson's interval. Episodes with an "
        "error are left out.",
    )


_PAIRS_TABLE = TableQuery(
    "dyad_pairs",
    "Which body each model took for itself, by partner",
    "Shares of minds with Wilson's interval on the effective number of scenes. Still and "
    "wandering: no model moves the other body.",
    _PAIRS,
    (
        words("model", "model"),
        words("beside", "partner"),
        *(
            pivoted(
                choice,
                heading,
            )
            for choice, heading in _OF_CHOICE.items()
        ),
    ),
    group=condition_text,
)
_TURNS_TABLE = TableQuery(
    "dyad_turns",
    "Whether the first turn matters",
    "Who moves first alternates with the scenes. Shares of minds in rooms of two.",
    _TURNS,
    (
        words("model", "model"),
        words("turn", "turn"),
        *(
            estimate_column(
                heading,
                key=key,
                low=f"{key}_ci_low",
                high=f"{key}_ci_high",
                n="n",
                show=share_text,
            )
            for key, heading in (
                ("correct", "chose its own"),
                ("took_other", "took the other"),
            )
        ),
    ),
    group=condition_text,
)
