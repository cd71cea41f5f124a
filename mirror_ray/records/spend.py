"""What each episode of a run directory has cost so far, read without disturbing a run in progress.

Knows the journal's ledger and, where that is on another machine, the shards; does not know budgets.
"""

import sqlite3

from mirror_ray.errors import RunDirError
from mirror_ray.records.journal import JOURNAL_NAME, JOURNAL_VERSION
from mirror_ray.records.onlooker import onlooker
from mirror_ray.records.resume import sealed_costs_usd
from mirror_ray.records.storage import home_of


def spent_so_far(out: str) -> dict[str, float]:
    """Episode id → known costs of all its replies, in USD; free ones may be left out.

    Shards lack what was spent on episodes that have not ended, and on replies that were made
    needless.

    Raises:
        RunDirError: the journal or a shard is unusable.
    """
    home = home_of(out)
    if not (home / JOURNAL_NAME).exists():
        return sealed_costs_usd(out)
    try:
        with onlooker(home) as db:
            (version,) = db.execute("pragma user_version").fetchone()
            if version != JOURNAL_VERSION:
                return sealed_costs_usd(out)
            return dict(db.execute("select episode_id, spent_usd from ledger where spent_usd"))
    except sqlite3.Error as error:
        raise RunDirError(
            f"{home / JOURNAL_NAME}\n"
            f"  got:     {error}\n"
            f"  allowed: the journal as this program wrote it\n"
            f"  fix:     restore the file from a copy, or use another --out"
        ) from error
