"""Reads a run's journal while the run writes it.

Each read shows one moment, takes milliseconds, and does not delay the run."""

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa

from mirror_ray.core.errors import RunDirError
from mirror_ray.core.known_costs import is_whole
from mirror_ray.core.untrusted import bounded_float, one_printable_line, text_or_none
from mirror_ray.records.journal.charges import MOST_USD
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.journal.entry import recorded_partner, reply_of_written
from mirror_ray.records.journal.journal_tables import CHECKED, JOURNAL_VERSION
from mirror_ray.records.journal.read_only import read_only_snapshot
from mirror_ray.records.rows.codec import UNREADABLE, RowCodec
from mirror_ray.records.shard_checks import sound
from mirror_ray.records.storage import home_of
from mirror_ray.viewer.live_shards import NONE_ENDED, SCHEMA_OF_ENDED

_FINISHED = "select form_id, rows from finished where episode_id = ? and take = ?"
_MOST_FORMS = 1_000
_MOST_REPLIES = 5_000
"""Most replies read at a time; the next reads take the rest."""


class OpenAsk(NamedTuple):
    """One recorded request.

    Args:
        partner: the model that was called, if it is not the episode's own.
        started_at: distinguishes it from an earlier one that it replaces.
        is_sent: false if a lack of money or an interruption kept it from being sent.
        failed: the kinds of its failed attempts.
        is_unpriced: part of its cost is unknown; `usd` is the known part.
    """

    episode_id: str
    ask: int
    partner: str | None
    started_at: str | None
    is_sent: bool
    failed: tuple[str, ...]
    is_unpriced: bool
    usd: float


@dataclass(frozen=True, slots=True)
class JournalNow:
    """The contents of the journal at one moment.

    Args:
        ended: rows of episodes that wait to be sealed, with `_ENDED`.
        asks: the recorded requests, including those of ended episodes until these are sealed, and
            of episodes that ended with an error until these are played again.
        spent_usd: (cell id, episode id, known costs); either id is None.
        n_waiting: requests that may be in flight.
    """

    ended: pa.Table
    asks: tuple[OpenAsk, ...]
    spent_usd: tuple[tuple[str | None, str | None, float], ...]
    n_waiting: int


class JournalRead:
    """Reads a run's journal repeatedly; each request and each end is unpacked only once."""

    def __init__(self, out: str) -> None:
        self._home = home_of(out)
        self._is_sound = False
        self._ended: dict[tuple[str, int], pa.Table | None] = {}
        self._asked: dict[tuple[int, str, int], OpenAsk] = {}

    def now(self) -> JournalNow | None:
        """Return the journal's state; None if this machine has no journal, or one of another
        version. Raise sqlite3.Error if it cannot be read."""
        if not (self._home / JOURNAL_NAME).exists():
            return None
        # For a run in progress, the digests are not checked at every read.
        with read_only_snapshot(self._home, () if self._is_sound else CHECKED) as db:
            (version,) = db.execute("pragma user_version").fetchone()
            if version != JOURNAL_VERSION:
                return None
            self._is_sound = True
            # Short statements, because the journal cannot shrink while a snapshot is open.
            ended = self._ends(db)
            asks = self._asks(db)
            spent = db.execute(
                "select cell_id, iif(cell_id is null, episode_id, null), sum(spent_usd) "
                "from ledger where spent_usd between 0 and 1e12 group by 1, 2"
            ).fetchall()
            (n_waiting,) = db.execute("select count(*) from begun").fetchone()
        return JournalNow(ended, asks, tuple(spent), n_waiting)

    def rows(self, keys: Sequence[tuple[str, int]]) -> list[tuple[pa.Table, pa.Table]]:
        """Return the rows of steps and of the episode, for each waiting episode, by (episode id,
        take). Raise sqlite3.Error if they cannot be read."""
        found = []
        with read_only_snapshot(self._home) as db:
            codecs = _codecs(db)
            for episode_id, take in keys:
                packed = db.execute(_FINISHED, (episode_id, take)).fetchone()
                codec = None if packed is None else codecs.get(packed[0])
                if codec is not None:
                    with suppress(*UNREADABLE):
                        found.append(codec.read([(take, packed[1])]))
        return found

    def _ends(self, db: sqlite3.Connection) -> pa.Table:
        keys = set(db.execute("select episode_id, take from finished"))
        self._ended = {key: rows for key, rows in self._ended.items() if key in keys}
        if len(self._ended) < len(keys):
            codecs = _codecs(db)
            for form_id, episode_id, take, rows in db.execute(
                "select form_id, episode_id, take, rows from finished"
            ):
                if (episode_id, take) not in self._ended:
                    codec = codecs.get(form_id)
                    self._ended[episode_id, take] = _unpacked(codec, take, rows)
        tables = [table for table in self._ended.values() if table is not None]
        return pa.concat_tables(tables) if tables else NONE_ENDED

    def _asks(self, db: sqlite3.Connection) -> tuple[OpenAsk, ...]:
        # Answered from the table's index alone, without reading the replies again.
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
                known[rowid, episode_id, ask_index] = _asked(str(episode_id), ask_index, reply)
        self._asked = known
        return tuple(known.values())


def _codecs(db: sqlite3.Connection) -> dict[int, RowCodec]:
    query = "select form_id, family, steps, episode from form limit ?"
    forms = db.execute(query, (_MOST_FORMS,))
    return {number: RowCodec.unpacked(*packed) for number, *packed in forms}


def _asked(episode_id: str, ask: int, text: str) -> OpenAsk:
    reply = reply_of_written(text)
    return OpenAsk(
        episode_id,
        ask,
        recorded_partner(text),
        text_or_none(reply.started_at),
        reply.attempts > 0,
        tuple(one_printable_line(str(one.error_kind), 40) for one in reply.failed_attempts),
        not is_whole(reply),
        bounded_float(reply.cost_usd, 0.0, MOST_USD) or 0.0,
    )


def _unpacked(codec: RowCodec | None, take: int, rows: bytes) -> pa.Table | None:
    """Return an episode's row; None if it is damaged, which the run itself will report."""
    if codec is None:
        return None
    try:
        _, episodes = codec.read([(take, rows)])
        return sound("the journal", episodes.select(SCHEMA_OF_ENDED.names), SCHEMA_OF_ENDED)
    except (*UNREADABLE, RunDirError, KeyError):
        return None
