"""How many asks each episode has that no shard holds yet, read without disturbing a run in
progress.
"""

from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.shards.index import latest_takes, sealed_columns
from mirror_ray.records.storage import home_of

# What an interruption left unasked is in the journal too, as a reply that is not final.
_ASKED = "select episode_id, count(*) from reply where final group by episode_id"


def unsealed_asks(out: str) -> dict[str, int]:
    """Episode id → answered asks in the journal, beyond those of its latest sealed take.

    Raises:
        RunDirError: the journal or a shard is unusable.
    """
    # Of an episode that is not sealed for good, the journal holds every ask; takes repeat them.
    asked = {str(one): int(n) for one, n in journal_rows(home_of(out), _ASKED) or ()}
    if not asked:
        return {}
    sealed = latest_takes(sealed_columns(out, "episodes", ("episode_id", "take", "n_asks")))
    ids, counts = (sealed[name].to_pylist() for name in ("episode_id", "n_asks"))
    for episode_id, n_asks in zip(ids, counts, strict=True):
        if episode_id in asked:
            asked[episode_id] = max(0, asked[episode_id] - (n_asks or 0))
    return {episode_id: n for episode_id, n in asked.items() if n}
