"""What each episode of a run directory has cost so far, read without disturbing a run in progress:
from the journal or, where that is on another machine, from the shards.
"""

import sqlite3

from mirror_ray.errors import RunDirError
from mirror_ray.records.journal.charges import KNOWN_COSTS
from mirror_ray.records.journal.database import JOURNAL_NAME, JOURNAL_VERSION
from mirror_ray.records.journal.read_only import read_only_snapshot
from mirror_ray.records.shards.index import sealed_costs_usd
from mirror_ray.records.storage import home_of
from mirror_ray.untrusted import bounded_float


def spent_so_far(out: str) -> dict[str, float]:
    """Episode id → known costs of all its replies, in USD; free ones may be left out.

    Shards lack the costs of episodes that have not ended, and of superseded replies.

    Raises:
        RunDirError: the journal or a shard is unusable.
    """
    home = home_of(out)
    if not (home / JOURNAL_NAME).exists():
        return sealed_costs_usd(out)
    try:
        with read_only_snapshot(home) as db:
            (version,) = db.execute("pragma user_version").fetchone()
            if version != JOURNAL_VERSION:
                return sealed_costs_usd(out)
            rows = db.execute(KNOWN_COSTS).fetchall()
            return {str(one): bounded_float(spent_usd) or 0.0 for one, spent_usd in rows}
    except sqlite3.Error as error:
        raise RunDirError(
            str(home / JOURNAL_NAME),
            str(error),
            "the journal as this program wrote it",
            "restore the file from a copy, or use another --out",
        ) from error
