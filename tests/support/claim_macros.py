"""The SQL macros that interpret a claim of a colour, in a database of their own."""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from mirror_ray.analysis.sql_files import sql_files


@contextmanager
def claim_macros() -> Iterator[duckdb.DuckDBPyConnection]:
    """Open an in-memory database that has every `macro.claim…` and nothing else."""
    with duckdb.connect() as connection:
        connection.execute("create schema macro")
        for file in sql_files():
            if file.layer == "macro" and file.name.startswith("claim"):
                connection.execute(file.definition())
        yield connection
