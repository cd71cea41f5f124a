"""`mirror-ray sql` runs DuckDB SQL over a run's views."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.api.queries import VIEWS, Query
from mirror_ray.cli.directories import manifests_of
from mirror_ray.cli.row_formats import FORMATS, format_of, rows_text, write_rows
from mirror_ray.cli.show import as_mappings, console, counted, print_json, print_rows
from mirror_ray.cli.variables import read_variables
from mirror_ray.core.errors import SweepError
from mirror_ray.records.storage_fault import faults_reported

_FORBIDDEN = (
    "a query reads only this run: to write a file, use --out rows.csv (.md, .tex, .parquet) or"
    " --json DIR '…' > rows.json; to join other files, use DuckDB's own command line on views.sql"
)

_DEEP = ("paper", "summary", "twin", "contrast", "ablation")
"""Layers that read an episode's scores many times."""
_MOST_ROWS = 1_000
"""The most rows shown in a terminal: half a million would take gigabytes to lay out."""
_AT_A_TIME = 10_000


def main(arguments: Namespace) -> int:
    """Print the query's rows; a query that DuckDB rejects is bad input."""
    directories, text = _words(arguments.words)
    kind = "json" if arguments.json else format_of(arguments.format, arguments.out)
    text = sys.stdin.read() if text == "-" else text
    query = Query(text, "command line: QUERY", _FORBIDDEN)
    query.require_reading()
    variables = read_variables(arguments.set)
    hold = any(f"{layer}." in text for layer in _DEEP)
    try:
        with (
            faults_reported(" ".join(directories), "the run cannot be read"),
            open_run(directories, variables=variables, hold=hold) as connection,
        ):
            columns, rows, n_rows, table = _answer(connection, text, kind)
    except duckdb.Error as error:
        raise query.error(error, directories) from error
    if table is not None:
        if arguments.out is None:
            print(rows_text(kind, table), end="")
        else:
            write_rows(kind, table, arguments.out)
            console.print(f"{counted(table.num_rows, 'row')}: {arguments.out}", soft_wrap=True)
    elif kind == "json":
        print_json(as_mappings(columns, rows))
    else:
        print_rows(columns, rows)
        if n_rows > len(rows):
            all_of = "all are in --format csv, and in files: --out rows.parquet"
            console.print(f"The first {len(rows):,} of {n_rows:,} rows; {all_of}")
        else:
            console.print(counted(n_rows, "row"))
    return 0


def _words(words: Sequence[str]) -> tuple[Sequence[str], str]:
    """Return the run directories and the query, which comes last. Raise SweepError if either is
    missing, RunDirError if a word before the query is not a run directory."""
    *directories, query = words
    if not directories:
        raise SweepError(
            "command line: QUERY",
            f"one word: {query}",
            "a run directory, or several, and a query",
            f'mirror-ray sql runs/quickstart "{VIEWS}"',
        )
    return tuple(manifests_of(directories)), query


def _answer(
    connection: duckdb.DuckDBPyConnection, query: str, kind: str
) -> tuple[list[str], list[tuple[Any, ...]], int, pa.Table | None]:
    if kind in FORMATS:
        answer = connection.sql(query)
        return [], [], 0, pa.table({}) if answer is None else answer.to_arrow_table()
    cursor = connection.execute(query)
    columns = [column[0] for column in cursor.description or ()]
    if kind == "json":
        rows = cursor.fetchall()
        return columns, rows, len(rows), None
    rows = cursor.fetchmany(_MOST_ROWS)
    n_rows = len(rows)
    while more := cursor.fetchmany(_AT_A_TIME):
        n_rows += len(more)
    return columns, rows, n_rows, None
