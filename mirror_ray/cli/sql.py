"""`mirror-ray sql`: DuckDB SQL over a run's views."""

import sys
from argparse import Namespace
from collections.abc import Mapping

import duckdb
from yaml import safe_load

from analysis.warehouse import open_run, variable_names
from mirror_ray.cli.show import as_mappings, console, print_json, print_rows
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
            open_run(arguments.directory, variables=_variables(arguments.set)) as connection,
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


def _variables(settings: list[str]) -> Mapping[str, object]:
    variables = {}
    for setting in settings:
        name, separator, value = setting.partition("=")
        if not separator or name not in variable_names():
            raise SweepError(
                "command line: --set",
                repr(setting),
                f"NAME=VALUE, where NAME is one of {', '.join(variable_names())}",
                "e.g. --set mirror_px_threshold=100",
            )
        variables[name] = safe_load(value)
    return variables
