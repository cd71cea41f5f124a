"""`Runs`: one or several recorded runs, for queries from Python."""

from collections.abc import Mapping
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa

from mirror_ray.analysis.quoting import identifier
from mirror_ray.analysis.readable import readable
from mirror_ray.analysis.reading import Reading
from mirror_ray.api.queries import Query
from mirror_ray.api.table import Table, escaped_html
from mirror_ray.contract.columns import COLUMNS
from mirror_ray.core.errors import SweepError
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.engine.driver.run_summary import RunSummary

if TYPE_CHECKING:
    from mirror_ray.api.frames import FrameReader, Picture

_INSTEAD = (
    "a query reads only these runs: to write a file, or to join other data, convert the"
    " table: .to_pandas().to_csv('rows.csv'), .to_arrow()"
)
_CONTENTS = """
select
    family, condition, count(distinct model) as models, count(*) as episodes,
    count(*) filter (error_kind <> 'none') as failed, sum(n_asks) as asks, sum(cost_usd) as cost_usd
from ({}) group by all order by all"""
_LEAST_CHARS = 4
_OTHER_NAMES = {"mirrorqa_steps": "mirrorqa_asks"}
"""In mirrorqa no agent takes steps: each request counts as one."""


class Runs:
    """Recorded runs that are open; returned by `load` and `run`. Close it, or use it in a ``with``.

    Every method but `frame` returns a `Table`. Safe to use from several threads.

    Args:
        manifests: run directory → its manifest.
        connection: over all these runs.
        summary: of the run that `run` has just played.
    """

    def __init__(
        self,
        manifests: Mapping[str, Mapping[str, Any]],
        connection: duckdb.DuckDBPyConnection,
        summary: RunSummary | None = None,
    ) -> None:
        self.summary = summary
        """The summary of the run that `run` has just played; None if `load` opened it."""
        self._manifests = manifests
        self._connection = connection
        self._lock = Lock()
        self._frames: FrameReader | None = None

    @property
    def directories(self) -> tuple[str, ...]:
        """The run directories, as the caller named them."""
        return tuple(self._manifests)

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The families that have episodes, sorted."""
        with self._lock, readable(self.directories, "the run cannot be read"):
            return Reading(self._connection).families()

    def metrics(self, family: str | None = None) -> Table:
        """Return one row per family, condition, model, temperature, variant and metric.

        `n` counts independent units; `ci_low` to `ci_high` is the 95 % interval of `estimate`, and
        `chance` the score of guessing. `low_if_failed` and `high_if_failed` bound the estimate over
        episodes that ended with an error.

        Args:
            family: only this one; by default all that have episodes.

        Raises:
            SweepError: no such family.
            RunDirError: a shard is damaged.
        """
        return self._every("metric", "{}", family)

    def episodes(self, family: str | None = None) -> Table:
        """Return one row per episode: its setting, its end and its scores, from its latest take.

        With several families, a column that a family lacks is NULL in its rows. Arguments and
        errors as for `metrics`."""
        return self._every("episode", "{}", family)

    def steps(self, family: str | None = None) -> Table:
        """Return one row per step: its prompt, reply, reading and cost.

        Unreadable replies that were requested again are left out; they are in
        ``shard.<family>_steps``. Arguments and errors as for `metrics`."""
        return self._every("stage", "{}_steps", family)

    def pairs(self) -> Table:
        """Return one row per metric and pair of cells that differ in one setting.

        The setting is a model, a condition, etc. Both cells are compared on equal scenes, by
        difference, interval, test and p after Holm's correction.

        Raises:
            RunDirError: a shard is damaged.
        """
        return self.sql("from contrast.pairs")

    def sql(self, query: str, **values: object) -> Table:
        """Return the rows of DuckDB SQL over the runs' views (docs/analysis.md).

        Later queries can use its temporary tables and variables.

        Args:
            values: of the query's named parameters, such as ``$model``.

        Raises:
            SweepError: the query is wrong, or would do more than read.
            RunDirError: a shard is damaged.
        """
        asked = Query(query, "sql: query", _INSTEAD)
        asked.require_reading()
        with self._lock, readable(self.directories, "the run cannot be read"):
            try:
                rows = self._connection.sql(query, params=values or None)
                return Table(pa.table({}) if rows is None else rows.to_arrow_table())
            except duckdb.Error as error:
                raise asked.error(error, self.directories) from error

    def frame(self, episode_id: str, step: int = 1, view: int = 1) -> "Picture":
        """Return a picture as the model saw it, drawn again from the record. A notebook shows it.

        Args:
            episode_id: the id, or a unique beginning of at least four characters.
            step: the step's number, from 1, as in `steps`.
            view: which of the step's pictures, from 1.

        Raises:
            SweepError: the episode, step or picture does not exist.
            RunDirError: a shard is damaged, or this release plays the episode differently.
            RenderError: nothing can be rendered on this machine.
        """
        directory, whole_id = self._found(episode_id)
        # Imported late: a query for numbers should not wait for MuJoCo.
        from mirror_ray.api.frames import FrameReader  # noqa: PLC0415

        with self._lock:
            self._frames = self._frames or FrameReader(self._manifests)
        return self._frames.picture(directory, whole_id, step, view)

    def close(self) -> None:
        """Close the connection and the renderer; nothing can be queried afterwards."""
        self._connection.close()
        if self._frames is not None:
            self._frames.close()

    def __enter__(self) -> "Runs":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        shown = ", ".join(repr(one_printable_line(one, 200)) for one in self.directories)
        return f"<Runs of {shown}: {', '.join(self.families) or 'no episode yet'}>"

    def _repr_html_(self) -> str:
        shown = "".join(f"<p><code>{escaped_html(one, 500)}</code></p>" for one in self.directories)
        columns = "family, condition, model, error_kind, n_asks, cost_usd"
        contents = self.sql(_CONTENTS.format(self._common(columns)))
        return f"{shown}{contents._repr_html_()}"

    def _common(self, columns: str) -> str:
        return " union all ".join(
            f"select {columns} from stage.{identifier(f'{family}_episodes')}"  # noqa: S608 - our names
            for family in self._families_in_views()
        )

    def _families_in_views(self) -> tuple[str, ...]:
        """Return the families with episodes; before the first episode, the families of the plan."""
        return self.families or Reading(self._connection).families_with_views()

    def _every(self, layer: str, kind: str, family: str | None) -> Table:
        known = self._families_in_views()
        if family is not None and family not in known:
            allowed = f"one of {', '.join(known)}, the families of these runs"
            raise SweepError("family", repr(family), allowed, "leave it out for all of them")
        chosen = known if family is None else (family,)
        views = []
        for one in chosen:
            # Scores exist only for installed families.
            in_layer, view = layer, kind.format(one)
            if layer == "episode" and one not in COLUMNS:
                in_layer, view = "stage", f"{one}_episodes"
            views.append(f"(from {in_layer}.{identifier(_OTHER_NAMES.get(view, view))})")
        return self.sql(" union all by name ".join(views))

    def _found(self, episode_id: str) -> tuple[str, str]:
        several = len(self.directories) > 1
        columns = f"episode_id, {'run_dir' if several else 'null as run_dir'}"
        found = list(
            self.sql(
                f"select distinct * from ({self._common(columns)})"  # noqa: S608 - our own names
                " where starts_with(episode_id, $prefix) order by all limit 6",
                prefix=episode_id,
            )
        )
        if len(episode_id) < _LEAST_CHARS or len(found) != 1:
            ids = ", ".join(row["episode_id"] for row in found)
            begun = f"several ids: {ids}" if len(found) > 1 else ids or "no sealed id"
            raise SweepError(
                "frame: episode_id",
                f"{episode_id!r}, which begins {begun}",
                f"an episode's id, or its first {_LEAST_CHARS} letters or more, of one episode",
                "list them: .episodes()",
            )
        return found[0]["run_dir"] or self.directories[0], found[0]["episode_id"]
