"""Comparisons of models and of conditions: paired on the same scenes."""

from collections.abc import Iterator
from dataclasses import replace

import altair as alt

from mirror_ray.analysis.plots.forest import forest
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.across.discordant import Comparisons
from mirror_ray.analysis.report.cells import (
    chance_text,
    held_text,
    p_text,
    share_text,
    three_digits_text,
)
from mirror_ray.analysis.report.section import (
    UNDEFINED_CELL,
    Column,
    Figure,
    ReportTable,
    Section,
    TableCell,
)
from mirror_ray.analysis.report.section_file import measured_families, section_file, text_column
from mirror_ray.analysis.report.setting import Setting, main_setting


def section(run: Reading) -> Section | None:
    """For each family its models against the best, and its conditions; None without pairs."""
    parts: list[Figure | ReportTable] = []
    for family in measured_families(run):
        setting = main_setting(run, family)
        if setting is not None:
            parts += _parts(run, family, setting)
    return section_file(__name__, run).section(*parts)


def _parts(run: Reading, family: str, setting: Setting) -> Iterator[Figure | ReportTable]:
    file = section_file(
        __name__,
        run,
        columns={
            "change": text_column(lambda row: f"{row['baseline']} → {row['value']}"),
            "holm": lambda _key, heading: Column(heading, _p),
            "effect": lambda _key, heading: Column(heading, _effect),
            "differ": lambda _key, heading: Column(
                heading,
                Comparisons(run, family).cell,
                meaning="Scenes in which only the first, and only the second is right.",
            ),
        },
        groups={"question": lambda row: held_text(str(row["question"]), row["temperature"])},
        leading=family,
        where=setting.where,
        where_tied=setting.where_of("tied."),
        setting=setting.text,
    )
    for part in ("models_{family}", "conditions_{family}"):
        if rows := run.rows(run.leading(file.sql(part))):
            yield file.drawn(part, _forest(rows, file.slots["name"]))
    ranks = run.table(run.leading(file.sql("ranking_{family}")))
    if len(ranks.column("model").unique()) > 1:
        ranking = file.table("ranking_{family}", ranks)
        yield replace(ranking, tells=lambda row: row["n_models"] > 1)
    pairs = run.table(run.leading(file.sql("pairs_{family}")))
    if pairs.num_rows:
        yield file.table("pairs_{family}", pairs)


def _p(row: Row) -> TableCell:
    """The p, or the verdict of what was settled early, which has no p."""
    if row["p_holm"] is not None or row["probability"] is None:
        return TableCell(p_text(row["p_holm"]))
    return TableCell("apart" if row["told_apart"] else "not apart", chance_text(row["probability"]))


def _effect(row: Row) -> TableCell:
    if row["cohens_g"] is not None:
        odds = three_digits_text(row["odds_ratio"])
        return TableCell(f"g {share_text(row['cohens_g'])}", f"odds ratio {odds}")
    if row["hedges_g_av"] is not None:
        return TableCell(f"g {share_text(row['hedges_g_av'])}")
    return TableCell(UNDEFINED_CELL)


def _told(row: Row) -> str:
    cell = _p(row)
    return f"{cell.text} with {cell.small}" if cell.small else f"p (Holm) {cell.text}"


def _forest(rows: list[Row], name: str) -> alt.ConcatChart:
    shown = [
        {
            **row,
            "is_clear": bool(row["told_apart"]),
            "description": f"{row['model']}: the best"
            if row.get("is_best")
            else f"{row['model']} {row['against']}: {share_text(row['difference'])}, {_told(row)}, "
            f"{row['n']} scenes",
        }
        for row in rows
        if row["difference"] is not None
    ]
    return forest(shown, title=f"difference in {name}")
