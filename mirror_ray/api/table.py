"""`Table`: the rows of a query, for pandas, Polars, Arrow or display in a notebook."""

from collections.abc import Iterator, Sequence
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from mirror_ray.core.errors import MirrorRayError
from mirror_ray.core.untrusted import one_printable_line

if TYPE_CHECKING:
    import pandas
    import polars

_MOST_NAMED = 8


class Table:
    """Rows with typed columns; undefined is NULL, never 0.

    Libraries that read Arrow's C stream accept it directly: ``polars.DataFrame(table)``,
    ``pyarrow.table(table)``, your own DuckDB connection. Iterating yields each row as a dictionary.
    """

    __slots__ = ("_rows",)

    def __init__(self, rows: pa.Table) -> None:
        self._rows = rows

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(self._rows.column_names)

    def to_arrow(self) -> pa.Table:
        """Return the rows as a `pyarrow.Table`, without copying."""
        return self._rows

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the rows as a `pandas.DataFrame`; NULL is NaN or None.

        Raises:
            MirrorRayError: pandas is not installed.
        """
        _require("pandas")
        frame: pandas.DataFrame = self._rows.to_pandas()
        return frame

    def to_polars(self) -> "polars.DataFrame":
        """Return the rows as a `polars.DataFrame`.

        Raises:
            MirrorRayError: Polars is not installed.
        """
        _require("polars")
        import polars as pl  # noqa: PLC0415 - not everybody's

        return pl.DataFrame(self._rows)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self._rows.num_rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for batch in self._rows.to_batches(max_chunksize=1_000):
            yield from batch.to_pylist()

    def __repr__(self) -> str:
        named = ", ".join(one_printable_line(name, 40) for name in self.columns[:_MOST_NAMED])
        more = ", …" if len(self.columns) > _MOST_NAMED else ""
        return f"<Table of {len(self):,} rows × {len(self.columns):,} columns: {named}{more}>"

    def _repr_html_(self) -> str:
        shown = self._rows.slice(0, MOST_ROWS)
        columns = [column.to_pylist() for column in shown.columns]
        rows = list(zip(*columns, strict=True)) if columns else []
        return html_table(self.columns, rows, len(self))


def _require(package: str) -> None:
    if find_spec(package) is None:
        raise MirrorRayError(
            f"the table cannot become one of {package}",
            f"no package {package} in this environment",
            "pandas, polars, or neither: .to_arrow() always works",
            f"pip install {package}",
        )


MOST_ROWS, MOST_COLUMNS = 20, 30
_MOST_CHARS = 80
_UNDEFINED = "–"


def html_table(
    headings: Sequence[str], rows: Sequence[Sequence[Any]], n_rows: int, about: str = ""
) -> str:
    """Return the first rows and columns as HTML, with a caption above and the totals below.

    Args:
        rows: those that are shown, with one cell per heading.
    """
    shown = headings[:MOST_COLUMNS]
    head = "".join(f"<th>{escaped_html(one)}</th>" for one in shown)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row[:MOST_COLUMNS])}</tr>"
        for row in rows[:MOST_ROWS]
    )
    rest = f"{n_rows:,} rows × {len(headings):,} columns"
    title = f"<p>{escaped_html(about, 500)}</p>" if about else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f"<div>{title}{table}<p>{rest}</p></div>"


def escaped_html(text: str, limit: int = _MOST_CHARS) -> str:
    """Return a text as one line of HTML with at most `limit` characters."""
    return escape(one_printable_line(text, limit))


def _cell(value: Any) -> str:
    if value is None:
        return _UNDEFINED
    if isinstance(value, float):
        return f"{value:.4g}"
    return escaped_html(str(value))
