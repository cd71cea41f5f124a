"""The parts of episodes' costs that belong to other models, read without disturbing a run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import duckdb
import pyarrow as pa

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.known_costs import is_whole
from mirror_ray.core.untrusted import bounded_float
from mirror_ray.records.journal.charges import MOST_USD
from mirror_ray.records.journal.entry import recorded_partner, reply_of_written
from mirror_ray.records.journal.read_only import JournalQuery, journal_rows
from mirror_ray.records.sandboxed_duckdb import confine
from mirror_ray.records.schemas import STEPS
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.records.so_far import asks_unpriced
from mirror_ray.records.storage import home_of

EpisodePart: TypeAlias = tuple[str, str]
"""An episode's id, and the model that was called."""

Amount = TypeVar("Amount", int, float)

_REPLIES = "select episode_id, ask_index, reply, final from reply"
_COLUMNS = ("family", "episode_id", "take", "ask", "model", "started_at", "cost_usd", "attempts",
            "failed_attempts", "error_kind")  # fmt: skip
_OPEN = pa.schema(
    [
        *(STEPS.field(name) for name in ("episode_id", "ask", "model", "started_at", "cost_usd")),
        pa.field("is_final", pa.bool_()),
        pa.field("is_whole", pa.bool_()),
    ]
)

# A repeated request is recognized by its time, because later takes repeat requests of earlier ones.
_BESIDE = f"""
with theirs as (
    select sealed.* from sealed inner join own using (episode_id) where sealed.model <> own.model
),
latest as (select episode_id, max(take) as take from sealed group by episode_id),
paid as (
    select episode_id, model, ask, started_at, cost_usd from theirs
    union
    select episode_id, model, ask, started_at, cost_usd from open
),
unknown as (
    select episode_id, unpriced.model, ask
    from unpriced inner join own using (episode_id) where unpriced.model <> own.model
    union
    select episode_id, model, ask from open where not is_whole
),
counted as (
    select episode_id, model, count(*) as n
    from theirs semi join latest using (episode_id, take)
    where coalesce(attempts, 1) > 0 group by all
    union all
    select episode_id, model, count(*) from open where is_final group by all
)
select
    episode_id, model,
    coalesce(sum(cost_usd) filter (cost_usd between 0 and {MOST_USD}), 0) as usd,
    coalesce(any_value(n_asks), 0)::bigint as n_asks,
    coalesce(any_value(n_unknown), 0)::bigint as n_unknown
from paid
left join (select episode_id, model, max(n) as n_asks from counted group by all)
    using (episode_id, model)
left join (select episode_id, model, count(*) as n_unknown from unknown group by all)
    using (episode_id, model)
group by all
"""  # noqa: S608 - our own figures


@dataclass(frozen=True, slots=True)
class PartnerCosts:
    """The parts of each episode that went to models other than its own: the known costs of `asks`
    sent requests, `unpriced` of which lack a fully known cost."""

    spent_usd: Mapping[EpisodePart, float] = field(default_factory=dict)
    asks: Mapping[EpisodePart, int] = field(default_factory=dict)
    unpriced: Mapping[EpisodePart, int] = field(default_factory=dict)


def partner_costs_so_far(
    out: str, episodes: Iterable[EpisodeSpec], journal: JournalQuery | None = None
) -> PartnerCosts:
    """Return the parts of these episodes, as far as they are recorded. Raise RunDirError if the
    journal or a shard is unusable."""
    theirs = [spec for spec in episodes if spec.cell.others]
    own = {spec.episode_id: spec.cell.model for spec in theirs}
    if not own:
        return PartnerCosts()
    import pyarrow.compute as pc  # noqa: PLC0415

    # The journal is read first: requests that leave it meanwhile are then in a shard.
    is_open = _open(journal_rows(home_of(out), _REPLIES, journal) or (), own)
    is_theirs = pc.field("family").isin(sorted({spec.cell.family for spec in theirs}))
    sealed = sealed_columns(out, "steps", _COLUMNS, where=is_theirs)
    with duckdb.connect() as db:
        confine(db)
        db.register("own", pa.table({"episode_id": list(own), "model": list(own.values())}))
        db.register("open", is_open)
        db.register("sealed", sealed.drop_columns(["family", "failed_attempts"]))
        db.register("unpriced", asks_unpriced(sealed).select(["episode_id", "model", "ask"]))
        rows = db.execute(_BESIDE).fetchall()
    return PartnerCosts(
        {(one, model): usd for one, model, usd, _, _ in rows},
        {(one, model): n for one, model, _, n, _ in rows},
        {(one, model): n for one, model, _, _, n in rows},
    )


def parts_by_model(
    amounts: Mapping[str, Amount],
    partners: Mapping[EpisodePart, Amount],
    episodes: Iterable[EpisodeSpec],
) -> Iterator[tuple[EpisodeSpec, str, Amount]]:
    """Return each episode's amount by model; its own model gets what did not go to others."""
    for spec in episodes:
        own = amounts.get(spec.episode_id, 0)
        for model in spec.cell.others:
            part = partners.get((spec.episode_id, model), 0)
            yield spec, model, part
            own = max(0, own - part)
        yield spec, spec.cell.model, own


def _open(replies: Iterable[tuple[Any, ...]], own: Mapping[str, str]) -> pa.Table:
    rows = []
    for episode_id, ask, text, final in replies:
        model = recorded_partner(text) if episode_id in own else None
        if model is not None and model != own[episode_id]:
            reply = reply_of_written(text)
            usd = bounded_float(reply.cost_usd)
            rows.append(
                (episode_id, ask, model, reply.started_at, usd, bool(final), is_whole(reply))
            )
    return pa.Table.from_pylist([dict(zip(_OPEN.names, row, strict=True)) for row in rows], _OPEN)
