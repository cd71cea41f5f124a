"""marktest's section: where the hand went, and every metric."""

from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, FAINT, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.every_metric import every_metric
from mirror_ray.analysis.report.section import Figure, ReportTable, Section
from mirror_ray.analysis.report.setting import main_setting

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


def section(run: Reading) -> Section | None:
    """marktest's figure and table; None without its episodes."""
    setting = main_setting(run, "marktest")
    if setting is None:
        return None
    touches = _TOUCHES.format(setting=setting.where)
    parts: list[Figure | ReportTable] = []
    if rows := run.rows(touches):
        parts.append(
            Figure(
                "marktest_first_touches",
                "What the first touch met",
                "Shares of episodes. On the own body the mark is right in marked and visible, "
                "in no-mirror by luck; in sham, other and glass no touch at all is. Who takes the "
                "image for a thing or for somebody else touches the mirror where the mark is seen "
                "in it.",
                touches,
                stacked_shares(rows, kinds=_ENDS, title="share of episodes"),
            )
        )
    return Section(
        "marktest",
        "marktest: whose mark is it?",
        "A body faces a mirror and moves a hand until it touches a mark or ends. Controls "
        "take the mirror away (no-mirror), leave out the mark (sham), or put it on another body "
        "(other), on the mirror (glass) or in plain view (visible). "
        f"The figure shows the setting {setting.text}; the table shows every setting.",
        (*parts, _summary(run)),
    )


def _summary(run: Reading) -> ReportTable:
    return every_metric(
        run,
        "marktest",
        "All metrics with their intervals",
        "Shares of episodes, each of another scene, with Wilson's interval; steps with the BCa "
        "interval over scenes. Episodes with an error are left out.",
    )
