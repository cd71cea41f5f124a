"""What the Recorder keeps for the Limiter: money spent, and calls of a day.

Knows which actor to ask and that it may be on its way back; does not know what limits what.
"""

from collections.abc import Mapping

from ray import get_actor

from mirror_ray.engine.budget import SWEEP_SCOPE
from mirror_ray.engine.calls import insist
from mirror_ray.engine.recorder import RecorderStats


class RecorderLedger:
    """A `Ledger` in the Recorder's journal.

    Args:
        recorder: the actor's name.
    """

    def __init__(self, recorder: str) -> None:
        self._recorder = recorder

    async def spent(self) -> Mapping[str, float]:
        """Scope → known costs so far, in USD, of this run and earlier ones."""
        actor = get_actor(self._recorder)
        stats: RecorderStats = await insist(actor.stats.remote, "reading what is spent")
        return {SWEEP_SCOPE: stats.spent_usd}

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
