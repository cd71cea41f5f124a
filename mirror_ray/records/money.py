"""What episodes have cost, and what calls may cost whose replies are not recorded yet.

Knows tables of the journal's database, within whatever transaction is open there; does not know
budgets, nor whether anybody still waits for a reply.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

TABLES = """
create table ledger (
    episode_id text primary key,
    cell_id text,
    spent_usd real not null default 0,
    presumed_usd real not null default 0
) without rowid;
create table begun (
    episode_id text not null,
    ask_index integer not null,
    asker text not null,
    cell_id text not null,
    at_most_usd real not null,
    primary key (episode_id, ask_index, asker)
) without rowid;
-- There until what the shards hold has been learned, however often somebody is killed before.
create table unlearned (what text);
"""

_NOTHING: Mapping[str, float] = MappingProxyType({})


class Begun(NamedTuple):
    """An ask that a model may be answering, and be paid for, before its reply is recorded.

    Args:
        asker: who makes its calls, one after another; unique to one life of a process.
        cell_id: the episode's.
        at_most_usd: what all of them may come to, the last one's worst case included.
    """

    episode_id: str
    ask_index: int
    asker: str
    cell_id: str
    at_most_usd: float


class Sums(NamedTuple):
    """All that counts for budgets, at one moment.

    Args:
        spent_usd: cell id → known costs; under None what no cell is known of.
        presumed_usd: cell id → the most that unknown costs may have come to.
        begun: what is not recorded, and in neither of them.
    """

    spent_usd: dict[str | None, float]
    presumed_usd: dict[str | None, float]
    begun: list[Begun]


class Money:
    """The sums of a run directory; nothing here is touched when replies are let go.

    Args:
        db: the journal's.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def spend(
        self, costs_usd: Mapping[str, float], presumed_usd: Mapping[str, float] = _NOTHING
    ) -> None:
        """Add to what episodes have cost.

        Args:
            costs_usd: episode id → known cost.
            presumed_usd: episode id → the most that costs which stay unknown may come to.
        """
        for column, sums in (("spent_usd", costs_usd), ("presumed_usd", presumed_usd)):
            self._db.executemany(
                f"insert into ledger (episode_id, {column}) values (?, ?) "  # noqa: S608
                f"on conflict do update set {column} = {column} + excluded.{column}",
                [(episode_id, usd) for episode_id, usd in sums.items() if usd],
            )

    def begin(self, asks: Iterable[Begun]) -> None:
        """Note what may be asked from now on; an ask that is begun anew has its latest bound."""
        noted = list(asks)
        self._db.executemany("insert or replace into begun values (?, ?, ?, ?, ?)", noted)
        self.belong({one.episode_id: one.cell_id for one in noted})

    @property
    def has_to_learn(self) -> bool:
        """Whether what lay in shards before this journal was made is not known here yet."""
        query = "select count(*) from sqlite_master where name = 'unlearned'"
        return bool(self._db.execute(query).fetchone()[0])

    def learn(self, costs_usd: Mapping[str, float], cells: Mapping[str, str]) -> None:
        """Take over, once, what shards tell: episode id → known cost, and → cell id."""
        self.spend(costs_usd)
        self.belong(cells)
        self._db.execute("drop table unlearned")

    def belong(self, cells: Mapping[str, str]) -> None:
        """Note whose episodes these are: episode id → cell id."""
        self._db.executemany(
            "insert into ledger (episode_id, cell_id) values (?, ?) "
            "on conflict do update set cell_id = excluded.cell_id",
            cells.items(),
        )

    def come_back(self, episode_id: str, ask_index: int, asker: str) -> None:
        """The reply is recorded, with what it cost."""
        self._db.execute(
            "delete from begun where episode_id = ? and ask_index = ? and asker = ?",
            (episode_id, ask_index, asker),
        )

    def begun(self) -> list[Begun]:
        """What has begun and has not come back."""
        return list(map(Begun._make, self._db.execute("select * from begun")))

    def give_up_begun(self) -> None:
        """Nobody will record what has begun: presume that it costs what it may."""
        for begun in self.begun():
            self.spend(_NOTHING, {begun.episode_id: begun.at_most_usd})
        self._db.execute("delete from begun")

    def ledger(self) -> dict[str, float]:
        """Episode id → sum of its known costs since the run directory was made."""
        return dict(self._db.execute("select episode_id, spent_usd from ledger where spent_usd"))

    def sums(self) -> Sums:
        """Everything."""
        rows = self._db.execute(
            "select cell_id, sum(spent_usd), sum(presumed_usd) from ledger group by cell_id"
        ).fetchall()
        return Sums(
            {cell_id: usd for cell_id, usd, _ in rows if usd},
            {cell_id: usd for cell_id, _, usd in rows if usd},
            self.begun(),
        )

    def spent_usd(self) -> float:
        """Sum of all known costs since the run directory was made."""
        (spent_usd,) = self._db.execute("select total(spent_usd) from ledger").fetchone()
        return float(spent_usd)
