"""How selfid's episodes fail: the funnel, the kinds of failure, and the effect of the lie."""

from collections.abc import Mapping
from functools import partial

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.stacked_shares import stacked_shares
from mirror_ray.analysis.plots.style import BAD, CATEGORIES, GOOD, NEUTRAL, WORSE
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import episode, estimate_text, share_text
from mirror_ray.analysis.report.defined_panels import defined_panels
from mirror_ray.analysis.report.section import Section
from mirror_ray.analysis.report.section_file import section_file
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


def section(run: Reading) -> Section | None:
    """Return the funnel, the kinds of failure, the lie and repeated statements; None without
    episodes.
    """
    setting = main_setting(run, "selfid")
    if setting is None:
        return None
    file = section_file(
        __name__,
        run,
        columns={"episode": partial(episode, run)},
        groups={"name": lambda row: str(row["condition"])},
        where=setting.where,
        setting=setting.text,
    )
    stages, no_stage = defined_panels(_cells(file.rows("selfid_funnel"), _FUNNEL), "value")
    said, not_said = defined_panels(
        _cells(file.rows("selfid_repeated_statements"), _REPEATS), "value"
    )
    return file.section(
        file.drawn(
            "selfid_funnel",
            heat_map(
                stages,
                columns=tuple(_FUNNEL.values()),
                title="share of episodes",
                across=2,
                cell_px=74,
            ),
            also=no_stage,
        ),
        file.figure(
            "selfid_failures",
            lambda rows: stacked_shares(
                rows, kinds=_WAYS, title="share of episodes", across=2, width_px=300
            ),
        ),
        file.figure(
            "selfid_conflict",
            lambda rows: stacked_shares(
                rows, kinds=_CONFLICT, title="share of episodes with a lie"
            ),
        ),
        file.drawn(
            "selfid_repeated_statements",
            heat_map(
                said,
                columns=tuple(_REPEATS.values()),
                title="share of last statements",
                across=3,
                cell_px=74,
            ),
            also=not_said,
        )
        if any(cell["value"] is not None for cell in said)
        else None,
        *file.tables(),
    )


def _cells(rows: list[Row], columns: Mapping[str, str]) -> list[Row]:
    return [
        {
            "model": row["model"],
            "panel": row["condition"],
            "column": columns[row["metric"]],
            "value": row["estimate"],
            "label": share_text(row["estimate"]),
            "description": f"{row['model']} in {row['condition']}, {columns[row['metric']]}: "
            + estimate_text(row),
        }
        for row in rows
    ]
