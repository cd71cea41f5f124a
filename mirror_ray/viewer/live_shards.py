"""Reads a run's shards while the run adds more. A shard never changes, so each is read once."""

from collections.abc import Mapping, Sequence
from time import monotonic

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.checked_parquet import refuse_altered
from mirror_ray.records.sandboxed_duckdb import confine
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.shard_checks import check_size, sound
from mirror_ray.records.shard_files import EPISODES_FOLDER, STEPS_FOLDER, shard_files
from mirror_ray.records.so_far import asks_unpriced
from mirror_ray.records.storage import storage_of

_ENDED = (
    *("episode_id", "take", "family", "condition", "model", "error_kind", "truncated"),
    *("n_steps", "n_asks", "cost_usd", "wall_s", "finished_at"),
)
_ASKED = (
    *("model", "episode_id", "take", "ask", "started_at"),
    *("cost_usd", "failed_attempts", "error_kind", "attempts"),
)
_READING_S = 0.5
"""How long one read may take; in a large run, the first reads show only some of the shards."""
SCHEMA_OF_ENDED = pa.schema([EPISODES.field(name) for name in _ENDED])
NONE_ENDED = SCHEMA_OF_ENDED.empty_table()
_SCHEMA_OF_ASKED = pa.schema([STEPS.field(name) for name in _ASKED])

_ENDED_TOO = "insert into ended from more"
# A later take repeats recorded attempts of earlier ones, so attempts are distinguished by the time
# of their request.
_RETRIED = """
insert into retried
select model, episode_id, ask, started_at, attempt.error_kind, count(*)
from (select *, unnest(failed_attempts) as attempt from asked) group by all
"""
_UNSENT = """
insert into unsent
select episode_id, take, count(*) from asked where attempts = 0 group by all
"""
# If several models play together, a request may go to another model than the episode's own.
_BESIDE = """
insert into partner
select ended.model, asked.model, episode_id, take, ask, started_at, asked.cost_usd, attempts
from asked inner join more as ended using (episode_id, take) where asked.model <> ended.model
"""
_UNPRICED = "insert into unpriced select model, episode_id, ask from unknown"


class ShardsRead:
    """The sealed episodes of a run directory as tables in memory, which `read` extends: ``ended``,
    and of their requests those that were ``retried``, ``unpriced``, ``unsent`` or sent to another
    model (``partner``)."""

    def __init__(self, out: str) -> None:
        self._out = out
        # One thread: the run itself may be on this machine.
        self.connection = duckdb.connect(config={"threads": 1})
        confine(self.connection)
        create = "create table ended as select *, null::varchar as shard from none"
        self._insert({"none": NONE_ENDED}, create)
        ask = "model varchar, episode_id varchar, ask integer"
        self.connection.execute(
            f"create table retried ({ask}, started_at varchar, kind varchar, n bigint)"
        )
        self.connection.execute(f"create table unpriced ({ask})")
        self.connection.execute("create table unsent (episode_id varchar, take integer, n bigint)")
        asked = "take integer, ask integer, started_at varchar, cost_usd double, attempts integer"
        self.connection.execute(
            f"create table partner (own varchar, model varchar, episode_id varchar, {asked})"
        )
        self._tables = [name for (name,) in self.connection.execute("show tables").fetchall()]
        self._read: set[str] = set()
        self.n_left = 0
        """Shards that are still to be read."""
        self.fault: str | None = None
        """The first shard that cannot be read, and why."""

    def read(self) -> None:
        """Read new shards, for a short time at most. A damaged shard affects only its own episodes.
        Raise RunDirError or OSError if the storage fails."""
        fs, root = storage_of(self._out)
        found = shard_files(fs, f"{root}/{EPISODES_FOLDER}")
        if not self._read.issubset(found):
            # The shards were merged: their rows are in other shards now.
            for table in self._tables:
                self.connection.execute(f"delete from {table}")  # noqa: S608 - ours
            self._read.clear()
        new = [path for path in found if path not in self._read]
        deadline_s = monotonic() + _READING_S
        for place, path in enumerate(new):
            self.n_left = len(new) - place
            if monotonic() > deadline_s:
                return
            self._read.add(path)
            try:
                ended = self._table(path, SCHEMA_OF_ENDED)
                asked = self._table(self._steps_of(path), _SCHEMA_OF_ASKED)
            except RunDirError as error:
                self.fault = self.fault or str(error)
                continue
            ended = ended.append_column("shard", pa.repeat(path, ended.num_rows))
            unpriced = asks_unpriced(asked)
            tables = {"more": ended, "asked": asked, "unknown": unpriced}
            self._insert(tables, _ENDED_TOO, _RETRIED, _UNSENT, _BESIDE, _UNPRICED)
        self.n_left = 0

    def rows(self, shard: str, episode_ids: Sequence[str]) -> tuple[pa.Table, pa.Table]:
        """Return the rows of these episodes' steps, and of the episodes, in one shard, as in
        `ended`. Raise RunDirError if it cannot be read."""
        fs, _ = storage_of(self._out)
        # Of row groups without any of these episodes, only the bounds are read.
        these = [("episode_id", "in", list(episode_ids))]
        try:
            steps, episodes = (
                pq.read_table(
                    path,
                    filesystem=fs,
                    partitioning=None,
                    filters=these,
                    page_checksum_verification=True,
                )
                for path in (self._steps_of(shard), shard)
            )
        except (pa.ArrowException, OSError) as error:
            raise RunDirError(shard, str(error), "a shard as this program wrote it") from error
        return steps, episodes

    def _steps_of(self, episodes: str) -> str:
        _, root = storage_of(self._out)
        return episodes.replace(f"{root}/{EPISODES_FOLDER}", f"{root}/{STEPS_FOLDER}", 1)

    def _table(self, path: str, schema: pa.Schema) -> pa.Table:
        fs, _ = storage_of(self._out)
        try:
            refuse_altered(fs, [path])
            with pq.ParquetFile(path, filesystem=fs, page_checksum_verification=True) as file:
                n_bytes = fs.get_file_info(path).size
                check_size(path, file.metadata.num_rows, n_bytes)
                return sound(path, file.read(schema.names), schema)
        except (pa.ArrowException, OSError) as error:
            raise RunDirError(path, str(error), "a shard as this program wrote it") from error

    def _insert(self, tables: Mapping[str, pa.Table], *statements: str) -> None:
        for name, table in tables.items():
            self.connection.register(name, table)
        for statement in statements:
            self.connection.execute(statement)
        for name in tables:
            self.connection.unregister(name)
