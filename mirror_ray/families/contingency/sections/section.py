"""contingency's section: whom the answers took for oneself, and every metric."""

from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, FAINT, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.every_metric import every_metric
from mirror_ray.analysis.report.section import Figure, ReportTable, Section
from mirror_ray.analysis.report.setting import main_setting

_CHOSEN = {
    "the own image": GOOD,
    "none, rightly": CATEGORIES[3],
    "one that follows late": WORSE,
    "a still picture": CATEGORIES[4],
    "one that errs in one move": CATEGORIES[7],
    "one that moves by itself": BAD,
    "none, wrongly": CATEGORIES[2],
    "no answer": FAINT,
    "unknown": NEUTRAL,
}
_ANSWERS = """\
select
    model,
    condition as panel,
    case
        when answer is null then 'no answer'
        when answer = 'none' and own_place = 'none' then 'none, rightly'
        when answer = 'none' then 'none, wrongly'
        when answer = own_place then 'the own image'
        else case follows[list_position(['left', 'middle', 'right'], answer)]
            when 'later' then 'one that follows late'
            when 'never' then 'a still picture'
            when 'all_but_one' then 'one that errs in one move'
            when 'another' then 'one that moves by itself'
            else 'unknown'
        end
    end as kind,
    count(*) as n
from episode.contingency
where not failed and {setting}
group by all
order by all"""


def section(run: Reading) -> Section | None:
    """contingency's figure and table; None without its episodes."""
    setting = main_setting(run, "contingency")
    if setting is None:
        return None
    answers = _ANSWERS.format(setting=setting.where)
    parts: list[Figure | ReportTable] = []
    if rows := run.rows(answers):
        parts.append(
            Figure(
                "contingency_answers",
                "Whom the answers took for oneself",
                "Shares of episodes. Who goes by looks is right in match and wrong in conflict; "
                "who goes by how an image moves is right in both, and needs to move its hand.",
                answers,
                stacked_shares(rows, kinds=_CHOSEN, title="share of episodes"),
            )
        )
    return Section(
        "contingency",
        "contingency: which image moves as I do?",
        "Three screens show persons; one of them, as a mirror would, the model itself, which moves "
        "a hand and says which. In match the shirt tells it as well, in twin the movement alone, "
        "and in conflict the shirt lies; the others imitate late, not at all, or with one error, "
        "or move by themselves. "
        f"The figure shows the setting {setting.text}; the table shows every setting.",
        (*parts, _summary(run)),
    )


def _summary(run: Reading) -> ReportTable:
    return every_metric(
        run,
        "contingency",
        "All metrics with their intervals",
        "Shares of episodes, each of another scene, with Wilson's interval. Episodes with an "
        "error are left out.",
    )
