"""`mirror-ray sql`: DuckDB SQL over a run's views."""

import re
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import duckdb
import pyarrow as pa

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli.directories import manifests_of
from mirror_ray.cli.reading import damaged_shard
from mirror_ray.cli.row_formats import FORMATS, as_text, format_of, write_rows
from mirror_ray.cli.show import as_mappings, console, print_json, print_rows
from mirror_ray.cli.variables import read_variables
from mirror_ray.errors import SweepError
from mirror_ray.records.storage_fault import faults_reported

_OF_THE_QUERY = (
    *(duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException),
    duckdb.PermissionException,
)
_WRITING = {
    *(duckdb.StatementType.COPY, duckdb.StatementType.EXPORT, duckdb.StatementType.ATTACH),
    *(duckdb.StatementType.COPY_DATABASE, duckdb.StatementType.PREPARE, duckdb.StatementType.LOAD),
}
_EXPLAINED = re.compile(r"^\s*explain\b(\s+analyze\b)?(\s*\([^)]*\))?", re.IGNORECASE)
_FORBIDDEN = (
    "a query reads this run and nothing else: for a file, --out rows.csv (.md, .tex, .parquet) or"
    " --json DIR '…' > rows.json; to read other files beside the run, use DuckDB's own command line"
    " on views.sql"
)
_VIEWS = "from duckdb_views() select schema_name, view_name where not internal"


def main(arguments: Namespace) -> int:
    """Prints the query's rows; a query that DuckDB rejects is bad input."""
    directories, text = _words(arguments.words)
    kind = "json" if arguments.json else format_of(arguments.format, arguments.out)
    query = sys.stdin.read() if text == "-" else text
    _require_reading(query)
    try:
        with (
            faults_reported(" ".join(directories), "the run cannot be read"),
            open_run(directories, variables=read_variables(arguments.set)) as connection,
        ):
            columns, rows, table = _answer(connection, query, typed=kind in FORMATS)
    except duckdb.Error as error:
        damage = None if isinstance(error, _OF_THE_QUERY) else damaged_shard(*directories)
        raise damage or SweepError(
            "command line: QUERY",
            query.strip(),
            f"DuckDB SQL over the run's views: {str(error).strip()}",
            _FORBIDDEN
            if isinstance(error, duckdb.PermissionException)
            else f"list the views: {_VIEWS}",
        ) from error
    if table is not None:
        if arguments.out is None:
            print(as_text(kind, table), end="")
        else:
            write_rows(kind, table, arguments.out)
            console.print(f"{table.num_rows:,} rows: {arguments.out}", soft_wrap=True)
    elif kind == "json":
        print_json(as_mappings(columns, rows))
    else:
        print_rows(columns, rows)
        console.print(f"{len(rows):,} rows")
    return 0


def _words(words: Sequence[str]) -> tuple[Sequence[str], str]:
    """The run directories, and the query, which comes last.

    Raises:
        SweepError: one of them is missing.
        RunDirError: a word before the query is no run directory.
    """
    *directories, query = words
    if not directories:
        raise SweepError(
            "command line: QUERY",
            f"one word: {query}",
            "a run directory, or several, and a query",
            f'mirror-ray sql runs/quickstart "{_VIEWS}"',
        )
    return tuple(manifests_of(directories)), query


def _answer(
    connection: duckdb.DuckDBPyConnection, query: str, *, typed: bool
) -> tuple[list[str], list[tuple[Any, ...]], pa.Table | None]:
    """Headings and rows, or the table of both with their types."""
    if typed:
        answer = connection.sql(query)
        return [], [], pa.table({}) if answer is None else answer.to_arrow_table()
    cursor = connection.execute(query)
    return [column[0] for column in cursor.description or ()], cursor.fetchall(), None


def _require_reading(query: str) -> None:
    """Refuses statements that write files; DuckDB reports what it cannot parse when the query
    runs."""
    with suppress(duckdb.Error), duckdb.connect() as parser:
        for statement in parser.extract_statements(query):
            # EXPLAIN and PREPARE are refused too: what they name may be executed.
            text = _EXPLAINED.sub("", statement.query)
            kinds = {one.type for one in parser.extract_statements(text)}
            if kinds & _WRITING:
                raise SweepError(
                    "command line: QUERY", query.strip(), "statements that only read", _FORBIDDEN
                )
