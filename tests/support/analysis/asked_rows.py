"""The rows of a query as dictionaries, for tests that count them by hand."""

from typing import Any

import duckdb


def rows_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def by(rows: list[dict[str, Any]], key: str) -> dict[Any, dict[str, Any]]:
    """The rows by a column that tells them apart."""
    assert len(rows) == len({row[key] for row in rows})
    return {row[key]: row for row in rows}
