"""The report's first section: each family's leading metric, models by conditions.

If there are many models, they are shown by lab first, and then from the best to the worst."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import pyarrow.compute as pc

from mirror_ray.analysis.plots.few_models import MOST_MODELS
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.cells import (
    estimate_column,
    number_text,
    setting_text,
    share_text,
    words,
)
from mirror_ray.analysis.report.replies import Replies, read_column, replies_of
from mirror_ray.analysis.report.section import (
    NONE_READ,
    UNDEFINED_CELL,
    Column,
    ReportTable,
    Section,
    TableCell,
)
from mirror_ray.analysis.report.section_file import SectionFile, measured_families, section_file
from mirror_ray.analysis.report.setting import Setting, main_setting
from mirror_ray.analysis.summary_cells import MOSTLY_UNREAD
from mirror_ray.contract.metrics import METRICS

_MOST_ROWS = 24
"""In longer tables only the main setting is shown."""

_BY_SCORE = (
    " From the best to the worst: by how far a model lies above the middle one, on average over "
    "its conditions."
)

_OF_COUNTS = ("t", "bca")
_KEYS = ("temperature", "variant", "model")
_ON_BEST = " The best of a condition is bold"
_ON_LETTERS = (
    "; models that share a letter there are not told apart by their paired test (Holm, p ≥ .05)"
)

Marks: TypeAlias = Mapping[tuple[Any, ...], tuple[bool, str]]
"""Condition, temperature, variant, model → whether it is the best, and its letters."""


def section(run: Reading) -> Section | None:
    """Return one table for each family with episodes; None without any."""
    tables = tuple(table for family in measured_families(run) for table in _tables(run, family))
    if not tables:
        return None
    return Section(
        "headlines",
        "At a glance",
        "The metric that each family leads with, for every model and condition, under the "
        "settings it was played in.",
        tables,
    )


def _tables(run: Reading, family: str) -> Iterator[ReportTable]:
    metric = METRICS[family].leading
    view = f"metric.{family}"
    said, where = "", f"metric = '{metric}'"
    if (setting := _main_alone(run, family)) is not None:
        where += f" and {setting.where}"
        said = f" Under {setting.text}; other settings: {view}."
    chance = "any_value(chance)" if run.has(view, "chance") else "null"
    file = section_file(__name__, run, leading=family, where=where, chance=chance)
    of_metric = file.rows("conditions_{family}")
    conditions = [row["condition"] for row in of_metric]
    chances = _chances([(row["condition"], row["chance"]) for row in of_metric])
    show = number_text if any(row["method"] in _OF_COUNTS for row in of_metric) else share_text
    marks = _marks(run, file)
    replies = replies_of(run, family)
    sql = file.sql("headline_{family}")
    data = run.table(sql)
    has_many = pc.count_distinct(data["model"]).as_py() > MOST_MODELS
    if has_many:
        columns = {"conditions": [_of_labs(condition, show) for condition in conditions]}
        yield section_file(__name__, run, columns=columns, leading=family, where=where).table(
            "labs_{family}"
        )
        sql = file.sql("headline_by_score_{family}")
        data = run.table(sql)
    yield ReportTable(
        f"headline_{family}",
        f"{family}: {file.slots['name']}",
        "The estimate with its 95 % interval. n counts scenes, strings, questions or stories: "
        "repetitions count as one."
        + (f" By chance: {chances}." if chances else "")
        + _on(marks)
        + (_BY_SCORE if has_many else "")
        + said,
        sql,
        data,
        (
            words("model", "model"),
            read_column(lambda row: replies.counts(_KEYS, row)),
            *(
                estimate_column(
                    condition,
                    key=f"{condition}_estimate",
                    low=f"{condition}_ci_low",
                    high=f"{condition}_ci_high",
                    n=f"{condition}_n",
                    show=show,
                    is_any_read=partial(_is_any_read, replies, condition),
                    mark=partial(_mark, marks, replies, condition),
                )
                for condition in conditions
            ),
        ),
        group=setting_text,
        tells=lambda row: any(
            row[f"{one}_estimate"] is not None or not _is_any_read(replies, one, row)
            for one in conditions
        ),
        silence=f"no condition has an episode that defines {file.slots['name']}",
        is_searched=True,
        replies=f"{replies.sentence}{replies.on_marks}",
    )


def _of_labs(condition: str, show: Callable[[float | None], str]) -> Column:
    """Return the column with the mean of each lab's models in a condition, and its worst and best
    model."""

    def cell(row: Row) -> TableCell:
        mean, worst, best = (row.get(f"{condition}_{of}") for of in ("mean", "worst", "best"))
        read, replies = (row.get(f"{condition}_{of}") or 0 for of in ("read", "replies"))
        if replies and not read:
            return TableCell(NONE_READ, n=row[f"{condition}_models"])
        if mean is None:
            return TableCell(UNDEFINED_CELL)
        ends = show(worst) if worst == best else f"{show(worst)}–{show(best)}"
        ends += "" if read == replies else f" read {read:,.0f} of {replies:,.0f}"
        letters = MOSTLY_UNREAD if 2 * read < replies else ""
        return TableCell(show(mean), ends, n=row[f"{condition}_models"], letters=letters)

    return Column(condition, cell)


def _chances(of_conditions: Sequence[tuple[str, float | None]]) -> str:
    """State equal chances once: .33 in E1, E2 and E4."""
    shares: dict[str, list[str]] = {}
    for condition, chance in of_conditions:
        if chance is not None:
            shares.setdefault(share_text(chance), []).append(condition)
    if len(shares) == 1 and len(next(iter(shares.values()))) == len(of_conditions) > 1:
        return f"{next(iter(shares))} in every condition"
    return ", ".join(f"{share} in {_and(conditions)}" for share, conditions in shares.items())


def _and(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _main_alone(run: Reading, family: str) -> Setting | None:
    (counted,) = section_file(__name__, run, leading=family).rows("settings_{family}")
    is_long = counted["n"] > _MOST_ROWS and counted["n_settings"] > 1
    return main_setting(run, family) if is_long else None


def _marks(run: Reading, file: SectionFile) -> Marks:
    return {
        (row["condition"], row["temperature"], row["variant"], row["model"]): (
            row["rank"] == 1,
            row["letters"] or "",
        )
        for row in run.rows(run.leading(file.sql("marks_{family}")))
        if row["n_models"] > 1
    }


def _on(marks: Marks) -> str:
    if not marks:
        return ""
    has_letters = any(letters for _, letters in marks.values())
    return f"{_ON_BEST}{_ON_LETTERS if has_letters else ''}."


def _mark(marks: Marks, replies: Replies, condition: str, row: Row) -> tuple[bool, str]:
    n_read, n = _counts(replies, condition, row)
    if 2 * n_read < n:
        return False, MOSTLY_UNREAD
    return marks.get((condition, *(row[key] for key in _KEYS)), (False, ""))


def _is_any_read(replies: Replies, condition: str, row: Row) -> bool:
    """Return whether a cell rests on a reply that was read; other cells would show 0."""
    n_read, n = _counts(replies, condition, row)
    return n_read > 0 or not n


def _counts(replies: Replies, condition: str, row: Row) -> tuple[int, int]:
    return replies.counts(("condition", *_KEYS), {**row, "condition": condition})
