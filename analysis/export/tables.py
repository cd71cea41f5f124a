"""A run's data as plain Parquet files, one per family and kind, for dataset formats to describe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.analysis.export.batches import UNREAD_EPISODES
from mirror_ray.analysis.quoting import identifier
from mirror_ray.analysis.soundness import sound_run
from mirror_ray.contract.metrics import METRICS

_ASKS = (
    "Every request of every episode's latest take: what was sent, the reply, how it was read, what "
    "it cost, and what the family keeps of it."
)
_KINDS: Mapping[str, tuple[str, str]] = {
    "steps": ("stage.{family}_steps", _ASKS),
    "asks": ("stage.{family}_asks", _ASKS),
    "episodes": (
        "stage.{family}_episodes",
        "One row per episode: its scene, how it ended, what it cost.",
    ),
    "scores": (
        "episode.{family}",
        "One row per episode: its scores; NULL where a score is undefined or no reply was read.",
    ),
    "metrics": (
        "metric.{family}",
        "Estimates with 95 % intervals by condition, model, temperature and variant; how many of "
        "`n_replies` were read (`n_read`).",
    ),
}


_ORDER = ("condition", "model", "scene_seed", "run", "episode_id", "step", "metric", "variant")
"""The order of a table's rows: by those of these columns that the table has."""

_VIEWS = "select schema_name || '.' || view_name as name from duckdb_views()"


@dataclass(frozen=True, slots=True)
class DataTable:
    """One file of the data.

    Args:
        name: ``<family>_<kind>``.
        path: relative to the exported folder.
        text: what a row is.
    """

    name: str
    path: str
    text: str
    schema: pa.Schema
    n_rows: int


def write_tables(directory: str | Sequence[str], folder: Path) -> tuple[DataTable, ...]:
    """Write ``data/<family>_<kind>.parquet`` below `folder` for every family with episodes.

    Structures are written as JSON: not every reader of the formats knows them.

    Raises:
        NotADirectoryError: the run directory does not exist.
        OSError: a file cannot be written.
    """
    (folder / "data").mkdir(parents=True, exist_ok=True)
    written = []
    with sound_run(directory) as run:
        known = {row["name"] for row in run.rows(_VIEWS)}
        for family in run.families():
            for kind, (view, text) in _KINDS.items():
                source = view.format(family=family)
                # The query for requests has all columns that `steps` has.
                if source not in known or (kind == "steps" and f"stage.{family}_asks" in known):
                    continue
                path = f"data/{family}_{kind}.parquet"
                if kind == "scores" and family in METRICS:
                    source = _read_scores(family)
                _copy(run.connection, source, folder / path)
                file = pq.ParquetFile(folder / path)
                rows = file.metadata.num_rows
                written.append(DataTable(f"{family}_{kind}", path, text, file.schema_arrow, rows))
    return tuple(written)


def _read_scores(family: str) -> str:
    """Return a query for the scores, without those of episodes none of whose replies was read."""
    unread = UNREAD_EPISODES.format(family=family)
    scores = (identifier(metric.name) for metric in METRICS[family].scores)
    said = ", ".join(f"if(episode_id in ({unread}), null, {name}) as {name}" for name in scores)
    return f"(select * replace ({said}) from episode.{family})"  # noqa: S608 - our names


def _copy(connection: duckdb.DuckDBPyConnection, view: str, path: Path) -> None:
    columns = connection.execute(f"describe from {view}").fetchall()
    chosen = ", ".join(_written(identifier(name), kind) for name, kind, *_ in columns)
    present = {name for name, *_ in columns}
    order = ", ".join(name for name in _ORDER if name in present)
    # A run's own connection may not write files.
    rows = connection.sql(f"select {chosen} from {view} order by {order}").to_arrow_reader()  # noqa: S608 - quoted
    with pq.ParquetWriter(path, rows.schema) as file:
        for batch in rows:
            file.write_batch(batch)


def _written(column: str, kind: str) -> str:
    if "STRUCT" in kind:
        return f"to_json({column})::varchar as {column}"
    return f"{column}::double as {column}" if kind == "HUGEINT" else column
