"""`mirror-ray sql`: DuckDB SQL over a run's views."""

import sys
from argparse import Namespace

import duckdb

from analysis.warehouse import open_run
from mirror_ray.cli.show import as_mappings, console, print_json, print_rows
from mirror_ray.cli.variables import read_variables
from mirror_ray.errors import SweepError
from mirror_ray.records.rundir import read_manifest
from mirror_ray.records.storage_fault import faults_told

_VIEWS = "from duckdb_views() select schema_name, view_name where not internal"


def main(arguments: Namespace) -> int:
    """Prints the query's rows; a query that DuckDB rejects is bad input."""
    read_manifest(arguments.directory)
    query = sys.stdin.read() if arguments.query == "-" else arguments.query
    try:
        with (
            faults_told(arguments.directory, "the run cannot be read"),
            open_run(arguments.directory, variables=read_variables(arguments.set)) as connection,
        ):
            cursor = connection.execute(query)
            columns = [column[0] for column in cursor.description or ()]
            rows = cursor.fetchall()
    except duckdb.Error as error:
        raise SweepError(
            "command line: QUERY",
            query.strip(),
            f"DuckDB SQL over the run's views: {str(error).strip()}",
            f"list the views: {_VIEWS}",
        ) from error
    if arguments.json:
        print_json(as_mappings(columns, rows))
    else:
        print_rows(columns, rows)
        console.print(f"{len(rows):,} rows")
    return 0
