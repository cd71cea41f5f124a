"""Users' SQL over open runs. Only statements that read are run, and a mistake raises one kind of
error."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import duckdb

from mirror_ray.analysis.readable import damaged_shard
from mirror_ray.core.errors import MirrorRayError, SweepError
from mirror_ray.core.untrusted import one_printable_line

VIEWS = "from duckdb_views() select schema_name, view_name where not internal"
"""The query that lists the views."""

_OF_THE_QUERY = (
    *(duckdb.ParserException, duckdb.BinderException, duckdb.CatalogException),
    duckdb.PermissionException,
)
_WRITING = {
    *(duckdb.StatementType.COPY, duckdb.StatementType.EXPORT, duckdb.StatementType.ATTACH),
    *(duckdb.StatementType.COPY_DATABASE, duckdb.StatementType.PREPARE, duckdb.StatementType.LOAD),
}
_EXPLAINED = re.compile(r"^\s*explain\b(\s+analyze\b)?(\s*\([^)]*\))?", re.IGNORECASE)


_OF_A_CONDITION = (
    *(ValueError, duckdb.ProgrammingError, duckdb.DataError, duckdb.PermissionException),
    *(duckdb.NotImplementedException, duckdb.InvalidInputException),
)


@contextmanager
def condition_errors(named: str, where: str | None, example: str) -> Iterator[None]:
    """Convert DuckDB's error for a condition on episodes, if one was given, into a SweepError.

    Args:
        named: the error's first line, e.g. ``command line: --where``.
    """
    try:
        yield
    except _OF_A_CONDITION as error:
        if where is None:
            raise
        allowed = f"SQL over the columns of all episodes: {one_printable_line(str(error))}"
        raise SweepError(named, where, allowed, example) from error


@dataclass(frozen=True, slots=True)
class Query:
    """SQL text, and the context for its errors.

    Args:
        where: the error's first line, e.g. ``command line: QUERY``.
        instead: how to get what a query cannot give, such as a file.
    """

    text: str
    where: str
    instead: str

    def require_reading(self) -> None:
        """Refuse statements that write files; DuckDB reports syntax errors when the query runs.

        Raises:
            SweepError: one of them writes.
        """
        with suppress(duckdb.Error), duckdb.connect() as parser:
            for statement in parser.extract_statements(self.text):
                # EXPLAIN and PREPARE are refused too, because they may execute the statement they
                # name.
                text = _EXPLAINED.sub("", statement.query)
                kinds = {one.type for one in parser.extract_statements(text)}
                if kinds & _WRITING:
                    raise SweepError(
                        self.where, self.text.strip(), "statements that only read", self.instead
                    )

    def error(self, failure: duckdb.Error, directories: Sequence[str]) -> MirrorRayError:
        """Return the error to raise for DuckDB's: it names the first damaged shard or else the
        query."""
        damage = None if isinstance(failure, _OF_THE_QUERY) else damaged_shard(*directories)
        return damage or SweepError(
            self.where,
            self.text.strip(),
            f"DuckDB SQL over the run's views: {str(failure).strip()}",
            self.instead
            if isinstance(failure, duckdb.PermissionException)
            else f"list the views, which are those of the run's families: {VIEWS}",
        )
