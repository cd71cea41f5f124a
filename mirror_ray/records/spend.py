"""The cost of each episode of a run directory so far, read without disturbing a run in progress,
from the journal or, if that is on another machine, from the shards."""

from mirror_ray.core.untrusted import bounded_float
from mirror_ray.records.journal.charges import KNOWN_COSTS
from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.shards.shard_index import sealed_costs_usd
from mirror_ray.records.storage import home_of

_PRESUMED = (
    "select sum(presumed_usd) from ledger where presumed_usd between 0 and 1e12 "
    "union all select sum(at_most_usd) from begun where at_most_usd between 0 and 1e12"
)


def presumed_so_far(out: str, *, is_running: bool) -> float:
    """Return the most that calls with lost replies or costs may have cost beyond what is known, in
    USD; 0 if the journal is on another machine.

    Args:
        is_running: calls in flight may still be answered; otherwise their replies are lost.

    Raises:
        RunDirError: the journal is unusable.
    """
    rows = journal_rows(home_of(out), _PRESUMED) or ()
    presumed, begun = ([bounded_float(usd) or 0.0 for (usd,) in rows] + [0.0, 0.0])[:2]
    return presumed if is_running else presumed + begun


def spent_so_far(out: str) -> dict[str, float]:
    """Return episode id → known costs of all its replies, in USD; free ones may be left out. Shards
    lack the costs of episodes that have not ended, and of superseded replies. Raises RunDirError if
    the journal or a shard is unusable."""
    rows = journal_rows(home_of(out), KNOWN_COSTS)
    if rows is None:
        return sealed_costs_usd(out)
    return {str(one): bounded_float(spent_usd) or 0.0 for one, spent_usd in rows}
