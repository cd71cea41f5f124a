"""The present state of each model of a running run. Episodes count for their own model; requests,
retries and money count for the model that was called, if an episode has several."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import duckdb
import pyarrow as pa

from mirror_ray.analysis.reading import Reading
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.viewer.live_journal import JournalNow

_ELSE = "not in the plan as it is known here"

_BY_MODEL = """
select
    model,
    count(*) filter (error_kind = 'none') as done,
    count(*) filter (error_kind not in ('none', 'budget')) as failed,
    count(*) filter (error_kind = 'budget') as unpaid,
    sum(n_asks - coalesce(unsent.n, 0))::bigint as asks,
    max(finished_at) as last_at
from latest left join unsent using (episode_id, take) group by model
"""
_RETRIED = "select model, kind, sum(n)::bigint from (select distinct * from retried) group by all"
_UNPRICED = "select model, count(*) from (select distinct * from unpriced) group by all"
# For episodes with requests in the journal: their latest end, and how many requests it covers.
_ENDED = """
with found as (select latest.* from latest semi join open using (episode_id))
select episode_id, model, shard is not null, n_asks - coalesce(unsent.n, 0)
from found left join unsent using (episode_id, take)
"""
# A later take repeats recorded requests of earlier ones, so requests are distinguished by time.
_BESIDE = """
with paid as (select distinct own, model, episode_id, ask, started_at, cost_usd from partner),
sent as (
    select own, model, count(*) as n
    from partner semi join latest using (episode_id, take) where coalesce(attempts, 1) > 0
    group by all
)
select own, model, any_value(sent.n), sum(cost_usd) filter (cost_usd between 0 and 1e12)
from paid left join sent using (own, model) group by all
"""
_NOTHING: Mapping[str, Any] = {"done": 0, "failed": 0, "unpaid": 0, "asks": 0, "last_at": None}


@dataclass(frozen=True, slots=True)
class LiveModel:
    """The state of one model.

    Args:
        planned: its episodes in the plan; None while the plan is being read.
        unpaid: started, but stopped for lack of money.
        asks: requests that were sent.
        retries: kind → failed attempts.
        spent_usd: known costs; those of `n_unpriced` requests are not fully known.
    """

    model: str
    planned: int | None
    done: int = 0
    failed: int = 0
    unpaid: int = 0
    asks: int = 0
    retries: Mapping[str, int] = field(default_factory=dict)
    spent_usd: float = 0.0
    n_unpriced: int = 0
    last_at: str | None = None


@dataclass(slots=True)
class _Sums:
    asks: Counter[str] = field(default_factory=Counter)
    retries: dict[str, Counter[str]] = field(default_factory=dict)
    unpriced: Counter[str] = field(default_factory=Counter)
    usd: dict[str, float] = field(default_factory=dict)

    def pay(self, model: str, usd: float) -> None:
        self.usd[model] = self.usd.get(model, 0.0) + usd

    def move(self, own: str, to: str, asks: int, usd: float) -> None:
        """Move this many requests of an episode, and their cost, to another model.

        At most as many as `own` has are moved: while the plan is read, others have them."""
        asks = min(asks, self.asks[own])
        usd = min(usd, self.usd.get(own, 0.0))
        self.asks[own] -= asks
        self.asks[to] += asks
        self.pay(own, -usd)
        self.pay(to, usd)


def models_now(
    db: duckdb.DuckDBPyConnection, journal: JournalNow | None, plan: Mapping[str, tuple[str, str]]
) -> dict[str, LiveModel]:
    """Return the state of each model, in the order of the plan; models outside the plan come last.

    Args:
        db: has the tables of `ShardsRead`, and `latest`, the latest takes, sealed or not.
        plan: episode id → its own model, its cell's id; empty while it is being read.
    """
    by_model = {row["model"]: row for row in Reading(db).rows(_BY_MODEL)}
    sums = _Sums(Counter({model: row["asks"] for model, row in by_model.items()}))
    sums.unpriced.update(dict(db.sql(_UNPRICED).fetchall()))
    for model, kind, n in db.sql(_RETRIED).fetchall():
        sums.retries.setdefault(model, Counter())[one_printable_line(kind or "unknown", 40)] += n
    if journal is not None:
        _add_spent(sums, journal, plan)
    for own, model, n, usd in db.sql(_BESIDE).fetchall():
        sums.move(own, model, n or 0, usd or 0.0)
    if journal is not None:
        _add_open(sums, db, journal, plan)
    planned = Counter(model for model, _ in plan.values())
    names = dict.fromkeys([*planned, *sorted(by_model), *sums.asks, *sums.usd])
    return {
        model: LiveModel(
            model,
            planned[model] if planned else None,
            row["done"],
            row["failed"],
            row["unpaid"],
            sums.asks[model],
            dict(sums.retries.get(model, {})),
            sums.usd.get(model, 0.0),
            sums.unpriced[model],
            row["last_at"],
        )
        for model in names
        for row in [by_model.get(model, _NOTHING)]
    }


def _add_spent(sums: _Sums, journal: JournalNow, plan: Mapping[str, tuple[str, str]]) -> None:
    model_of_cell = {cell_id: model for model, cell_id in plan.values()}
    for cell_id, paid_for, usd in journal.spent_usd:
        sums.pay(model_of_cell.get(cell_id or "") or _model_of(plan, paid_for or ""), usd)


def _add_open(
    sums: _Sums,
    db: duckdb.DuckDBPyConnection,
    journal: JournalNow,
    plan: Mapping[str, tuple[str, str]],
) -> None:
    db.register("open", pa.table({"episode_id": list({one.episode_id for one in journal.asks})}))
    ends = {episode_id: end for episode_id, *end in db.execute(_ENDED).fetchall()}
    # An episode that ended with an error is continued, so the journal also has the requests in its
    # row.
    retried, partner = _sealed(db, "retried", "started_at"), _sealed(db, "partner", "started_at")
    unpriced = _sealed(db, "unpriced")
    db.unregister("open")
    for one in journal.asks:
        own, is_sealed, n_told = ends.get(one.episode_id) or (_model_of(plan, one.episode_id), 0, 0)
        asked = one.partner or own
        place, at = (one.episode_id, one.ask), (one.episode_id, one.ask, one.started_at)
        if at not in retried:
            sums.retries.setdefault(asked, Counter()).update(one.failed)
        sums.unpriced[asked] += one.is_unpriced and place not in unpriced
        n_more = int(one.is_sent and one.ask > n_told)
        sums.asks[own] += n_more
        if one.partner is not None:
            # An unsealed row counts all requests for its own model.
            n_moved = n_more if is_sealed else int(one.is_sent)
            sums.move(own, asked, n_moved, 0.0 if at in partner else one.usd)


def _sealed(db: duckdb.DuckDBPyConnection, table: str, *more: str) -> set[tuple[Any, ...]]:
    columns = ", ".join(("episode_id", "ask", *more))
    found = db.execute(f"select {columns} from {table} semi join open using (episode_id)")  # noqa: S608 - our own names
    return set(found.fetchall())


def _model_of(plan: Mapping[str, tuple[str, str]], episode_id: str) -> str:
    return plan.get(episode_id, (_ELSE, ""))[0]
