"""A DuckDB connection that can do nothing but answer: what a run directory says is never SQL, and
should any of it be taken for SQL nevertheless, it finds nothing to read, write, load or change.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


def confine(connection: "duckdb.DuckDBPyConnection", paths: Iterable[str] = ()) -> None:
    """Restricts the connection to these files, permanently.

    Its settings cannot be changed afterwards, except variables of queries; what does not fit into
    memory still goes into its temporary directory.

    Args:
        paths: absolute, without links in them.
    """
    # DuckDB checks both the pattern, which a query names, and the file that it matches.
    allowed = sorted({name for path in paths for name in (path, pattern_of(path))})
    connection.execute("set allowed_paths = $1", [allowed])
    for setting in (
        "python_enable_replacements = false",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"set {setting}")


def pattern_of(path: str) -> str:
    """The pattern that this path alone matches: `read_parquet` takes no other."""
    return re.sub(r"([*?\[])", r"[\1]", path)
