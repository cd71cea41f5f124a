"""What a run's files say of its progress, read while the run writes them.

Shards never change, so each is read once. The journal is read as it is at one moment, within
milliseconds, and nothing waits for it: no process of the run is asked anything.
"""

import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mirror_ray.errors import RunDirError
from mirror_ray.records.confined import confine
from mirror_ray.records.journal.database import JOURNAL_NAME, JOURNAL_VERSION
from mirror_ray.records.journal.entry import read_reply
from mirror_ray.records.journal.read_only import read_only_snapshot
from mirror_ray.records.rows.codec import UNREADABLE, RowCodec
from mirror_ray.records.schemas import EPISODES, STEPS
from mirror_ray.records.shards.writer import EPISODES_FOLDER, STEPS_FOLDER
from mirror_ray.records.soundness import check_size, sound
from mirror_ray.records.storage import files_below, home_of, storage_of
from mirror_ray.records.unpriced import asks_unpriced, is_whole
from mirror_ray.untrusted import one_printable_line

_ENDED = (
    *("episode_id", "take", "family", "condition", "model", "error_kind", "truncated"),
    *("n_steps", "n_asks", "cost_usd", "wall_s", "finished_at"),
)
_ASKED = (
    *("model", "episode_id", "take", "ask", "started_at"),
    *("cost_usd", "failed_attempts", "error_kind", "attempts"),
)
_READING_S = 0.5
"""How long shards are read at a time: of a large run, the first looks show a part of them."""
_MOST_FORMS = 1_000

_SCHEMA_OF_ENDED = pa.schema([EPISODES.field(name) for name in _ENDED])
NONE_ENDED = _SCHEMA_OF_ENDED.empty_table()
_SCHEMA_OF_ASKED = pa.schema([STEPS.field(name) for name in _ASKED])

# A later take repeats what earlier ones have on record: an attempt is told by its ask's time.
_RETRIED = """
insert into retried
select model, episode_id, ask, started_at, attempt.error_kind, count(*)
from (select *, unnest(failed_attempts) as attempt from asked) group by all
"""
_UNSENT = """
insert into unsent
select episode_id, take, count(*) from asked where attempts = 0 group by all
"""
_UNPRICED = "insert into unpriced select model, episode_id, ask from unknown"

_MOST_REPLIES = 5_000
"""Read at a time: further ones at the next looks."""


class _Asked(NamedTuple):
    """Of one ask: the kinds of its failed attempts, and whether its cost is not wholly known."""

    failed: tuple[str, ...]
    is_unpriced: bool


@dataclass(slots=True)
class OpenAsks:
    """An episode's recorded asks, and of these those whose cost is not wholly known.

    Args:
        retries: kind → failed attempts.
    """

    n: int = 0
    n_unpriced: int = 0
    retries: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class JournalNow:
    """What the journal holds at one moment.

    Args:
        ended: rows of episodes that wait to be sealed, with `_ENDED`.
        asks: episode id → its recorded asks; also of episodes that have ended, until they are
            sealed, and of those that failed, until they are played again.
        spent_usd: (cell id, episode id, known costs); either id is None.
        n_waiting: asks that may be in flight.
    """

    ended: pa.Table
    asks: dict[str, OpenAsks]
    spent_usd: tuple[tuple[str | None, str | None, float], ...]
    n_waiting: int


class ShardsRead:
    """The sealed episodes of a run directory as tables in memory: ``ended``, what was ``retried``,
    is ``unpriced`` or was ``unsent`` of their asks; it grows by `read`."""

    def __init__(self, out: str) -> None:
        self._out = out
        # One thread: the run itself may be on this machine.
        self.connection = duckdb.connect(config={"threads": 1})
        confine(self.connection)
        self._insert("none", NONE_ENDED, "create table ended as from none")
        ask = "model varchar, episode_id varchar, ask integer"
        self.connection.execute(
            f"create table retried ({ask}, started_at varchar, kind varchar, n bigint)"
        )
        self.connection.execute(f"create table unpriced ({ask})")
        self.connection.execute("create table unsent (episode_id varchar, take integer, n bigint)")
        self._read: set[str] = set()
        self.n_left = 0
        """Shards that are still to be read."""
        self.fault: str | None = None
        """The first shard that cannot be read, and why."""

    def read(self) -> None:
        """Reads what is new, for at most a moment; a damaged shard costs its own episodes alone.

        Raises:
            RunDirError, OSError: the storage cannot be read.
        """
        fs, root = storage_of(self._out)
        found = list(files_below(fs, f"{root}/{EPISODES_FOLDER}", ".parquet"))
        new = [path for path in found if path not in self._read]
        deadline_s = monotonic() + _READING_S
        for place, path in enumerate(new):
            self.n_left = len(new) - place
            if monotonic() > deadline_s:
                return
            self._read.add(path)
            steps = path.replace(f"{root}/{EPISODES_FOLDER}", f"{root}/{STEPS_FOLDER}", 1)
            try:
                ended = self._table(path, _SCHEMA_OF_ENDED)
                asked = self._table(steps, _SCHEMA_OF_ASKED)
            except RunDirError as error:
                self.fault = self.fault or str(error)
                continue
            self._insert("asked", asked, _RETRIED, _UNSENT)
            self._insert("unknown", asks_unpriced(asked), _UNPRICED)
            self._insert("more", ended, "insert into ended from more")
        self.n_left = 0

    def _table(self, path: str, schema: pa.Schema) -> pa.Table:
        fs, _ = storage_of(self._out)
        try:
            with pq.ParquetFile(path, filesystem=fs) as file:
                n_bytes = fs.get_file_info(path).size
                check_size(path, file.metadata.num_rows, n_bytes)
                return sound(path, file.read(schema.names), schema)
        except (pa.ArrowException, OSError) as error:
            raise RunDirError(path, str(error), "a shard as this program wrote it") from error

    def _insert(self, name: str, table: pa.Table, *statements: str) -> None:
        self.connection.register(name, table)
        for statement in statements:
            self.connection.execute(statement)
        self.connection.unregister(name)


class JournalRead:
    """A run's journal, as often as it is looked at; asks and ends are unpacked once."""

    def __init__(self, out: str) -> None:
        self._home = home_of(out)
        self._ended: dict[tuple[str, int], pa.Table | None] = {}
        self._asked: dict[tuple[int, str, int], _Asked] = {}

    def now(self) -> JournalNow | None:
        """Its state; None where there is none on this machine, or of another version.

        Raises:
            sqlite3.Error: it cannot be read.
        """
        if not (self._home / JOURNAL_NAME).exists():
            return None
        with read_only_snapshot(self._home) as db:
            (version,) = db.execute("pragma user_version").fetchone()
            if version != JOURNAL_VERSION:
                return None
            # Short statements: while a snapshot stands, the journal cannot shrink.
            ended = self._ends(db)
            asks = self._asks(db)
            spent = db.execute(
                "select cell_id, iif(cell_id is null, episode_id, null), sum(spent_usd) "
                "from ledger where spent_usd between 0 and 1e12 group by 1, 2"
            ).fetchall()
            (n_waiting,) = db.execute("select count(*) from begun").fetchone()
        return JournalNow(ended, asks, tuple(spent), n_waiting)

    def _ends(self, db: sqlite3.Connection) -> pa.Table:
        keys = set(db.execute("select episode_id, take from finished"))
        self._ended = {key: rows for key, rows in self._ended.items() if key in keys}
        if len(self._ended) < len(keys):
            forms = db.execute("select * from form limit ?", (_MOST_FORMS,))
            codecs = {number: RowCodec.unpacked(*packed) for number, *packed in forms}
            for form_id, episode_id, take, rows in db.execute(
                "select form_id, episode_id, take, rows from finished"
            ):
                if (episode_id, take) not in self._ended:
                    codec = codecs.get(form_id)
                    self._ended[episode_id, take] = _unpacked(codec, take, rows)
        tables = [table for table in self._ended.values() if table is not None]
        return pa.concat_tables(tables) if tables else NONE_ENDED

    def _asks(self, db: sqlite3.Connection) -> dict[str, OpenAsks]:
        # Covered by the table's index: the replies themselves are not read again.
        keys = list(db.execute("select rowid, episode_id, ask_index from reply"))
        known = {key: self._asked[key] for key in keys if key in self._asked}
        if len(known) < len(keys):
            since = min(key[0] for key in keys if key not in known)
            rows = db.execute(
                "select rowid, episode_id, ask_index, reply from reply "
                "where rowid >= ? order by rowid limit ?",
                (since, _MOST_REPLIES),
            )
            for rowid, episode_id, ask_index, reply in rows:
                known[rowid, episode_id, ask_index] = _asked(reply)
        self._asked = known
        found: dict[str, OpenAsks] = {}
        for (_, episode_id, _), asked in known.items():
            one = found.setdefault(str(episode_id), OpenAsks())
            one.n += 1
            one.n_unpriced += asked.is_unpriced
            one.retries.update(asked.failed)
        return found


def _asked(text: str) -> _Asked:
    reply = read_reply(text)
    kinds = tuple(one_printable_line(str(one.error_kind), 40) for one in reply.failed_attempts)
    return _Asked(kinds, not is_whole(reply))


def _unpacked(codec: RowCodec | None, take: int, rows: bytes) -> pa.Table | None:
    """An episode's row; None where it is damaged, which the run will find."""
    if codec is None:
        return None
    try:
        _, episodes = codec.read([(take, rows)])
        return sound("the journal", episodes.select(list(_ENDED)), _SCHEMA_OF_ENDED)
    except (*UNREADABLE, RunDirError, KeyError):
        return None
