"""Counts requests without a fully known cost, whose known costs are lower bounds, without
disturbing a run in progress."""

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from mirror_ray.core.known_costs import is_priced
from mirror_ray.core.types import Reply
from mirror_ray.core.untrusted import bounded_float, bounded_int
from mirror_ray.records.journal.entry import reply_of_written
from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.schemas import STEPS
from mirror_ray.records.shard_checks import MOST_COUNT
from mirror_ray.records.shards.shard_index import sealed_columns
from mirror_ray.records.storage import home_of

_ASK = ("episode_id", "ask")
_COLUMNS = (*_ASK, "cost_usd", "failed_attempts", "error_kind")
_SCHEMA = pa.schema([STEPS.field(name) for name in _ASK])
_TOGETHER = 10_000
"""Requests read at a time: without a price there may be millions."""

_REPLIES = "select episode_id, ask_index, reply from reply"


def unpriced_so_far(out: str) -> dict[str, int]:
    """Return episode id → requests without a fully known cost, if it has any. Raises RunDirError if
    the journal or a shard is unusable."""
    # The journal is read first: requests that leave it meanwhile are in a shard by then. Takes
    # repeat recorded requests, and the journal has every request of an episode without a final end.
    asks = pa.concat_tables([_in_the_journal(out), *_sealed(out)])
    counted = asks.group_by(_ASK).aggregate([]).group_by("episode_id").aggregate([("ask", "count")])
    ids, counts = counted["episode_id"].to_pylist(), counted["ask_count"].to_pylist()
    return dict(zip(ids, counts, strict=True))


def is_whole(reply: Reply) -> bool:
    """Whether the cost of a reply is the whole cost of its request."""
    failed_usd = [attempt.cost_usd for attempt in reply.failed_attempts]
    return is_priced(reply.cost_usd, failed_usd, reply.error_kind)


def asks_unpriced(asks: pa.Table) -> pa.Table:
    """Select those without a fully known cost from sealed requests with `cost_usd`,
    `failed_attempts` and `error_kind`."""
    import pyarrow.compute as pc  # noqa: PLC0415 - as below

    retried = pc.fill_null(pc.greater(pc.list_value_length(asks["failed_attempts"]), 0), False)
    some = asks.filter(pc.or_(pc.is_null(asks["cost_usd"]), retried))
    told = some.select(["cost_usd", "failed_attempts", "error_kind"]).to_pylist()
    return some.filter(pa.array([not _is_priced(row) for row in told], pa.bool_()))


def _is_priced(row: Mapping[str, Any]) -> bool:
    failed_usd = [bounded_float(one["cost_usd"]) for one in row["failed_attempts"] or ()]
    return is_priced(bounded_float(row["cost_usd"]), failed_usd, row["error_kind"])


def _in_the_journal(out: str) -> pa.Table:
    rows = journal_rows(home_of(out), _REPLIES) or ()
    asks = [
        (str(one), ask)
        for one, ask, written in rows
        if bounded_int(ask, high=MOST_COUNT) is not None and not is_whole(reply_of_written(written))
    ]
    return pa.table(
        [pa.array([one for one, _ in asks]), pa.array([ask for _, ask in asks])], _SCHEMA
    )


def _sealed(out: str) -> Iterator[pa.Table]:
    for asks in _candidates(out):
        yield asks_unpriced(asks).select(list(_ASK))


def _candidates(out: str) -> Iterator[pa.Table]:
    """Yield the sealed requests without a cost or with failed attempts, some at a time."""
    # Imported late, as the data sets are.
    import pyarrow.compute as pc  # noqa: PLC0415

    wanted = pc.field("cost_usd").is_null() | (
        pc.list_value_length(pc.field("failed_attempts")) > 0
    )
    asks = sealed_columns(out, "steps", _COLUMNS, where=wanted)
    for some in asks.to_batches(max_chunksize=_TOGETHER):
        yield pa.Table.from_batches([some])
