"""textmirror's second section: other readers, other lengths, and whether the run was sound."""

import altair as alt

from mirror_ray.analysis.plots.curves import curves
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    interval_text,
    number_column,
    p_value,
    setting_text,
    share_column,
    share_text,
    words,
)
from mirror_ray.analysis.report.section import (
    Figure,
    Section,
    TableQuery,
    with_rows,
)

_READERS = """\
from metric.textmirror_readers
order by temperature, question, n_sentences, author, reader, pairing"""
_BY_LENGTH = """\
select temperature, 'stories kept' as what, author as model, n_sentences,
    retention as estimate, ci_low, ci_high, n
from metric.textmirror_retention
union all
select temperature, 'found, above chance' as what, model, n_sentences,
    above_chance as estimate, ci_low, ci_high, n
from metric.textmirror_above_chance
where
    condition = 'recognition' and reads = 'own' and pairing = 'all'
    and split_part(variant, '+', 1) = 'paper'
order by temperature, what desc, model, n_sentences"""
_LENGTHS = """\
select *, if(position = 0, 'all', position::varchar) as place
from metric.textmirror_lengths
order by temperature, variant, model, editor, position"""
_RETENTION = "from metric.textmirror_retention order by temperature, n_sentences, author"
_RANDOMISATION = """\
from metric.textmirror_randomisation
order by temperature, n_sentences, author, editor"""


def section(run: Reading) -> Section | None:
    """textmirror's robustness analyses; None without its episodes."""
    if "textmirror" not in run.families():
        return None
    lengths = run.rows(_BY_LENGTH)
    figures = [_figure(lengths)] if len({row["n_sentences"] for row in lengths}) > 1 else []
    return Section(
        "textmirror_controls",
        "textmirror: what else may explain it",
        "Readers who did not write the story, stories of other lengths, the length of a sentence, "
        "and whether the run gave every place its turn.",
        with_rows(*figures, *(one.of(run) for one in _TABLES)),
    )


def _figure(rows: list[Row]) -> Figure:
    return Figure(
        "textmirror_story_lengths",
        "Stories of more and fewer sentences",
        "How many stories have exactly as many sentences as were asked for, and how far above "
        "chance, one in so many, their authors find the revised one.",
        _BY_LENGTH,
        _by_length(rows),
    )


def _by_length(rows: list[Row]) -> alt.ConcatChart:
    return curves(
        [
            {
                "model": row["model"],
                "panel": _panel(row),
                "value": row["n_sentences"],
                "estimate": row["estimate"],
                "low": row["ci_low"],
                "high": row["ci_high"],
                "description": f"{row['model']}, {row['n_sentences']} sentences, {row['what']}: "
                f"{share_text(row['estimate'])} "
                f"({interval_text(row['ci_low'], row['ci_high'], share_text)}), n = {row['n']}",
            }
            for row in rows
        ],
        title="sentences",
        values=sorted({row["n_sentences"] for row in rows}),
        spacing="linear",
        across=2,
        most=None,
    )


def _panel(row: Row) -> str:
    at = "" if row["temperature"] is None else f", temperature {row['temperature']:g}"
    return f"{row['what']}{at}"


def _asked(row: Row) -> str:
    at = "" if row["temperature"] is None else f"temperature {row['temperature']:g}, "
    return f"{at}{row['question']}, {row['n_sentences']} sentences"


def _temperature(row: Row) -> str:
    return "" if row["temperature"] is None else f"temperature {row['temperature']:g}"


_TABLES = (
    TableQuery(
        "textmirror_readers",
        "The author against other readers (M3)",
        "Both read the very same revised stories. The difference is the author's share less the "
        "reader's, with Newcombe's paired interval and McNemar's exact test: 0 where anybody would "
        "notice.",
        _READERS,
        (
            words("author", "author"),
            words("reader", "reader"),
            words("pairing", "revised by"),
            share_column("by_author", "author finds"),
            share_column("by_reader", "reader finds"),
            estimate_column("difference", key="difference", low="ci_low", high="ci_high", n="n"),
            p_value(),
        ),
        group=_asked,
    ),
    TableQuery(
        "textmirror_lengths",
        "Length of the revised sentence",
        "Mean words of the sentence as written and as revised, of those found and missed, and the "
        "correlation of the difference with being found.",
        _LENGTHS,
        (
            words("model", "reader"),
            words("editor", "editor"),
            words("place", "place"),
            number_column("original_words", "written"),
            number_column("revised_words", "revised"),
            number_column("words_if_found", "if found"),
            number_column("words_if_missed", "if missed"),
            share_column("correlation", "correlation"),
            number_column("n", "n"),
        ),
        group=setting_text,
    ),
    TableQuery(
        "textmirror_retention",
        "Stories of the right length",
        "Only stories with exactly as many sentences as were asked for are used.",
        _RETENTION,
        (
            words("author", "author"),
            number_column("n_sentences", "sentences"),
            estimate_column("kept", key="retention", low="ci_low", high="ci_high", n="n"),
            number_column("n_failed", "errors"),
        ),
        group=_temperature,
    ),
    TableQuery(
        "textmirror_randomisation",
        "Were all places revised equally often?",
        "Pearson's chi-squared on the counts of revisions; a small p would be a flaw of the run.",
        _RANDOMISATION,
        (
            words("author", "author"),
            words("editor", "editor"),
            number_column("n_sentences", "sentences"),
            number_column("n", "revisions"),
            number_column("chi2", "χ²"),
            p_value(),
        ),
        group=_temperature,
    ),
)
