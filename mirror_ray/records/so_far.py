"""The requests and costs of each episode so far, read without disturbing a run in progress, from
the journal and from the shards.

The journal is read first: requests that leave it meanwhile are in a shard by then. It has every
request of an episode without a final end; takes repeat them. Callers of several functions open the
journal once and pass it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import Any

import pyarrow as pa

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.core.errors import RunDirError
from mirror_ray.core.known_costs import is_priced, is_whole
from mirror_ray.core.untrusted import bounded_float, bounded_int
from mirror_ray.records.journal.charges import KNOWN_COSTS
from mirror_ray.records.journal.entry import reply_of_written
from mirror_ray.records.journal.read_only import JournalQuery, journal_rows
from mirror_ray.records.rows.codec import UNREADABLE, RowCodec
from mirror_ray.records.schemas import EPISODES
from mirror_ray.records.shard_checks import MOST_COUNT, sound
from mirror_ray.records.shards.shard_index import latest_takes, sealed_columns, sealed_costs_usd
from mirror_ray.records.storage import home_of

_PRESUMED = (
    "select sum(presumed_usd) from ledger where presumed_usd between 0 and 1e12 "
    "union all select sum(at_most_usd) from begun where at_most_usd between 0 and 1e12"
)
# The journal also has requests that an interruption left unsent, as replies that are not final.
_ASKED = "select episode_id, count(*) from reply where final group by episode_id"
_REPLIES = "select episode_id, ask_index, reply from reply"
_FORMS = "select form_id, family, steps, episode from form limit 1000"
_FINISHED = "select form_id, take, rows from finished"

_ASK = ("episode_id", "ask")
_UNUSUAL = (
    *_ASK, "take", "attempts", "cost_usd", "failed_attempts", "error_kind", "superseded",
    "parse_status",
)  # fmt: skip
_TOGETHER = 10_000
"""How many requests are read at a time, because there may be millions without a price."""


def presumed_so_far(out: str, journal: JournalQuery | None = None, *, is_running: bool) -> float:
    """Return the most that calls with lost replies or costs may have cost, in USD; 0 if the journal
    is on another machine. While `is_running`, calls in flight may still be answered. Raise
    RunDirError if the journal is unusable."""
    rows = journal_rows(home_of(out), _PRESUMED, journal) or ()
    presumed, begun = ([bounded_float(usd) or 0.0 for (usd,) in rows] + [0.0, 0.0])[:2]
    return presumed if is_running else presumed + begun


def spent_so_far(out: str, journal: JournalQuery | None = None) -> dict[str, float]:
    """Return the known costs in USD of all replies of each episode, by id; free ones may be left
    out. Shards lack the costs of episodes that have not ended, and of superseded replies. Raise
    RunDirError if the journal or a shard is unusable."""
    rows = journal_rows(home_of(out), KNOWN_COSTS, journal)
    if rows is None:
        return sealed_costs_usd(out)
    return {str(one): float(spent_usd) for one, spent_usd in rows}


def unusual_asks(out: str) -> pa.Table:
    """Return the sealed requests that were not read at the first attempt, have no cost, or were
    never sent. Raise RunDirError if a shard is unusable."""
    import pyarrow.compute as pc  # noqa: PLC0415 - late, as the data sets

    where = _not_read_at_once() | pc.field("cost_usd").is_null() | (pc.field("attempts") == 0)
    return sealed_columns(out, "steps", _UNUSUAL, where=where)


def has_waste(unusual: pa.Table) -> bool:
    """Return whether a sealed request failed, was sent several times, or has an unread reply.
    `unusual` is what `unusual_asks` returns."""
    return bool(unusual.filter(_not_read_at_once()).num_rows)


def _not_read_at_once() -> Any:
    import pyarrow.compute as pc  # noqa: PLC0415 - late, as the data sets

    has_failed = ~pc.field("error_kind").isin(sorted(FINAL_KINDS))
    was_retried = pc.list_value_length(pc.field("failed_attempts")) > 0
    is_unread = pc.field("parse_status") == "failed"
    # A comparison with NULL is unknown, not true.
    each = (has_failed, was_retried, pc.field("superseded"), is_unread)
    return reduce(or_, (pc.coalesce(one, False) for one in each))


def asks_so_far(
    out: str, sealed: pa.Table, unusual: pa.Table, journal: JournalQuery | None = None
) -> dict[str, int]:
    """Return the number of each episode's sent requests: in its latest sealed take, or in the
    journal if that has more. Raise RunDirError if the journal is unusable.

    Args:
        sealed: all takes in the shards, with `episode_id`, `take` and `n_asks`.
        unusual: what `unusual_asks` returns.
    """
    import pyarrow.compute as pc  # noqa: PLC0415 - late, as the data sets

    asked = {str(one): int(n) for one, n in journal_rows(home_of(out), _ASKED, journal) or ()}
    latest = latest_takes(sealed).select(["episode_id", "take", "n_asks"])
    ids, takes, n_asks = (column.to_pylist() for column in latest.columns)
    unsent = unusual.filter(pc.equal(unusual["attempts"], 0))
    never = Counter(zip(unsent["episode_id"].to_pylist(), unsent["take"].to_pylist(), strict=True))
    if never:
        sent = zip(ids, takes, n_asks, strict=True)
        n_asks = [max(0, n - never[episode_id, take]) for episode_id, take, n in sent]
    of_sealed = dict(zip(ids, n_asks, strict=True))
    for episode_id, n in asked.items():
        of_sealed[episode_id] = max(n, of_sealed.get(episode_id, 0))
    return {episode_id: n for episode_id, n in of_sealed.items() if n}


def unpriced_so_far(
    out: str, journal: JournalQuery | None = None, unusual: pa.Table | None = None
) -> dict[str, int]:
    """Return the number of each episode's requests without a fully known cost, if there are any:
    its known costs are then lower bounds. `unusual` is what `unusual_asks` returns, if it was read
    before. Raise RunDirError if the journal or a shard is unusable."""
    found = {
        (str(one), ask)
        for one, ask, written in journal_rows(home_of(out), _REPLIES, journal) or ()
        if bounded_int(ask, high=MOST_COUNT) is not None and not is_whole(reply_of_written(written))
    }
    sealed = unusual_asks(out) if unusual is None else unusual
    for start in range(0, sealed.num_rows, _TOGETHER):
        asks = asks_unpriced(sealed.slice(start, _TOGETHER))
        found.update(zip(*(asks[name].to_pylist() for name in _ASK), strict=True))
    return Counter(episode_id for episode_id, _ in found)


def asks_unpriced(asks: pa.Table) -> pa.Table:
    """Return those sealed requests that lack a fully known cost. `asks` has `cost_usd`,
    `failed_attempts` and `error_kind`."""
    import pyarrow.compute as pc  # noqa: PLC0415 - late, as the data sets

    retried = pc.fill_null(pc.greater(pc.list_value_length(asks["failed_attempts"]), 0), False)
    some = asks.filter(pc.or_(pc.is_null(asks["cost_usd"]), retried))
    told = some.select(["cost_usd", "failed_attempts", "error_kind"]).to_pylist()
    return some.filter(pa.array([not _is_priced(row) for row in told], pa.bool_()))


def _is_priced(row: Mapping[str, Any]) -> bool:
    failed_usd = [bounded_float(one["cost_usd"]) for one in row["failed_attempts"] or ()]
    return is_priced(bounded_float(row["cost_usd"]), failed_usd, row["error_kind"])


def unsealed_episodes(
    out: str, columns: Sequence[str], journal: JournalQuery | None = None
) -> pa.Table:
    """Return some of the common columns of ended episodes that wait in the journal for the next
    shard; damaged rows are left to the run. Raise RunDirError if the journal is unusable."""
    schema = pa.schema([EPISODES.field(name) for name in columns])

    def readable(codec: RowCodec, written: Sequence[tuple[int, bytes]]) -> list[pa.Table]:
        try:
            return [sound("the journal", codec.episodes(written).select(list(columns)), schema)]
        except (*UNREADABLE, RunDirError, KeyError):
            each = written if len(written) > 1 else ()
            return [table for one in each for table in readable(codec, [one])]

    home = home_of(out)
    ended: dict[int, list[tuple[int, bytes]]] = {}
    for form_id, take, rows in journal_rows(home, _FINISHED, journal) or ():
        ended.setdefault(form_id, []).append((take, rows))
    tables = [schema.empty_table()]
    for form_id, *packed in (journal_rows(home, _FORMS, journal) or ()) if ended else ():
        if form_id in ended:
            with suppress(*UNREADABLE):
                tables += readable(RowCodec.unpacked(*packed), ended[form_id])
    return pa.concat_tables(tables)
