"""The costs of episodes, and the possible costs of calls without a recorded reply. All methods work
within the open transaction of the journal's database."""

import sqlite3
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from mirror_ray.core.errors import RecordError
from mirror_ray.core.untrusted import bounded_float
from mirror_ray.records.journal.batch_notes import BATCHED
from mirror_ray.records.journal.batch_notes import TABLES as _BATCH_TABLES

IMPORT_MARKER = "unlearned"

TABLES = f"""
create table ledger (
    episode_id text primary key,
    cell_id text,
    spent_usd real not null,
    presumed_usd real not null,
    crc integer not null
) without rowid;
create table begun (
    episode_id text not null,
    ask_index integer not null,
    asker text not null,
    cell_id text not null,
    at_most_usd real not null,
    crc integer not null,
    primary key (episode_id, ask_index, asker)
) without rowid;
-- A marker, deleted once the costs in existing shards are imported. It survives crashes in between.
create table {IMPORT_MARKER} (what text primary key) without rowid;
insert into {IMPORT_MARKER} values ('costs of shards');
create table highest_cost (
    model text primary key,
    usd real not null,
    crc integer not null
) without rowid;
{_BATCH_TABLES}
"""  # noqa: S608 - our own names

_ROUNDING = 1e-9
"""Sums of the same costs in another order differ by less than this."""

MOST_USD = 1e12
"""The largest valid cost; the statements below check it too."""

_PUT_RIGHT = """
update ledger set spent_usd = 0, crc = row_crc(episode_id, cell_id, 0.0, presumed_usd)
where not spent_usd between 0 and 1e12;
update ledger set presumed_usd = 0, crc = row_crc(episode_id, cell_id, spent_usd, 0.0)
where not presumed_usd between 0 and 1e12;
update begun set at_most_usd = 0, crc = row_crc(episode_id, ask_index, asker, cell_id, 0.0)
where not at_most_usd between 0 and 1e12;
"""
"""An invalid sum is treated as unknown; left unchanged, it would absorb all later spending."""

_SPEND = """
insert into ledger values (?1, null, ?2, ?3, row_crc(?1, null, ?2, ?3))
on conflict do update set spent_usd = spent_usd + ?2, presumed_usd = presumed_usd + ?3,
crc = row_crc(episode_id, cell_id, spent_usd + ?2, presumed_usd + ?3)
"""
_ASSIGN = """
insert into ledger values (?1, ?2, 0.0, 0.0, row_crc(?1, ?2, 0.0, 0.0))
on conflict do update set cell_id = ?2,
crc = row_crc(episode_id, ?2, spent_usd, presumed_usd)
"""
_BEGIN = """
insert or replace into begun values (?1, ?2, ?3, ?4, ?5, row_crc(?1, ?2, ?3, ?4, ?5))
"""
_OVERRUN = """
insert into highest_cost values (?1, ?2, row_crc(?1, ?2))
on conflict do update set usd = max(usd, ?2), crc = row_crc(model, max(usd, ?2))
"""

KNOWN_COSTS = "select episode_id, spent_usd from ledger where spent_usd > 0 and spent_usd <= 1e12"
"""Selects episode ids and sums of known costs, also from a journal that needs repair."""

_NOTHING: Mapping[str, float] = MappingProxyType({})


class PendingCall(NamedTuple):
    """A request that a model may be answering, and charging for, before its reply is recorded.

    Args:
        asker: the client that makes its calls, one after another; unique to one process.
        cell_id: the episode's.
        at_most_usd: the most that all its calls may cost, including the last one's worst case.
    """

    episode_id: str
    ask_index: int
    asker: str
    cell_id: str
    at_most_usd: float


class Overrun(NamedTuple):
    """A call that cost more than was reserved for it."""

    model: str
    usd: float
    episode_id: str
    cell_id: str


class ChargeTotals(NamedTuple):
    """All amounts that count for budgets, at one moment.

    Args:
        spent_usd: cell id → known costs; key None has those without a known cell.
        presumed_usd: cell id → the most that unknown costs may have been.
        begun: requests that are not recorded, whose costs are in neither sum.
    """

    spent_usd: dict[str | None, float]
    presumed_usd: dict[str | None, float]
    pending: list[PendingCall]


class Charges:
    """The sums of a run directory, in the journal's database. Deleted replies are still counted."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def put_right(self) -> None:
        """Set invalid sums to 0."""
        self._db.executescript(f"begin immediate; {_PUT_RIGHT} commit;")

    def spend(
        self, costs_usd: Mapping[str, float], presumed_usd: Mapping[str, float] = _NOTHING
    ) -> None:
        """Add to the costs of episodes.

        Args:
            costs_usd: episode id → known cost.
            presumed_usd: episode id → the most that unknown costs may be.

        Raises:
            RecordError: a sum is negative or not finite; nothing is added.
        """
        check_usd(*costs_usd.values(), *presumed_usd.values())
        sums = (
            (one, _real(costs_usd.get(one, 0.0)), _real(presumed_usd.get(one, 0.0)))
            for one in {**costs_usd, **presumed_usd}
        )
        self._db.executemany(_SPEND, [one for one in sums if one[1] or one[2]])

    def begin(self, asks: Iterable[PendingCall]) -> None:
        """Note requests before their calls; the latest bound of a request counts. Raise RecordError
        if a bound is negative or not finite; nothing is noted then."""
        noted = list(asks)
        check_usd(*(one.at_most_usd for one in noted))
        self._db.executemany(
            _BEGIN, [one._replace(at_most_usd=_real(one.at_most_usd)) for one in noted]
        )
        self.assign_cells({one.episode_id: one.cell_id for one in noted})

    def overrun(self, calls: Iterable[Overrun]) -> None:
        """Note, for the lifetime of the run directory, how much calls of these models may cost.
        Raise RecordError if a cost is negative or not finite; nothing is noted then."""
        noted = list(calls)
        check_usd(*(one.usd for one in noted))
        self._db.executemany(_OVERRUN, [(one.model, _real(one.usd)) for one in noted])
        # A call that was assumed to be free was not noted before it began.
        self.assign_cells({one.episode_id: one.cell_id for one in noted})

    def highest_usd(self) -> dict[str, float]:
        """Return the highest cost of each model's calls that exceeded their reservation."""
        return dict(self._db.execute("select model, usd from highest_cost"))

    @property
    def needs_import(self) -> bool:
        """Return whether the costs in shards older than this journal still have to be imported."""
        query = f"select count(*) from {IMPORT_MARKER}"  # noqa: S608 - our own name
        return bool(self._db.execute(query).fetchone()[0])

    def import_sealed_costs(self, costs_usd: Mapping[str, float], cells: Mapping[str, str]) -> None:
        """Import, once, the costs in shards: `costs_usd` and `cells` by episode id."""
        self.spend(costs_usd)
        self.assign_cells(cells)
        self._db.execute(f"delete from {IMPORT_MARKER}")  # noqa: S608 - our own name

    def make_up(self, costs_usd: Mapping[str, float]) -> float:
        """Raise the known costs of episodes to at least `costs_usd`, by episode id, and return the
        total difference. Episodes that were never begun here are ignored."""
        known: dict[str, float] = dict(self._db.execute("select episode_id, spent_usd from ledger"))
        missing = {
            one: usd - known[one]
            for one, usd in costs_usd.items()
            if one in known and known[one] + usd * _ROUNDING < usd <= MOST_USD
        }
        self.spend(missing)
        return sum(missing.values())

    def assign_cells(self, cells: Mapping[str, str]) -> None:
        """Assign cells to episodes, by episode id."""
        self._db.executemany(_ASSIGN, cells.items())

    def settle(self, episode_id: str, ask_index: int, asker: str) -> None:
        """Note that the reply is recorded with its cost."""
        self._db.execute(
            "delete from begun where episode_id = ? and ask_index = ? and asker = ?",
            (episode_id, ask_index, asker),
        )

    def pending(self) -> list[PendingCall]:
        """Return noted calls whose replies are not recorded."""
        query = f"select {', '.join(PendingCall._fields)} from begun"  # noqa: S608 - our own names
        return list(map(PendingCall._make, self._db.execute(query)))

    def write_off_pending(self) -> None:
        """Write off pending calls at their largest cost, except those in batches, which may still
        end."""
        for pending in self.pending():
            if pending.asker != BATCHED:
                self.spend(_NOTHING, {pending.episode_id: pending.at_most_usd})
        self._db.execute("delete from begun where asker <> ?", (BATCHED,))

    def ledger(self) -> dict[str, float]:
        """Return the sum of each episode's known costs since the run directory was made, by id."""
        return dict(self._db.execute(KNOWN_COSTS))

    def sums(self) -> ChargeTotals:
        """Return all sums."""
        rows = self._db.execute(
            "select cell_id, sum(spent_usd), sum(presumed_usd) from ledger group by cell_id"
        ).fetchall()
        return ChargeTotals(
            {cell_id: usd for cell_id, usd, _ in rows if usd},
            {cell_id: usd for cell_id, _, usd in rows if usd},
            self.pending(),
        )

    def at_most_usd(self) -> float:
        """Return the most that all calls may have cost, including those without a known cost."""
        sums = self.sums()
        pending_usd = sum(one.at_most_usd for one in sums.pending)
        return sum((*sums.spent_usd.values(), *sums.presumed_usd.values(), pending_usd))

    def spent_usd(self) -> float:
        """Return the sum of all known costs since the run directory was made."""
        (spent_usd,) = self._db.execute("select total(spent_usd) from ledger").fetchone()
        return float(spent_usd)


def _real(usd: float) -> float:
    return float(usd) + 0.0


def check_usd(*amounts: object) -> None:
    """Raise RecordError if one of the values is not an amount of money."""
    for usd in amounts:
        if bounded_float(usd, high=MOST_USD) is None:
            raise RecordError(
                f"{usd!r:.80} USD cannot be counted: a cost is finite and not negative"
            )
