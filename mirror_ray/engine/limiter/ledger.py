"""The Limiter's state that the Recorder keeps: money spent or pending, and the day's calls."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from ray import get_actor

from mirror_ray.core.identity import Cell
from mirror_ray.engine.actor_calls import retry_until_restarted
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, scopes_of_cell
from mirror_ray.engine.limiter.inherited_calls import InheritedCall, Spent
from mirror_ray.records.journal.charges import ChargeTotals, Overrun, PendingCall


class RecorderLedger:
    """A `Ledger` in the Recorder's journal; `cells` of the whole plan tell which scopes pay for
    what."""

    def __init__(self, recorder: str, cells: Sequence[Cell]) -> None:
        self._recorder = recorder
        self._scopes = {cell.cell_id: scopes_of_cell(cell) for cell in cells}

    async def spent(self) -> Spent:
        """Return what this run and earlier ones have spent, and what this run has in flight."""
        sums: ChargeTotals = await self._ask("sums", "reading what is spent")
        return Spent(
            self._by_scope(sums.spent_usd),
            self._by_scope(sums.presumed_usd),
            tuple(InheritedCall(one, self._scopes_of(one.cell_id)) for one in sums.pending),
            await self._ask("highest_usd", "reading what calls have cost"),
        )

    async def begin(self, asks: Sequence[PendingCall]) -> None:
        """Note durably that these requests may be sent, and what they may cost."""
        await self._ask("begin", "noting what is asked", asks)

    async def overrun(self, calls: Sequence[Overrun]) -> None:
        """Note durably that these calls have cost more than was reserved for them."""
        await self._ask("overrun", "noting what calls have cost", calls)

    async def claimed(self, days: Mapping[str, int]) -> Mapping[str, int]:
        """Return how many calls of its day each key has claimed."""
        claimed: Mapping[str, int] = await self._ask(
            "claimed_calls", "reading the day's calls", days
        )
        return claimed

    async def claim(self, key: str, day: int, calls: int) -> None:
        """Note durably that up to `calls` calls of the day may have been made."""
        await self._ask("claim_calls", "counting the day's calls", key, day, calls)

    async def _ask(self, method: str, what: str, *arguments: object) -> Any:
        actor = get_actor(self._recorder)
        return await retry_until_restarted(getattr(actor, method), what, *arguments)

    def _by_scope(self, by_cell: Mapping[str | None, float]) -> dict[str, float]:
        spent: defaultdict[str, float] = defaultdict(float)
        for cell_id, usd in by_cell.items():
            for scope in self._scopes_of(cell_id):
                spent[scope] += usd
        return dict(spent)

    def _scopes_of(self, cell_id: str | None) -> tuple[str, ...]:
        return (SWEEP_SCOPE,) if cell_id is None else self._scopes.get(cell_id, (SWEEP_SCOPE,))
