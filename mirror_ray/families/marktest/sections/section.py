"""marktest's section: where the hand went, and every metric."""

from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, FAINT, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.pivots import every_metric
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
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


def section(run: Reading) -> Section | None:
    """marktest's figure and table; None without its episodes."""
    setting = main_setting(run, "marktest")
    if setting is None:
        return None
    file = section_file(__name__, run, where=setting.where, setting=setting.text)
    return file.section(
        file.figure(
            "marktest_first_touches",
            lambda rows: stacked_shares(rows, kinds=_ENDS, title="share of episodes"),
        ),
        every_metric(run, "marktest", *file.texts("marktest_summary")),
    )
