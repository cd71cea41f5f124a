"""What the Recorder keeps for the Limiter: money spent or at stake, and calls of a day.

Knows which actor to ask and that it may be on its way back; does not know what limits what.
"""

from collections.abc import Mapping, Sequence

from ray import get_actor

from mirror_ray.engine.accounts import scopes_of_cell, spent_by_scope
from mirror_ray.engine.budget import SWEEP_SCOPE
from mirror_ray.engine.calls import insist
from mirror_ray.engine.stakes import Spent, Stake
from mirror_ray.records.money import Begun, Sums
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

    async def spent(self) -> Spent:
        """What this run and earlier ones have spent, and what this one has under way."""
        actor = get_actor(self._recorder)
        sums: Sums = await insist(actor.sums.remote, "reading what is spent")
        return Spent(
            spent_by_scope(sums.spent_usd, self._episodes),
            spent_by_scope(sums.presumed_usd, self._episodes),
            self._stakes(sums.begun),
        )

    async def begin(self, asks: Sequence[Begun]) -> None:
        """Makes durable that these may be asked, and what they may cost."""
        actor = get_actor(self._recorder)
        await insist(lambda: actor.begin.remote(asks), "noting what is asked")

    def _stakes(self, asks: Sequence[Begun]) -> tuple[Stake, ...]:
        if not asks:
            return ()
        scopes = {one.episode_id: scopes_of_cell(one.cell) for one in self._episodes}
        return tuple(Stake(one, scopes.get(one.episode_id, (SWEEP_SCOPE,))) for one in asks)

    async def claimed(self, days: Mapping[str, int]) -> Mapping[str, int]:
        """Key → calls that were claimed of its day."""
        actor = get_actor(self._recorder)
        claimed: Mapping[str, int] = await insist(
            lambda: actor.claimed_calls.remote(days), "reading the day's calls"
        )
        return claimed

    async def claim(self, key: str, day: int, calls: int) -> None:
        """Makes durable that up to `calls` calls of the day may have been made."""
        actor = get_actor(self._recorder)
        await insist(lambda: actor.claim_calls.remote(key, day, calls), "counting the day's calls")
