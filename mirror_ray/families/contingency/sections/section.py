"""contingency's section: which images the answers claimed, and every metric."""

from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, FAINT, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.pivots import every_metric
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
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


def section(run: Reading) -> Section | None:
    """contingency's figure and table; None without its episodes."""
    setting = main_setting(run, "contingency")
    if setting is None:
        return None
    file = section_file(__name__, run, where=setting.where, setting=setting.text)
    return file.section(
        file.figure(
            "contingency_answers",
            lambda rows: stacked_shares(rows, kinds=_CHOSEN, title="share of episodes"),
        ),
        every_metric(run, "contingency", *file.texts("contingency_summary")),
    )
