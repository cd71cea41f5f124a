"""Links a paired comparison to the list of its episodes, narrowed to the scenes in which the two
cells differ.
"""

from itertools import product
from typing import TypeAlias

from mirror_ray.analysis.quoting import literal
from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.section import UNDEFINED_CELL, TableCell

Labelled: TypeAlias = dict[str, str]
"""Variant → the cell's id."""

_COLUMNS = "family, condition, model, temperature, variant, cell_id"


class Comparisons:
    """The comparisons of one family.

    Args:
        run: whose `contrast.pairs` they are.
    """

    def __init__(self, run: Reading, family: str) -> None:
        self._run = run
        episodes = run.every("stage", "episodes", _COLUMNS)
        found = run.rows(
            f"select distinct {_COLUMNS} from (\n{episodes}\n) "  # noqa: S608 - our own names
            f"where family = {literal(family)}"
        )
        settings = run.rows(
            "select variant, axis, value from metric.settings where family = $family", family=family
        )
        self._settings = {(row["variant"], row["axis"]): row["value"] for row in settings}
        self._cells: dict[tuple[str, str, str], Labelled] = {}
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
        """The ids of the baseline's and the value's cell; None if they are not known."""
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
