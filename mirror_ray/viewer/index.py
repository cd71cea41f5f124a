"""A run's sealed episodes as a table to browse: filters with their counts, pages, neighbours.

Knows that a view of the schema ``episode`` with a column ``failure`` says where episodes fail; all
else is SQL over one table in memory. A snapshot: what is sealed later is in the next one. Does not
know what an episode's page shows.
"""

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any

import duckdb

from mirror_ray.errors import SweepError
from mirror_ray.records.sealed import StoredRow
from mirror_ray.viewer.filters import CHOSEN_BY_VALUE, Filters
from mirror_ray.viewer.listed import first_line, list_sealed, shards_of

PAGE_ROWS = 100

_EPISODE_VIEWS = "select view_name from duckdb_views() where schema_name = 'episode' order by all"

_CLASSIFIED = """
create or replace table listed as
select listed.* replace (classes.failure as failure)
from listed
left join classes using (episode_id)
"""

_SCORES = 'from episode."{}" where episode_id = $id'


@dataclass(frozen=True, slots=True)
class Facet:
    """A filter and what it may be set to: (value, episodes under the other filters)."""

    name: str
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the list.

    Args:
        rows: at most `PAGE_ROWS`.
        total: episodes under the filters.
    """

    rows: tuple[StoredRow, ...]
    total: int


class EpisodeIndex:
    """The latest takes of a run directory, as they are sealed now.

    Args:
        where: a SQL condition over the list's columns; others are not in the index at all.

    Raises:
        RunDirError: a shard is damaged, or the storage cannot be read.
        SweepError: DuckDB rejects `where`.
    """

    def __init__(self, out: str, where: str | None = None) -> None:
        self.shards = shards_of(out)
        self._connection = duckdb.connect()
        list_sealed(self._connection, out, self.shards)
        # The list need not wait for the run's views, of which there are many.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="views")
        self._views = self._thread.submit(_open_views, out)
        self._views_in_use = Lock()
        self._failures: Future[str | None] = self._thread.submit(self._add_failures)
        if where is not None:
            self._failures.result()
            self._keep(where)

    def failures_note(self, wait_s: float | None) -> str | None:
        """Why the list cannot be narrowed to a failure class, or None where it can.

        Args:
            wait_s: how long to wait for the classes, which take a moment in a large run; None: as
                long as that takes.
        """
        try:
            return self._failures.result(wait_s)
        except TimeoutError:
            return "failure classes are being worked out: reload in a moment"

    def facets(self, filters: Filters) -> tuple[Facet, ...]:
        """The filters between which there is a choice, or that are set."""
        found = []
        for name in CHOSEN_BY_VALUE:
            condition, values = filters.condition_sql(but=name)
            counted = self._rows(
                f"select {name}::varchar as value, count(*) as n from listed "  # noqa: S608 - ours
                f"where {condition} group by 1 order by 1",
                values,
            )
            if len(counted) > 1 or name in filters.chosen():
                known = [(row["value"], row["n"]) for row in counted if row["value"] is not None]
                found.append(Facet(name, tuple(known)))
        return tuple(found)

    def page(self, filters: Filters, number: int) -> Listing:
        """The `number`-th page, 1-based; without rows beyond the last."""
        condition, values = filters.condition_sql()
        limits = {"rows": PAGE_ROWS, "skipped": (number - 1) * PAGE_ROWS}
        rows = self._rows(
            f"from listed where {condition} order by place limit $rows offset $skipped",
            values | limits,
        )
        (counted,) = self._rows(f"select count(*) as n from listed where {condition}", values)  # noqa: S608
        return Listing(tuple(rows), counted["n"])

    def all(self) -> tuple[StoredRow, ...]:
        """Every episode, in order."""
        return tuple(self._rows("from listed order by place", {}))

    def find(self, prefix: str) -> tuple[StoredRow, ...]:
        """Up to three episodes whose ids begin so."""
        sql = "from listed where starts_with(episode_id, $id) order by place limit 3"
        return tuple(self._rows(sql, {"id": prefix}))

    def neighbours(self, filters: Filters, place: int) -> tuple[str | None, str | None]:
        """Ids of the episodes before and after a place in the narrowed list."""
        condition, values = filters.condition_sql()
        (found,) = self._rows(
            "select max_by(episode_id, place) filter (place < $place) as before, "  # noqa: S608
            "min_by(episode_id, place) filter (place > $place) as after "
            f"from listed where {condition}",
            values | {"place": place},
        )
        return found["before"], found["after"]

    def scores(self, family: str, episode_id: str) -> StoredRow:
        """What the view ``episode.<family>`` says of an episode; empty without such a view."""
        try:
            return next(iter(self._from_views(_SCORES.format(family), {"id": episode_id})), {})
        except duckdb.CatalogException:
            return {}
        except duckdb.Error as error:
            return {"not worked out": first_line(error)}

    def close(self) -> None:
        """Give up what is still being worked out."""
        self._thread.shutdown(wait=False, cancel_futures=True)
        self._connection.interrupt()
        if self._views.done() and self._views.exception() is None:
            self._views.result().interrupt()

    def _keep(self, where: str) -> None:
        listed = self._connection.sql("from listed").to_arrow_table()
        try:
            with self._views_in_use:
                views = self._views.result()
                views.register("listed", listed)
                kept = views.sql(f"from listed where ({where})").to_arrow_table()
        except duckdb.Error as error:
            raise SweepError(
                "command line: --where",
                repr(where),
                f"a DuckDB condition over the list's columns: {str(error).strip()}",
                "e.g. --where \"condition = 'E3' and outcome = 'failed'\"",
            ) from error
        self._connection.register("kept", kept)
        self._connection.execute("create or replace table listed as from kept")

    def _add_failures(self) -> str | None:
        """Fills in the failure classes that views have; returns why there are none."""
        try:
            with self._views_in_use:
                run = self._views.result()
                # Asked of duckdb_columns(), every view of the run would be bound.
                views = [
                    view
                    for (view,) in run.execute(_EPISODE_VIEWS).fetchall()
                    if {"episode_id", "failure"} <= set(run.sql(f'from episode."{view}"').columns)
                ]
            if not views:
                return "no failure classes for these families"
            classes = " union all ".join(
                f'select episode_id, failure from episode."{view}"'  # noqa: S608 - our own names
                for view in views
            )
            with self._views_in_use:
                found = self._views.result().sql(classes).to_arrow_table()
        except duckdb.Error as error:
            return f"failure classes cannot be worked out: {first_line(error)}"
        with self._connection.cursor() as cursor:
            cursor.register("classes", found)
            cursor.execute(_CLASSIFIED)
        return None

    def _from_views(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Rows from the run's views: what those read is their connection's alone."""
        with self._views_in_use:
            return _read(self._views.result(), sql, parameters)

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        # A cursor for each query: several threads ask at once.
        with self._connection.cursor() as cursor:
            return _read(cursor, sql, parameters)


def _open_views(out: str) -> duckdb.DuckDBPyConnection:
    # Imported late, on the thread that waits for it.
    from analysis.warehouse import open_run  # noqa: PLC0415

    return open_run(out)


def _read(
    cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, Any]
) -> list[dict[str, Any]]:
    found = cursor.execute(sql, dict(parameters))
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
