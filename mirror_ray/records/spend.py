"""What each episode of a run directory has cost so far, read without disturbing a run in progress.

Knows the journal's ledger and, where that is on another machine, the shards; does not know budgets.
"""

import sqlite3
from contextlib import closing

from mirror_ray.errors import RunDirError
from mirror_ray.records.journal import JOURNAL_NAME, JOURNAL_VERSION
from mirror_ray.records.resume import sealed_costs_usd
from mirror_ray.records.storage import home_of


def spent_so_far(out: str) -> dict[str, float]:
    """Episode id → known costs of all its replies, in USD; free ones may be left out.

    Shards lack what was spent on episodes that have not ended, and on replies that were made
    needless.

    Raises:
        RunDirError: the journal or a shard is unusable.
    """
    path = home_of(out) / JOURNAL_NAME
    if not path.exists():
        return sealed_costs_usd(out)
    # Nobody writes where there is no log beside it; a plain reader would leave one there.
    how = "mode=ro" if path.with_name(f"{JOURNAL_NAME}-wal").exists() else "immutable=1"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)) as db:
            (version,) = db.execute("pragma user_version").fetchone()
            if version != JOURNAL_VERSION:
                return sealed_costs_usd(out)
            return dict(db.execute("select episode_id, spent_usd from ledger where spent_usd"))
    except sqlite3.Error as error:
        raise RunDirError(
            f"{path}\n"
            f"  got:     {error}\n"
            f"  allowed: the journal as this program wrote it\n"
            f"  fix:     restore the file from a copy, or use another --out"
        ) from error
