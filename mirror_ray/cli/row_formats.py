"""A query's rows as CSV, Markdown, LaTeX or Parquet, printed or written to a file.

Text formats escape a run's texts and make them printable; Parquet keeps every value."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.cli.directories import write_file
from mirror_ray.core.errors import SweepError
from mirror_ray.core.untrusted import printable

FORMATS = ("csv", "md", "tex", "parquet")
_NUMBERS = (int, float, Decimal)
_PLAIN = (str, bool, int, float, Decimal, date, datetime, time)


def format_of(chosen: str | None, out: str | None) -> str:
    """Return the requested format, or else that of the file's name. Raise SweepError for a name
    without a known format, or for Parquet without a file."""
    ending = "" if out is None else Path(out).suffix.removeprefix(".").lower()
    if chosen is None and out is not None and ending not in FORMATS:
        raise SweepError(
            "command line: --out",
            out,
            f"a name that ends with one of {', '.join(f'.{one}' for one in FORMATS)}",
            "or say which it is: --format csv",
        )
    kind = chosen or ending or "table"
    if kind == "parquet" and out is None:
        raise SweepError(
            "command line: --format",
            "parquet without a file",
            "Parquet is binary: it needs --out",
            "--out rows.parquet",
        )
    return kind


def write_rows(kind: str, rows: pa.Table, out: str) -> None:
    """Write the rows to the file of ``--out``: see `write_file`."""
    buffer = io.BytesIO()
    if kind == "parquet":
        pq.write_table(rows, buffer)
    else:
        buffer.write(rows_text(kind, rows).encode(errors="replace"))
    write_file("--out", out, buffer.getvalue())


def rows_text(kind: str, rows: pa.Table) -> str:
    """Return all rows under a line of headings."""
    columns = [column.to_pylist() for column in rows.columns]
    return _TEXTS[kind](rows.column_names, list(zip(*columns, strict=True)))


def _csv(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([printable(heading) for heading in headings])
    for row in rows:
        # NULL is empty and an empty text is not quoted, as in the report's files.
        writer.writerow(["" if value is None else _exact(value) for value in row])
    return buffer.getvalue()


def _markdown(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    from mirror_ray.analysis.report.markdown import escaped_markdown, markdown_rows  # noqa: PLC0415 - late

    cells = [[escaped_markdown(_short(value)) for value in row] for row in rows]
    return markdown_rows(
        [escaped_markdown(one) for one in headings], _are_numbers(headings, rows), cells
    )


def _latex(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    from mirror_ray.analysis.report.latex import escaped_latex  # noqa: PLC0415 - late

    def line(values: Sequence[str]) -> str:
        return " & ".join(values) + r" \\"

    alignment = "".join("r" if number else "l" for number in _are_numbers(headings, rows))
    lines = [
        r"% \usepackage{booktabs}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        line([escaped_latex(heading) for heading in headings]),
        r"\midrule",
        *(line([escaped_latex(_short(value)) for value in row]) for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _are_numbers(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[bool]:
    return [
        all(row[place] is None or isinstance(row[place], _NUMBERS) for row in rows)
        for place in range(len(headings))
    ]


def _exact(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # Lists and structs as JSON: CSV has none.
    return printable(str(value) if isinstance(value, _PLAIN) else json.dumps(value, default=str))


def _short(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    return " ".join(_exact(value).split())


_TEXTS: Mapping[str, Callable[[Sequence[str], Sequence[Sequence[Any]]], str]] = {
    "csv": _csv,
    "md": _markdown,
    "tex": _latex,
}
