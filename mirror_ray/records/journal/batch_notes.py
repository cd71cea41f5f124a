"""Requests that are out in batches: noted before a batch is sent, until their replies are recorded.
All methods work within the open transaction of the journal's database."""

import sqlite3
from typing import Literal, NamedTuple, TypeAlias

BatchState: TypeAlias = Literal["intended", "sending", "out"]

TABLES = """
create table batch (
    batch_key text primary key,
    model text not null,
    state text not null,
    maker_id text,
    began_at real not null,
    crc integer not null
) without rowid;
create table batch_ask (
    episode_id text not null,
    ask_index integer not null,
    batch_key text not null,
    place integer not null,
    words_sha text not null,
    crc integer not null,
    primary key (episode_id, ask_index)
) without rowid;
"""

BATCHED = "batch"
"""Replaces a dead process's client id in reservations for requests that are out in batches."""


class BatchedAsk(NamedTuple):
    """A request of a batch. Its reply is identified by `place`, its number in the batch."""

    episode_id: str
    ask_index: int
    place: int
    words_sha: str


class Batch(NamedTuple):
    """A batch of one model's requests.

    Args:
        batch_key: our own name of it, which the provider gets.
        state: "intended": certainly not begun yet; "sending": it may have been; "out": it has been.
        maker_id: the provider's name of it, once known.
        began_at: Unix time of the intention.
        asks: the requests whose replies are not recorded, and that are in no later batch.
    """

    batch_key: str
    model: str
    state: BatchState
    maker_id: str | None
    began_at: float
    asks: tuple[BatchedAsk, ...]


class Batches:
    """The batches of a run directory, in the journal's database."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def note(self, batch: Batch) -> None:
        """Note a batch's state. With its intention, also note its requests, which leave other
        batches."""
        values = "values (?1, ?2, ?3, ?4, ?5, row_crc(?1, ?2, ?3, ?4, ?5))"
        self._db.execute(
            f"insert or replace into batch {values}", (*batch[:4], float(batch.began_at))
        )
        if batch.state == "intended":
            self._db.executemany(
                f"insert or replace into batch_ask {values}",
                [
                    (one.episode_id, one.ask_index, batch.batch_key, one.place, one.words_sha)
                    for one in batch.asks
                ],
            )

    def unanswered(self) -> list[Batch]:
        """Return the batches with requests whose replies are not recorded, oldest first."""
        asks: dict[str, list[BatchedAsk]] = {}
        query = "select batch_key, episode_id, ask_index, place, words_sha from batch_ask"
        for key, *ask in self._db.execute(f"{query} order by place"):
            asks.setdefault(key, []).append(BatchedAsk(*ask))
        query = "select batch_key, model, state, maker_id, began_at from batch"
        rows = self._db.execute(f"{query} order by began_at, batch_key").fetchall()
        return [
            Batch(key, model, state, maker_id, began_at, tuple(asks[key]))
            for key, model, state, maker_id, began_at in rows
            if key in asks
        ]

    def answered(self, episode_id: str, ask_index: int) -> None:
        """Note that a request's final reply and its cost are recorded, so that it is paid once."""
        ask = (episode_id, ask_index)
        which = "where episode_id = ? and ask_index = ?"
        found = self._db.execute(f"delete from batch_ask {which}", ask)  # noqa: S608
        if found.rowcount:
            self._db.execute(f"delete from begun {which}", ask)  # noqa: S608

    def hand_on(self) -> None:
        """Note that all callers died: intended batches are freed, possible ones stay reserved."""
        self._db.execute(
            "delete from begun where (episode_id, ask_index) in (select episode_id, ask_index "
            "from batch_ask join batch using (batch_key) where state = 'intended')"
        )
        self._db.execute(
            "delete from batch_ask where batch_key in "
            "(select batch_key from batch where state = 'intended')"
        )
        self._db.execute(
            "delete from batch where batch_key not in (select batch_key from batch_ask)"
        )
        out = "(episode_id, ask_index) in (select episode_id, ask_index from batch_ask)"
        values = "episode_id, ask_index, ?1, max(cell_id), max(at_most_usd)"
        self._db.execute(
            f"insert or replace into begun select {values}, row_crc({values}) "  # noqa: S608
            f"from begun where {out} group by episode_id, ask_index",
            (BATCHED,),
        )
        self._db.execute(f"delete from begun where {out} and asker <> ?", (BATCHED,))  # noqa: S608
