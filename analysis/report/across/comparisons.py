"""Comparisons of models and of conditions: paired on the same scenes."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from mirror_ray.analysis.plots.forest import forest
from mirror_ray.analysis.plots.vega import Chart
from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.reading import Reading, Row
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

_CELL = "family, condition, model, temperature, variant, cell_id"


def section(run: Reading) -> Section | None:
    """Compare, for each family, its models with the best, and its conditions; None without
    pairs."""
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
    """Return the p, or the verdict of a comparison that was decided early and has no p."""
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


def _forest(rows: list[Row], name: str) -> Chart:
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


class Comparisons:
    """Links a family's paired comparisons to the lists of their episodes, narrowed to the scenes in
    which the two cells differ."""

    def __init__(self, run: Reading, family: str) -> None:
        self._run = run
        episodes = run.every("stage", "episodes", _CELL)
        found = run.rows(
            f"select distinct {_CELL} from (\n{episodes}\n) "  # noqa: S608 - our own names
            f"where family = {literal(family)}"
        )
        settings = run.rows(
            "select variant, axis, value from metric.settings where family = $family", family=family
        )
        self._settings = {(row["variant"], row["axis"]): row["value"] for row in settings}
        self._cells: dict[tuple[str, str, str], dict[str, str]] = {}
        for row in found:
            setting = (row["condition"], row["model"], _degree(row["temperature"]))
            self._cells.setdefault(setting, {})[row["variant"]] = row["cell_id"]

    def cell(self, row: Row) -> TableCell:
        """Return how many scenes favour either side, linked to their episodes."""
        if row["only_baseline"] is None:
            text, small, differ = UNDEFINED_CELL, "", True
        else:
            differ = row["only_baseline"] + row["only_value"] > 0
            text = f"{row['only_baseline'] + row['only_value']:,}"
            small = f"{row['only_baseline']:,} and {row['only_value']:,}" if differ else ""
        cells = self._of(row) if differ else None
        href = None if cells is None else self._run.page_of_pairs(*cells)
        return TableCell("these" if href and text == UNDEFINED_CELL else text, small, href=href)

    def _of(self, row: Row) -> tuple[str, str] | None:
        axis, baseline, value = row["axis"], row["baseline"], row["value"]
        sides = []
        for side in (baseline, value):
            setting = {
                "condition": row["condition"],
                "model": row["model"],
                "temperature": _degree(row["temperature"]),
                axis: side,
            }
            key = (setting["condition"], setting["model"], setting["temperature"])
            sides.append(self._cells.get(key, {}))
        for one, other in product(*sides):
            if axis in ("condition", "model", "temperature"):
                if one == other == row["variant"]:
                    return sides[0][one], sides[1][other]
            elif (
                self._settings.get((one, axis)) == baseline
                and self._settings.get((other, axis)) == value
                and row["contrast"] == _named(row, one, other)
            ):
                return sides[0][one], sides[1][other]
        return None


def _degree(temperature: float | None) -> str:
    return "default" if temperature is None else f"{temperature:g}"


def _named(row: Row, one: str, other: str) -> str:
    kept = "+".join(part for part in one.split("+") if part in other.split("+"))
    temperature = None if row["temperature"] is None else f"{row['temperature']:g}"
    change = f"{row['axis']} {row['baseline']} → {row['value']}"
    parts = (row["family"], change, row["condition"], row["model"], temperature, kept or None)
    return " · ".join(part for part in parts if part is not None)
