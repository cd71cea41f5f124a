"""textmirror's first section: the n×n table of recognition, and the same corrected for habits."""

import altair as alt

from mirror_ray.analysis.plots.heat_map import heat_map
from mirror_ray.analysis.plots.names import short_names
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    interval_text,
    number_column,
    p_value,
    setting_text,
    share_column,
    share_of,
    share_text,
    three_digits_text,
    words,
)
from mirror_ray.analysis.report.prompt_wording import prompt_wording
from mirror_ray.analysis.report.section import (
    Figure,
    ReportTable,
    Section,
    TableQuery,
    with_rows,
)

_PAIRS = """\
from metric.textmirror_pairs
where condition = '{condition}' and reads = 'own' and editor is not null
order by temperature, variant, author, editor"""
_ABOVE = """\
from metric.textmirror_above_chance
where condition = 'recognition'
order by temperature, variant, reads, model, pairing"""
_PLACES = "from metric.textmirror_positions order by temperature, variant, model, position"
_PLACES_OF_PAIRS = """\
from metric.textmirror_places
where reader = author
order by temperature, variant, editor nulls last, author, position"""
_HABITS = """\
from metric.textmirror_corrected
order by temperature, variant, model, pairing"""
_STRATIFIED = """\
from metric.textmirror_stratified
order by temperature, variant, reads, editor <> 'all', author <> 'all', author, editor"""

_CELL_PX, _PLACE_PX = 62, 46
_MOST_PANELS = 9


def section(run: Reading) -> Section | None:
    """textmirror's figures and tables; None without its episodes."""
    if "textmirror" not in run.families():
        return None
    parts: list[Figure | ReportTable] = []
    recognition = _PAIRS.format(condition="recognition")
    authorship = _PAIRS.format(condition="authorship")
    if rows := run.rows(recognition):
        parts.append(
            Figure(
                "textmirror_recognition",
                "Who notices whose sentence",
                "Rows: the author, who reads its own story. Columns: who revised one sentence of "
                "it. The share of stories in which the author names the revised sentence; on the "
                "diagonal it revised itself.",
                recognition,
                _square(rows),
            )
        )
        parts.append(_pairs(run, "textmirror_pairs", "Recognition by author and editor",
                            recognition))  # fmt: skip
        parts.append(_ABOVE_TABLE.of(run))
    if run.rows(_PLACES):
        places = run.rows(_PLACES)
        parts.append(
            Figure(
                "textmirror_places",
                "Which sentence is named",
                "The share of replies that name each place, for any revised one. An even row has "
                "no habit; who always says the middle is right where the middle was revised.",
                _PLACES,
                _by_place(places),
            )
        )
        parts += [_PLACES_TABLE.of(run), _HABITS_TABLE.of(run), _STRATIFIED_TABLE.of(run)]
    if rows := run.rows(_PLACES_OF_PAIRS):
        parts.append(
            Figure(
                "textmirror_places_of_pairs",
                "Found where, by whom and after whom",
                "The share of stories in which the author names the revised sentence, by the place "
                "that was revised. A panel for each editor, as long as there are few.",
                _PLACES_OF_PAIRS,
                _by_place_and_pair(rows),
            )
        )
    if rows := run.rows(authorship):
        parts.append(
            Figure(
                "textmirror_authorship",
                "Which of the two did you write?",
                "The baseline: the author's own sentence and its revision by the editor of the "
                "column. Chance is a half.",
                authorship,
                _square(rows),
            )
        )
        parts.append(_pairs(run, "textmirror_authorship_pairs", "Authorship by author and editor",
                            authorship))  # fmt: skip
    return Section(
        "textmirror",
        "textmirror: does a model notice the foreign sentence in its own story?",
        "An author writes a story, an editor revises one sentence of it, and the author is asked "
        "which sentence is strange (“Mirror Test for Large Language Models”). A reply without a "
        "number is wrong. P values against guessing are exact and one-sided, adjusted by Holm's "
        "method within each table." + prompt_wording(run, "textmirror", "the variants"),
        with_rows(*parts),
    )


def _square(rows: list[Row]) -> alt.ConcatChart:
    editors = short_names(row["editor"] for row in rows)
    return heat_map(
        [
            {
                "model": row["author"],
                "column": editors[row["editor"]],
                "panel": setting_text(row),
                "value": row["accuracy"],
                "label": share_text(row["accuracy"]),
                "description": f"{row['author']}, revised by {row['editor']}: "
                f"{share_text(row['accuracy'])}, {row['n_correct']} of {row['n']}, 95 % "
                + interval_text(row["ci_low"], row["ci_high"], share_text),
            }
            for row in rows
        ],
        columns=list(dict.fromkeys(editors.values())),
        title="share found",
        across=2,
        cell_px=_CELL_PX,
    )


def _by_place_and_pair(rows: list[Row]) -> alt.ConcatChart:
    editors = short_names({row["editor"] for row in rows} - {None})
    each = len(editors) <= _MOST_PANELS
    rows = [row for row in rows if (row["editor"] is not None) == each]
    several = len({setting_text(row) for row in rows}) > 1
    return heat_map(
        [
            {
                "model": row["author"],
                "column": str(row["position"]),
                "panel": f"revised by {editors[row['editor']] if each else 'any editor'}"
                + (f", {setting_text(row)}" if several else ""),
                "value": row["accuracy"],
                "label": share_text(row["accuracy"]),
                "description": f"{row['author']}, place {row['position']} revised by "
                f"{row['editor'] or 'any editor'}: {share_text(row['accuracy'])} of "
                f"{row['n']} stories, 95 % "
                + interval_text(row["ci_low"], row["ci_high"], share_text),
            }
            for row in rows
        ],
        columns=[str(place) for place in sorted({row["position"] for row in rows})],
        title="share found",
        across=3,
        cell_px=_PLACE_PX,
    )


def _by_place(rows: list[Row]) -> alt.ConcatChart:
    most = max((row["predicted_share"] for row in rows), default=1.0)
    return heat_map(
        [
            {
                "model": row["model"],
                "column": str(row["position"]),
                "panel": setting_text(row),
                "value": row["predicted_share"],
                "label": share_text(row["predicted_share"]),
                "description": f"{row['model']} names place {row['position']} in "
                f"{row['n_predicted']} of {row['n_episodes']} replies; {row['n_actual']} were "
                "revised there",
            }
            for row in rows
        ],
        columns=[str(place) for place in sorted({row["position"] for row in rows})],
        title="share of replies",
        most=most,
        across=2,
    )


def _pairs(run: Reading, name: str, title: str, sql: str) -> ReportTable:
    return ReportTable(
        name,
        title,
        "Wilson's 95 % intervals; episodes with an error are left out and counted apart.",
        sql,
        run.table(sql),
        (
            words("author", "author"),
            words("editor", "editor"),
            words("reader", "reader"),
            estimate_column("found", key="accuracy", low="ci_low", high="ci_high", n="n"),
            share_of("n_valid", "valid replies", of="n_episodes"),
            p_value("p", "p"),
            p_value("p_holm", "p, Holm"),
            number_column("n_failed", "errors"),
        ),
        group=setting_text,
    )


_PLACES_TABLE = TableQuery(
    "textmirror_positions",
    "By the place of the revised sentence",
    "Of the replies, how many were about a story revised there, and how many named the place. "
    "Recall is the accuracy where that place was revised, over the n stories of which it was; "
    "precision the share of replies naming it that were right; F1 their harmonic mean.",
    _PLACES,
    (
        words("model", "reader"),
        number_column("position", "place"),
        share_of("n_actual", "revised", of="n_episodes"),
        share_of("n_predicted", "named", of="n_episodes"),
        estimate_column(
            "recall", key="recall", low="recall_low", high="recall_high", n="n_revised"
        ),
        share_column("precision_share", "precision"),
        share_column("f1", "F1"),
    ),
    group=setting_text,
)
_HABITS_TABLE = TableQuery(
    "textmirror_corrected",
    "Corrected for habits",
    "What a reader would be right on by its own distribution of answers alone, and Cohen's "
    "kappa: 0 is habit or chance, 1 is always right.",
    _HABITS,
    (
        words("model", "reader"),
        words("pairing", "revised by"),
        share_column("accuracy", "found"),
        share_column("by_habit", "by habit"),
        estimate_column("kappa", key="kappa", low="ci_low", high="ci_high", n="n"),
    ),
    group=setting_text,
)
_ABOVE_TABLE = TableQuery(
    "textmirror_above_chance",
    "Own and foreign revisions",
    "Accuracy less chance, of what the author of the story revised itself (self) and of what "
    "others did (cross); exact one-sided tests against chance.",
    _ABOVE,
    (
        words("model", "reader"),
        words("reads", "stories"),
        words("pairing", "revised by"),
        share_column("accuracy", "found"),
        share_column("chance", "chance"),
        estimate_column("above chance", key="above_chance", low="ci_low", high="ci_high", n="n"),
        p_value("p", "p"),
        p_value("p_holm", "p, Holm"),
    ),
    group=setting_text,
)
_STRATIFIED_TABLE = TableQuery(
    "textmirror_stratified",
    "Foreign against own revisions of one story",
    "The odds that a foreign revision is found against the author's own of the same story, by "
    "the same reader: author, seed and place are equal (Mantel and Haenszel; test of Cochran, "
    "Mantel and Haenszel). 1 means equal; a dash where one of them always or never is "
    "found, and p tells.",
    _STRATIFIED,
    (
        words("reads", "stories"),
        words("author", "author"),
        words("editor", "foreign editor"),
        estimate_column("odds ratio", key="odds_ratio", n="n", show=three_digits_text),
        number_column("n_strata", "stories compared"),
        p_value("p", "p"),
    ),
    group=setting_text,
)
