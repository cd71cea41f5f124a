"""Leases episodes to Simulators. Deaths of Simulators, and closed scopes (the sweep, a model, a
cell), limit which episodes may still be leased; `episode_order` chooses among them."""

import asyncio
from collections import Counter, deque
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import count

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.engine.driver.episode_order import EpisodeOrder
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE, cell_scope, model_scope, scopes_of_cell
from mirror_ray.engine.simulator.messages import Lease
from mirror_ray.sweep.in_flight import Capacity


class Takers:
    """Waiting places by Simulator, used on one event loop."""

    def __init__(self) -> None:
        self._waiting: dict[int, deque[tuple[int, asyncio.Future[Lease | None]]]] = {}
        self._numbers = count()

    def add(self, simulator: int) -> asyncio.Future[Lease | None]:
        """Add a waiting place of this Simulator; the future's result is the lease that it gets."""
        place: asyncio.Future[Lease | None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(simulator, deque()).append((next(self._numbers), place))
        return place

    @property
    def idle(self) -> list[int]:
        """Return the Simulators with a waiting place, the longest waiting first."""
        for places in self._waiting.values():
            while places and places[0][1].done():  # its caller has gone
                places.popleft()
        idle = [simulator for simulator, places in self._waiting.items() if places]
        return sorted(idle, key=lambda simulator: self._waiting[simulator][0][0])

    def give(self, simulator: int, lease: Lease | None) -> None:
        """Give an item to the place of this Simulator that has waited longest."""
        self._waiting[simulator].popleft()[1].set_result(lease)


MAX_DEATHS = 3
"""How many Simulators may die during an episode at the same request before the episode fails."""

EPISODE_FAILURES_IN_A_ROW, MOST_IN_A_ROW = 3, 30
"""So many rejected episodes of a model in a row, with no answer between, stop the model. The first
number applies once all episodes that were in flight at the first rejection have ended, the second
at once. A rejection is faster than an answer, so a few bad requests would otherwise stop the model
before its first answer."""

TURNED_AWAY: frozenset[str] = frozenset({"auth", "bad_request"})
"""Errors that every further episode of the model would meet too, until a person fixes the cause."""

BUDGET_SPENT = "its budget is spent"


class Leases:
    """The episodes to be played. A spent budget of the sweep does not stop the models in `free`."""

    def __init__(self, order: EpisodeOrder, free: Collection[str] = ()) -> None:
        self._order = order
        self._free = frozenset(free)
        self._takers = Takers()
        self._draining = False
        self._stopped: dict[str, str] = {}
        self._spent: list[str] = []
        self._in_a_row: Counter[str] = Counter()
        self._awaited: dict[str, set[str]] = {}
        self._under_way: dict[str, str] = {}
        self._paused = False
        self._for_good: set[str] = set()
        self._withheld: list[Lease] = []
        self._suspended = 0
        self._failed: list[tuple[Lease, str]] = []

    @property
    def unplayed(self) -> int:
        """Episodes that wait or were withheld; a later run plays them."""
        return self._order.waiting + len(self._withheld) + self._suspended

    @property
    def under_way(self) -> int:
        """Episodes that are leased and not returned yet."""
        return self._order.under_way

    @property
    def left(self) -> dict[str, tuple[int, int]]:
        """Return, for each key, how many episodes are waiting and how many are leased."""
        draining = self._draining
        return {
            key: (0 if draining else waiting, under_way)
            for key, (waiting, under_way) in self._order.left.items()
        }

    @property
    def is_draining(self) -> bool:
        """Whether the run was stopped, so that nothing more is leased."""
        return self._draining

    @property
    def stopped(self) -> dict[str, str]:
        """Why no more episodes of a scope are leased, by scope."""
        return dict(self._stopped)

    @property
    def spent(self) -> tuple[str, ...]:
        """Scopes whose budget ran out, in the order it was noticed."""
        return tuple(self._spent)

    async def take(self, simulator: int = 0) -> Lease | None:
        """Return the next episode for a Simulator; None once none is left or can come back."""
        taker = self._takers.add(simulator)
        self._serve()
        return await taker

    def done(
        self, lease: Lease, error_kind: str, error: str | None, closed_scope: str | None = None
    ) -> None:
        """End a lease, perhaps because a scope closed. Its model, its cell or the sweep may be
        stopped."""
        to_blame = _to_blame(lease)
        self._left(lease)
        if error_kind == "budget":
            self._run_out(closed_scope or SWEEP_SCOPE)
        elif closed_scope is not None:
            self._stop(closed_scope, error or error_kind)
        elif error_kind in TURNED_AWAY:
            if not self._in_a_row[to_blame]:
                self._awaited[to_blame] = {
                    episode for episode, scope in self._under_way.items() if scope == to_blame
                }
            self._in_a_row[to_blame] += 1
            n = MOST_IN_A_ROW if self._awaited[to_blame] else EPISODE_FAILURES_IN_A_ROW
            if self._in_a_row[to_blame] >= n:
                self._stop(to_blame, error or error_kind)
        elif error_kind in FINAL_KINDS:
            self._in_a_row[to_blame] = 0
        if error_kind not in (*FINAL_KINDS, "budget"):
            self._failed.append((lease, error_kind))
        self._order.ended(lease)
        self._serve()

    def suspended(self, lease: Lease) -> None:
        """Note that an episode was stopped before its end; a later run resumes it."""
        self._suspended += 1
        self._left(lease)
        self._order.ended(lease)
        self._serve()

    def died(self, lease: Lease, reached: int) -> bool:
        """Return whether the episode of a dead Simulator is played again, instead of given up.

        `reached` counts its recorded replies. An episode that progressed since the last death is
        not the cause."""
        deaths = 1 if reached > lease.reached else lease.deaths + 1
        again = replace(lease, deaths=deaths, reached=reached)
        if again.deaths >= MAX_DEATHS:
            return False
        self._left(lease)
        self._order.put_back(again)
        self._withhold()
        self._serve()
        return True

    def returned(self, lease: Lease) -> None:
        """Queue an episode again after its host was lost, which is not the episode's fault."""
        self._left(lease)
        self._order.put_back(lease)
        self._withhold()
        self._serve()

    def spend(self, scope: str) -> None:
        """Stop leasing episodes of a scope whose budget is spent."""
        self._run_out(scope)
        self._serve()

    def stop(self, scope: str, reason: str) -> None:
        """Stop leasing episodes of a scope until the run's end."""
        self._for_good.add(scope)
        self._stop(scope, reason)
        self._serve()

    def pause(self, *, paused: bool) -> None:
        """Lease no more episodes, if `paused`; those in flight continue."""
        self._paused = paused
        self._serve()

    def play_failed_again(self) -> list[tuple[str, str]]:
        """Queue again what failed, or was withheld, for reasons that may be fixed by now, except a
        spent budget or a server that ended for good. Return (model, error kind) of the failed
        ones."""
        spent = set(self._spent)
        self._stopped = {
            scope: why
            for scope, why in self._stopped.items()
            if scope in spent or scope in self._for_good
        }
        self._in_a_row.clear()
        failed = [one for one in self._failed if not self._is_stopped(one[0])]
        released = [lease for lease in self._withheld if not self._is_stopped(lease)]
        self._failed = [one for one in self._failed if self._is_stopped(one[0])]
        self._withheld = [lease for lease in self._withheld if self._is_stopped(lease)]
        for lease in (*(lease for lease, _ in failed), *released):
            self._order.play_again(replace(lease, deaths=0))
        self._serve()
        return [(lease.spec.cell.model, kind) for lease, kind in failed]

    def drain(self) -> None:
        """Stop leasing episodes."""
        self._draining = True
        self._serve()

    def expect(self, capacities: Mapping[str, Capacity]) -> None:
        """Set how many episodes each key can use, as far as known now."""
        self._order.expect(capacities)
        self._serve()

    def pay_for(self, left_usd: float, mean_usd: Mapping[str, float]) -> None:
        """Set the rest of the sweep's budget, and each model's mean cost per episode."""
        self._order.pay_for(left_usd, mean_usd)
        self._serve()

    def _serve(self) -> None:
        """Give every waiting place an episode, or None if no more can come."""
        while idle := self._takers.idle:
            may_begin = not (self._draining or self._paused)
            lease = self._order.next(idle) if may_begin else None
            more_may_come = self._order.under_way or self._order.held_back
            more_may_come = more_may_come or (self._paused and self._order.waiting)
            if lease is None and more_may_come and not self._draining:
                return
            to = idle[0] if lease is None else self._order.simulator_for(lease, idle)
            if lease is not None:
                self._under_way[lease.spec.episode_id] = _to_blame(lease)
            self._takers.give(to, lease)

    def _left(self, lease: Lease) -> None:
        episode = lease.spec.episode_id
        self._under_way.pop(episode, None)
        for awaited in self._awaited.values():
            awaited.discard(episode)

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


def _to_blame(lease: Lease) -> str:
    # If there are several models, it is unknown which one failed, so none is stopped elsewhere for
    # it.
    cell = lease.spec.cell
    return cell_scope(cell.cell_id) if cell.beside else model_scope(cell.model)
