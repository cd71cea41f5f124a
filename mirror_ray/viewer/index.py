"""A run's sealed episodes as a table to browse: filters with their counts, pages, neighbours.

The run's views decide what is right and wrong (`classes`); everything else is SQL over one table in
memory. The index is a snapshot: episodes sealed later appear in the next one."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any

import duckdb

from mirror_ray.analysis.reading import Reading
from mirror_ray.core.errors import RunDirError, SweepError
from mirror_ray.records.sandboxed_duckdb import confine
from mirror_ray.records.shards.reader import StoredRow
from mirror_ray.viewer.filters import DEFAULT, FACETS, FILTER_VERDICTS, Filters, Order
from mirror_ray.viewer.listed import first_line, list_sealed, shards_of_each

PAGE_ROWS = 100
PENDING = "right and wrong are being worked out, and will be shown in a moment"
RUN_ORDER = Order()

MOST_VALUES = 100
"""Most values listed for a filter; others are found by a part of their names."""
MOST_OF_A_SCENE = 400

_SCORES = "from episode.{} where episode_id = $id"

_NEIGHBOURS = """
select before, after from (
    select
        episode_id,
        lag(episode_id) over by_order as before,
        lead(episode_id) over by_order as after
    from listed
    where ({}) or episode_id = $this
    window by_order as (order by {})
)
where episode_id = $this
"""

_COUNTERPARTS = """
select
    one.episode_id as this,
    if(one.cell_id = $cell_a, this, min_by(other.episode_id, other.place)) as of_a,
    if(one.cell_id = $cell_a, min_by(other.episode_id, other.place), this) as of_b
from listed as one
inner join listed as other
    on
        one.scene = other.scene
        and one.cell_id <> other.cell_id
        and one.score <> other.score
where
    list_contains($ids, one.episode_id)
    and one.cell_id in ($cell_a, $cell_b)
    and other.cell_id in ($cell_a, $cell_b)
group by one.episode_id, one.cell_id
"""

_VALUES = """
select {0}::varchar as value, count(*) as n, count(*) over () as n_values
from listed where {1} group by {0} order by n desc, value limit $most
"""


@dataclass(frozen=True, slots=True)
class Facet:
    """A filter and its possible values: (value, number of episodes under the other filters).
    `n_left_out` counts further values, each with fewer episodes."""

    name: str
    values: tuple[tuple[str, int], ...]
    n_left_out: int = 0


@dataclass(frozen=True, slots=True)
class EpisodeListing:
    """A page of the list: at most `PAGE_ROWS` rows of the `total` under the filters."""

    rows: tuple[StoredRow, ...]
    total: int


class EpisodeIndex:
    """The latest takes of the sealed episodes of a run directory, or of several as one.

    Args:
        out: the run directory, or several; each row names its own (`run_dir`).
        where: a SQL condition over the list's columns; the index has only rows that fulfil it.

    Raises:
        RunDirError: a shard is damaged, or the storage cannot be read.
        SweepError: DuckDB rejects `where`.
    """

    def __init__(self, out: str | Sequence[str], where: str | None = None) -> None:
        self.shards = shards_of_each([out] if isinstance(out, str) else out)
        self._connection = duckdb.connect()
        list_sealed(self._connection, self.shards)
        confine(self._connection)
        # The list need not wait for the run's many views.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="views")
        self._views = self._thread.submit(_open_views, tuple(self.shards))
        self._views_in_use = Lock()
        self._classes: Future[str | None] = self._thread.submit(self._classify)
        if where is not None:
            self._classes.result()
            self._keep(where)

    def classes_note(self, wait_s: float | None) -> str | None:
        """Return why the list does not show what is right and wrong; None if it does. Wait up to
        `wait_s` for the views, which take a moment in a large run; None waits without limit."""
        try:
            return self._classes.result(wait_s)
        except TimeoutError:
            return PENDING

    def facets(self, filters: Filters) -> tuple[Facet, ...]:
        """Return the filters that have more than one value, or that are set."""
        found = []
        for name in FACETS:
            condition, values = filters.condition_sql(but=name)
            counted = self._rows(_VALUES.format(name, condition), {**values, "most": MOST_VALUES})
            if len(counted) > 1 or name in filters.chosen():
                n_values = counted[0]["n_values"] if counted else 0
                known = (_named(name, row["value"], row["n"]) for row in counted)
                shown = sorted((one for one in known if one is not None), key=_rank)
                found.append(Facet(name, tuple(shown), n_values - len(counted)))
        return tuple(found)

    def page(self, filters: Filters, number: int, order: Order = RUN_ORDER) -> EpisodeListing:
        """Return the page of this number, 1-based; empty beyond the last."""
        condition, values = filters.condition_sql()
        limits = {"rows": PAGE_ROWS, "skipped": (number - 1) * PAGE_ROWS}
        rows = self._rows(
            f"from listed where {condition} order by {order.sql} limit $rows offset $skipped",
            values | limits,
        )
        (counted,) = self._rows(f"select count(*) as n from listed where {condition}", values)  # noqa: S608
        return EpisodeListing(tuple(rows), counted["n"])

    def counterparts(
        self, filters: Filters, rows: Sequence[StoredRow]
    ) -> dict[str, tuple[str, str]]:
        """Return, by episode id, the pair of episodes of its scene, the first cell's first. Empty
        unless two cells are compared."""
        if filters.differ is None:
            return {}
        _, cells = Filters(differ=filters.differ).condition_sql()
        found = self._rows(_COUNTERPARTS, {**cells, "ids": [row["episode_id"] for row in rows]})
        return {row["this"]: (row["of_a"], row["of_b"]) for row in found}

    def same_scene(self, listed: StoredRow) -> tuple[StoredRow, ...]:
        """Return the other episodes of an episode's scene, at most `MOST_OF_A_SCENE`, in order."""
        if listed["scene"] is None:
            return ()
        condition = "scene = $scene and episode_id <> $id"
        return tuple(
            self._rows(
                f"from listed where {condition} order by place limit {MOST_OF_A_SCENE}",
                {"scene": listed["scene"], "id": listed["episode_id"]},
            )
        )

    def all(self) -> tuple[StoredRow, ...]:
        """Return every episode, in order."""
        return tuple(self._rows("from listed order by place", {}))

    def find(self, prefix: str) -> tuple[StoredRow, ...]:
        """Return up to three episodes whose ids begin with the prefix."""
        sql = "from listed where starts_with(episode_id, $id) order by place limit 3"
        return tuple(self._rows(sql, {"id": prefix}))

    def neighbours(
        self, filters: Filters, episode_id: str, order: Order = RUN_ORDER
    ) -> tuple[str | None, str | None]:
        """Return the ids before and after an episode in the filtered list, which need not contain
        it."""
        condition, values = filters.condition_sql()
        sql = _NEIGHBOURS.format(condition, order.sql)
        found = self._rows(sql, values | {"this": episode_id})
        return (found[0]["before"], found[0]["after"]) if found else (None, None)

    def scores(self, family: str, episode_id: str) -> StoredRow:
        """Return an episode's row in the view ``episode.<family>``; empty without such a view."""
        # Imported late, like the views.
        from mirror_ray.analysis.quoting import identifier  # noqa: PLC0415
        from mirror_ray.viewer.classes import EPISODE_VIEWS  # noqa: PLC0415

        try:
            views = self._from_views(EPISODE_VIEWS, {})
            # The family name comes from a shard, and selects one of our views or none.
            if family not in {row["view_name"] for row in views}:
                return {}
            sql = _SCORES.format(identifier(family))
            return next(iter(self._from_views(sql, {"id": episode_id})), {})
        except (duckdb.Error, RunDirError) as error:
            return {"not worked out": first_line(error)}

    def close(self) -> None:
        """Stop computations in progress."""
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
                "e.g. --where \"condition = 'E3' and verdict = 'wrong'\"",
            ) from error
        self._connection.register("kept", kept)
        self._connection.execute("create or replace table listed as from kept")

    def _classify(self) -> str | None:
        """Fill in what the views tell about each episode; return the reason if they tell
        nothing."""
        from mirror_ray.viewer.classes import add_classes, classes  # noqa: PLC0415 - as the views

        try:
            with self._views_in_use:
                found = classes(self._views.result())
        except (duckdb.Error, RunDirError) as error:
            return f"right and wrong cannot be worked out: {first_line(error)}"
        add_classes(self._connection, found)
        return None

    def _from_views(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        with self._views_in_use:
            return Reading(self._views.result()).rows(sql, **parameters)

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
        # Each query has its own cursor, because several threads query at once.
        with self._connection.cursor() as cursor:
            return Reading(cursor).rows(sql, **parameters)


def _named(facet: str, value: str | None, n: int) -> tuple[str, int] | None:
    if value is None:
        return (DEFAULT, n) if facet == "temperature" else None
    return value, n


def _rank(counted: tuple[str, int]) -> tuple[int, str]:
    value = counted[0]
    return (FILTER_VERDICTS.index(value) if value in FILTER_VERDICTS else 0, value)


def _open_views(directories: Sequence[str]) -> duckdb.DuckDBPyConnection:
    # Imported late, on the thread that needs it.
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    # The verdicts depend on many views; with tables instead of them this takes a tenth of the work.
    return open_run(directories, hold=True)
