"""A DuckDB connection that can only answer queries. Nothing in a run directory is used as SQL; even
if it were, it could read, write, load or change nothing."""

import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    import duckdb

_DEFAULTS = ("", ".tmp")  # of databases in memory: beneath wherever the caller happens to be


def confine(connection: "duckdb.DuckDBPyConnection", paths: Iterable[str] = ()) -> None:
    """Restrict the connection to these files, permanently.

    Its settings cannot be changed afterwards, except variables of queries. Data that exceed the
    memory still go into a separate temporary directory.

    Args:
        paths: absolute, without links in them.
    """
    # By default, queries may read all files of the temporary directory, which is shared with
    # others. DuckDB makes this separate one when it first needs it, and removes it.
    setting = connection.execute("select current_setting('temp_directory')").fetchall()[0][0]
    temporary = Path(gettempdir() if setting in _DEFAULTS else setting)
    connection.execute("set temp_directory = $1", [str(temporary / f"duckdb-{uuid4().hex}")])
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
    """Return the pattern for only this path, because `read_parquet` accepts nothing but
    patterns."""
    return re.sub(r"([*?\[])", r"[\1]", path)
