"""What the Recorder keeps for the Limiter: money spent, and calls of a day.

Knows which actor to ask and that it may be on its way back; does not know what limits what.
"""

from collections.abc import Mapping, Sequence

from ray import get_actor

from mirror_ray.engine.accounts import spent_by_scope
from mirror_ray.engine.calls import insist
from mirror_ray.types import EpisodeSpec


class RecorderLedger:
    """A `Ledger` in the Recorder's journal.

    Args:
        recorder: the actor's name.
        episodes: of the whole plan, which tell whose money an episode's is.
    """

    def __init__(self, recorder: str, episodes: Sequence[EpisodeSpec]) -> None:
        self._recorder = recorder
        self._episodes = episodes

    async def spent(self) -> Mapping[str, float]:
        """Scope → costs so far, in USD, of this run and earlier ones; unknown ones at most."""
        actor = get_actor(self._recorder)
        ledger: Mapping[str, float] = await insist(actor.at_most.remote, "reading what is spent")
        return spent_by_scope(ledger, self._episodes)

    async def claimed(self, day: int) -> Mapping[str, int]:
        """Key → calls of that day that were claimed."""
        actor = get_actor(self._recorder)
        claimed: Mapping[str, int] = await insist(
            lambda: actor.claimed_calls.remote(day), "reading the day's calls"
        )
        return claimed

    async def claim(self, key: str, day: int, calls: int) -> None:
        """Makes durable that up to `calls` calls of the day may have been made."""
        actor = get_actor(self._recorder)
        await insist(lambda: actor.claim_calls.remote(key, day, calls), "counting the day's calls")
