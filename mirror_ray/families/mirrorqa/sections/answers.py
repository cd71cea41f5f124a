"""MirrorQA's second section: its answers by side, option and position, and the leniency in public
rows.
"""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import (
    condition_text,
    estimate_column,
    number_column,
    setting_text,
    share_of,
    words,
)
from mirror_ray.analysis.report.section import Section, TableQuery, with_rows

_ORIENTATION = """\
from metric.mirrorqa_orientation
order by condition, temperature, variant, model, orientation"""
_POSITIONS = """\
from metric.mirrorqa_positions
order by condition, temperature, variant, n_options, model, position"""
_CLASSES = """\
from metric.mirrorqa_classes
order by condition, temperature, variant, model, n_options, answer"""
_PHOTOGRAPHS = """\
from metric.mirrorqa_views
where axis in ('species', 'photo part', 'scene')
order by temperature, variant, axis, level, model"""
_REFERENCE = "from metric.mirrorqa_reference order by circular, quantity desc"
_QUIRKS = "from metric.mirrorqa_quirks order by n desc, quirk"


def section(run: Reading) -> Section | None:
    """Tables by answer; None without MirrorQA's episodes."""
    if "mirrorqa" not in run.families():
        return None
    return Section(
        "mirrorqa_answers",
        "mirrorqa: which answers",
        "The same answers taken apart: by whose side it is, by option, and by where the option "
        "stood.",
        with_rows(*(one.of(run) for one in _TABLES)),
    )


_TABLES = (
    TableQuery(
        "mirrorqa_orientation",
        "By orientation",
        "Accuracy by whose side it is: H of people, A of animals.",
        _ORIENTATION,
        (words("model", "model"), words("orientation", "orientation"), estimate_column("accuracy")),
        group=condition_text,
    ),
    TableQuery(
        "mirrorqa_classes",
        "By answer",
        "Precision, recall and F1 of each answer, among the questions with as many options.",
        _CLASSES,
        (
            words("model", "model"),
            words("answer", "answer"),
            *(
                estimate_column(heading, key=heading.lower(), low="", high="", n=count)
                for heading, count in (("precision", "n_answered"), ("recall", "n_asked"))
            ),
            estimate_column("F1", key="f1", low="", high="", n=""),
        ),
        group=condition_text,
    ),
    TableQuery(
        "mirrorqa_positions",
        "By place in the list",
        "How often each place was chosen, over all asks, and how often the right option stood "
        "there: what is chosen more often is a bias.",
        _POSITIONS,
        (
            words("model", "model"),
            number_column("n_options", "options"),
            number_column("position", "place"),
            estimate_column("chosen", key="share"),
            estimate_column("right there", key="right_share", low="", high="", n=""),
        ),
        group=condition_text,
    ),
    TableQuery(
        "mirrorqa_photographs",
        "Photographs by what they show",
        "Species and part of the body by the name of the picture's file; whether the question "
        "names a sport, since rows have no scene.",
        _PHOTOGRAPHS,
        (
            words("axis", "by"),
            words("level", "which"),
            words("model", "model"),
            estimate_column("accuracy"),
        ),
        group=setting_text,
    ),
    TableQuery(
        "mirrorqa_reference",
        "The played rows and the published split",
        "What the source prints of its test split; other figures here mean that part of it was "
        "played.",
        _REFERENCE,
        (
            words("quantity", "quantity"),
            words("circular", "circular"),
            number_column("estimate", "played"),
            number_column("reference", "published"),
        ),
    ),
    TableQuery(
        "mirrorqa_quirks",
        "How the public rows were read",
        "Liberties in writing that were understood, and the rows played that take them.",
        _QUIRKS,
        (words("quirk", "quirk"), share_of("n", "rows", of="n_rows")),
    ),
)
