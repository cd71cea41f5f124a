"""Who gets which episode when, and when to stop handing them out.

Knows leases, deaths, and scopes (the sweep, a model, a cell) out of service; does not know Ray,
actors or rows. Which of the waiting episodes is next is the order's business.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Collection, Mapping
from dataclasses import replace

from mirror_ray.engine.accounts import scopes_of_cell
from mirror_ray.engine.budget import SWEEP_SCOPE, model_scope
from mirror_ray.engine.order import Lease, Order
from mirror_ray.sweep.in_flight import Capacity

MAX_DEATHS = 3
"""How many Simulators an episode may see die at the same ask before it is given up."""

FAILURES_IN_A_ROW = 3
"""So many episodes of a model that its provider turns away, with no success between, stop it."""

TURNED_AWAY: frozenset[str] = frozenset({"auth", "bad_request"})
"""What fails every further episode of the model too, until a person mends it."""

BUDGET_SPENT = "its budget is spent"


class Leases:
    """The episodes still to be played.

    Args:
        free: models that cost nothing: the sweep's spent budget does not stop them.
    """

    def __init__(self, order: Order, free: Collection[str] = ()) -> None:
        self._order = order
        self._free = frozenset(free)
        self._takers: deque[asyncio.Future[Lease | None]] = deque()
        self._draining = False
        self._stopped: dict[str, str] = {}
        self._spent: list[str] = []
        self._in_a_row: Counter[str] = Counter()
        self._withheld = 0

    @property
    def unplayed(self) -> int:
        """Episodes that wait or were withheld: what a later run has to do."""
        return self._order.waiting + self._withheld

    @property
    def stopped(self) -> dict[str, str]:
        """Scope → why no further episode of it is handed out."""
        return dict(self._stopped)

    @property
    def spent(self) -> tuple[str, ...]:
        """Scopes whose budget ran out, in the order it was noticed."""
        return tuple(self._spent)

    async def take(self) -> Lease | None:
        """The next episode; None once there is none and none can come back."""
        taker: asyncio.Future[Lease | None] = asyncio.get_running_loop().create_future()
        self._takers.append(taker)
        self._serve()
        return await taker

    def done(
        self, lease: Lease, error_kind: str, error: str | None, spent_scope: str | None = None
    ) -> None:
        """The episode came to an end; its model, its cell or the sweep may have to be stopped.

        Args:
            spent_scope: whose budget would not pay, where `error_kind` is "budget".
        """
        model = lease.spec.cell.model
        if error_kind == "budget":
            self._run_out(spent_scope or SWEEP_SCOPE)
        elif error_kind in TURNED_AWAY:
            self._in_a_row[model] += 1
            if self._in_a_row[model] >= FAILURES_IN_A_ROW:
                self._stop(model_scope(lease.spec.cell.models[0][1]), error or error_kind)
        elif error_kind == "none":
            self._in_a_row[model] = 0
        self._order.ended(lease)
        self._serve()

    def suspended(self, lease: Lease) -> None:
        """The episode was stopped before its end; a later run goes on with it."""
        self._withheld += 1
        self._order.ended(lease)
        self._serve()

    def died(self, lease: Lease, reached: int) -> bool:
        """The lease's Simulator died. True: it is played again; False: it is to be given up.

        An episode that had got further since the last death is not what they die of.

        Args:
            reached: the episode's recorded replies.
        """
        deaths = 1 if reached > lease.reached else lease.deaths + 1
        again = replace(lease, deaths=deaths, reached=reached)
        if again.deaths >= MAX_DEATHS:
            return False
        self._order.put_back(again)
        self._withhold()
        self._serve()
        return True

    def returned(self, lease: Lease) -> None:
        """The lease's host was lost, for which the episode is not to blame: it is played again."""
        self._order.put_back(lease)
        self._withhold()
        self._serve()

    def drain(self) -> None:
        """Hands out nothing more."""
        self._draining = True
        self._serve()

    def expect(self, capacities: Mapping[str, Capacity]) -> None:
        """Key → what it can use, as far as is known by now."""
        self._order.expect(capacities)
        self._serve()

    def pay_for(self, left_usd: float, mean_usd: Mapping[str, float]) -> None:
        """What is left of the sweep's budget, and model → what an episode costs on average."""
        self._order.pay_for(left_usd, mean_usd)
        self._serve()

    def _serve(self) -> None:
        """Gives every taker an episode, or None once no more can come."""
        while self._takers:
            if self._takers[0].done():
                self._takers.popleft()
                continue
            lease = None if self._draining else self._order.next()
            if lease is None and self._order.under_way and not self._draining:
                return
            self._takers.popleft().set_result(lease)

    def _run_out(self, scope: str) -> None:
        if scope not in self._spent:
            self._spent.append(scope)
        self._stop(scope, BUDGET_SPENT)

    def _stop(self, scope: str, reason: str) -> None:
        if scope not in self._stopped:
            self._stopped[scope] = reason
            self._withhold()

    def _withhold(self) -> None:
        if self._stopped:
            self._withheld += self._order.withhold(self._is_stopped)

    def _is_stopped(self, lease: Lease) -> bool:
        cell = lease.spec.cell
        scopes = set(scopes_of_cell(cell)) & self._stopped.keys()
        if all(name in self._free for _, name in cell.models):
            scopes.discard(SWEEP_SCOPE)
        return bool(scopes)
