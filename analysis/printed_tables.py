"""Published numbers, kept as CSV files next to the views that read them.

`sql/<layer>/<name>.csv` becomes the table macro `macro.<name>()`. Its first line names the columns;
an empty field is NULL. Its grain is the shortest prefix of columns that tells all rows apart.
"""

import csv
import re
from collections.abc import Sequence

from mirror_ray.analysis.quoting import literal

_WHOLE = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?\d+\.\d+")


def printed_table(name: str, text: str) -> str:
    """Write the SQL file of a CSV file's rows; ValueError if a row has more or fewer fields than
    the first line."""
    columns, *rows = csv.reader(text.splitlines())
    values = (f"        ({', '.join(map(_value, row))})" for row in rows)
    grain = ", ".join(columns[: _n_keys(columns, rows)])
    lines = [
        f"-- grain: one row per {grain}",
        f"-- table macro: {name}()",
        "select *",
        "from (",
        "    values",
        ",\n".join(values),
        ") as of_table (",
        ",\n".join(f"    {column}" for column in columns),
        ")",
    ]
    return "\n".join([*lines, ""])


def _n_keys(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    if any(len(row) != len(columns) for row in rows):
        raise ValueError(f"every row has the fields {', '.join(columns)}")
    every = range(1, len(columns) + 1)
    return next((n for n in every if len({tuple(row[:n]) for row in rows}) == len(rows)), every[-1])


def _value(field: str) -> str:
    if not field:
        return "null"
    if _NUMBER.fullmatch(field):
        return f"{field}e0"
    return field if _WHOLE.fullmatch(field) else literal(field)
