"""What each episode of a run directory has cost so far, read without disturbing a run in progress:
from the journal or, where that is on another machine, from the shards.
"""

from mirror_ray.records.journal.charges import KNOWN_COSTS
from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.shards.index import sealed_costs_usd
from mirror_ray.records.storage import home_of
from mirror_ray.untrusted import bounded_float


def spent_so_far(out: str) -> dict[str, float]:
    """Episode id → known costs of all its replies, in USD; free ones may be left out.

    Shards lack the costs of episodes that have not ended, and of superseded replies.

    Raises:
        RunDirError: the journal or a shard is unusable.
    """
    rows = journal_rows(home_of(out), KNOWN_COSTS)
    if rows is None:
        return sealed_costs_usd(out)
    return {str(one): bounded_float(spent_usd) or 0.0 for one, spent_usd in rows}
