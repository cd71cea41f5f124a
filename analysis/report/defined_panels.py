"""Leaves out the panels of a figure in which nothing is defined, and says so."""

from collections.abc import Sequence

from mirror_ray.analysis.reading import Row


def defined_panels(rows: Sequence[Row], value: str) -> tuple[list[Row], str]:
    """Return the rows of panels that have a value, and a sentence that names the other panels. If
    no panel has a value, return all rows and no sentence.

    Args:
        rows: with `panel`.
        value: the column that may be undefined.
    """
    defined = {row["panel"] for row in rows if row[value] is not None}
    missing = list(dict.fromkeys(row["panel"] for row in rows if row["panel"] not in defined))
    if not defined or not missing:
        return list(rows), ""
    said = f" Not drawn, because nothing in it is defined: {', '.join(map(str, missing))}."
    return [row for row in rows if row["panel"] in defined], said
