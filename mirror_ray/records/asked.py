"""Counts the requests of each episode that were sent, without disturbing a run in progress."""

from collections import Counter

from mirror_ray.records.journal.read_only import journal_rows
from mirror_ray.records.shards.shard_index import latest_takes, sealed_columns
from mirror_ray.records.storage import home_of

# The journal also has requests that an interruption left unsent, as replies that are not final.
_ASKED = "select episode_id, count(*) from reply where final group by episode_id"


def asks_so_far(out: str) -> dict[str, int]:
    """Return episode id → sent requests: of its latest sealed take, or of the journal if that has
    more. Raises RunDirError if the journal or a shard is unusable."""
    # Imported late, as the data sets are.
    import pyarrow.compute as pc  # noqa: PLC0415

    # The journal has every request of an episode without a final end; takes repeat them.
    asked = {str(one): int(n) for one, n in journal_rows(home_of(out), _ASKED) or ()}
    sealed = latest_takes(sealed_columns(out, "episodes", ("episode_id", "take", "n_asks")))
    unsent = sealed_columns(
        out, "steps", ("episode_id", "take", "attempts"), where=pc.field("attempts") == 0
    )
    never = Counter(zip(unsent["episode_id"].to_pylist(), unsent["take"].to_pylist(), strict=True))
    for episode_id, take, n_asks in zip(*(one.to_pylist() for one in sealed.columns), strict=True):
        n = max(0, n_asks - never[episode_id, take])
        asked[episode_id] = max(n, asked.get(episode_id, 0))
    return {episode_id: n for episode_id, n in asked.items() if n}
