"""marktest's section: where the hand went, and every metric."""

from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, FAINT, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import (
    estimate,
    metric_text,
    number_text,
    setting_text,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import Figure, Section, Table
from mirror_ray.analysis.report.setting import main_setting
from mirror_ray.metrics import METRICS

_ENDS = {
    "the mark": GOOD,
    "the mark's place, unmarked": CATEGORIES[3],
    "the place opposite": BAD,
    "the own body elsewhere": CATEGORIES[4],
    "the image in the mirror": WORSE,
    "glass or panel": CATEGORIES[7],
    "the other body": CATEGORIES[2],
    "the air": FAINT,
    "no touch": NEUTRAL,
}
_TOUCHES = """\
select
    model,
    condition as panel,
    case coalesce(first_touched, 'none')
        when 'mark' then 'the mark'
        when 'place' then 'the mark''s place, unmarked'
        when 'counterpart' then 'the place opposite'
        when 'body' then 'the own body elsewhere'
        when 'image' then 'the image in the mirror'
        when 'surface' then 'glass or panel'
        when 'other' then 'the other body'
        when 'air' then 'the air'
        else 'no touch'
    end as kind,
    count(*) as n
from episode.marktest
where not failed and {setting}
group by all
order by all"""
_SUMMARY = """\
pivot (
    select condition, temperature, variant, model, metric, n, estimate, ci_low, ci_high
    from metric.marktest
)
on metric using
    first(estimate) as estimate, first(ci_low) as ci_low, first(ci_high) as ci_high, first(n) as n
group by condition, temperature, variant, model
order by condition, temperature, variant, model"""


def section(run: Reading) -> Section | None:
    """marktest's figure and table; None without its episodes."""
    setting = main_setting(run, "marktest")
    if setting is None:
        return None
    touches = _TOUCHES.format(setting=setting.where)
    parts: list[Figure | Table] = []
    if rows := run.rows(touches):
        parts.append(
            Figure(
                "marktest_first_touches",
                "What the first touch met",
                "Shares of episodes. On the own body the mark is right in marked and visible; in "
                "sham, other and glass no touch at all is. Who takes the image for a thing or for "
                "somebody else touches the mirror where the mark is seen in it.",
                touches,
                stacked_shares(rows, kinds=_ENDS, title="share of episodes"),
            )
        )
    return Section(
        "marktest",
        "marktest: whose mark is it?",
        "A body stands before a mirror and moves a hand until it touches a mark or ends. Controls "
        "take the mirror away (no-mirror), leave out the mark (sham), or put it on another body "
        "(other), on the mirror (glass) or in plain view (visible). "
        f"The figure shows {setting.text}; the table shows every setting.",
        (*parts, _summary(run)),
    )


def _summary(run: Reading) -> Table:
    return Table(
        "marktest_summary",
        "All metrics with their intervals",
        "Shares of episodes, each of another scene, with Wilson's interval; steps with the BCa "
        "interval over scenes. Failed episodes are left out.",
        _SUMMARY,
        run.table(_SUMMARY),
        (
            words("model", "model"),
            *(
                estimate(
                    metric_text("marktest", metric.name),
                    key=f"{metric.name}_estimate",
                    low=f"{metric.name}_ci_low",
                    high=f"{metric.name}_ci_high",
                    n=f"{metric.name}_n",
                    show=number_text if metric.kind == "count" else share_text,
                )
                for metric in METRICS["marktest"].metrics
            ),
        ),
        group=lambda row: f"{row['condition']} · {setting_text(row)}",
    )
