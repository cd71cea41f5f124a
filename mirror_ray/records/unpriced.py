"""How many asks of each episode have a cost that is not wholly known, so far, read without
disturbing a run in progress: what a run directory knows of its money is at least what was paid.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from mirror_ray.known_costs import is_priced
from mirror_ray.records.journal.entry import read_reply
from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.shards.index import sealed_columns
from mirror_ray.records.storage import home_of
from mirror_ray.types import Reply
from mirror_ray.untrusted import bounded_float

_COLUMNS = ("episode_id", "take", "cost_usd", "failed_attempts", "error_kind")
_TOGETHER = 10_000
"""So many asks are more than columns at a time: where no price is known there may be millions."""

_REPLIES = "select episode_id, reply from reply"


def unpriced_so_far(out: str) -> dict[str, int]:
    """Episode id → asks whose cost is not wholly known, of episodes that have such asks.

    Raises:
        RunDirError: the journal or a shard is unusable.
    """
    counted = Counter(_sealed(out))
    # Of an episode that is not sealed for good, the journal holds every ask; takes repeat them.
    counted.update({one: max(0, n - counted[one]) for one, n in _in_the_journal(out).items()})
    return {episode_id: n for episode_id, n in counted.items() if n}


def is_whole(reply: Reply) -> bool:
    """Whether the cost of a reply is the whole cost of its ask."""
    failed_usd = [attempt.cost_usd for attempt in reply.failed_attempts]
    return is_priced(reply.cost_usd, failed_usd, reply.error_kind)


def rows_unpriced(asks: pa.Table) -> Iterator[Mapping[str, Any]]:
    """The rows whose cost is not the whole cost of their ask, of sealed asks with `cost_usd`,
    `failed_attempts` and `error_kind`."""
    import pyarrow.compute as pc  # noqa: PLC0415 - as below

    retried = pc.fill_null(pc.greater(pc.list_value_length(asks["failed_attempts"]), 0), False)
    for row in asks.filter(pc.or_(pc.is_null(asks["cost_usd"]), retried)).to_pylist():
        failed_usd = [bounded_float(one["cost_usd"]) for one in row["failed_attempts"] or ()]
        if not is_priced(bounded_float(row["cost_usd"]), failed_usd, row["error_kind"]):
            yield row


def _in_the_journal(out: str) -> Counter[str]:
    counted = Counter[str]()
    for episode_id, written in journal_rows(home_of(out), _REPLIES) or ():
        counted[str(episode_id)] += not is_whole(read_reply(written))
    return counted


def _sealed(out: str) -> dict[str, int]:
    """Counted in the last take that has any."""
    latest: dict[str, tuple[int, int]] = {}
    for asks in _candidates(out):
        for row in rows_unpriced(asks):
            take, n = latest.get(row["episode_id"], (row["take"], 0))
            if row["take"] >= take:
                again = n if row["take"] == take else 0
                latest[row["episode_id"]] = (row["take"], again + 1)
    return {episode_id: n for episode_id, (_, n) in latest.items()}


def _candidates(out: str) -> Iterator[pa.Table]:
    """The sealed asks without a cost or with failed attempts, some at a time."""
    # Imported late, as the data sets are.
    import pyarrow.compute as pc  # noqa: PLC0415

    wanted = pc.field("cost_usd").is_null() | (
        pc.list_value_length(pc.field("failed_attempts")) > 0
    )
    asks = sealed_columns(out, "steps", _COLUMNS, where=wanted)
    for some in asks.to_batches(max_chunksize=_TOGETHER):
        yield pa.Table.from_batches([some])
