"""One rate-limited key: who waits for it, and who goes next.

Knows the order of tickets and all that may keep one back: the lane, the model's breaker, a budget.
Does not know how Gates are spoken to. Times are on one steady clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from mirror_ray.engine.breaker import Breaker
from mirror_ray.engine.budget import Budget, budget_spent, scopes_of
from mirror_ray.engine.fair_queue import FairQueue
from mirror_ray.engine.lane import Lane, Started
from mirror_ray.engine.slots import Call, Denied, Result
from mirror_ray.engine.token_ratio import TokenRatio
from mirror_ray.providers.model import Limits


@dataclass(eq=False, slots=True)
class Ticket:
    """A call of some Gate, from its wish to its end.

    Args:
        gate: whose call it is.
        since_s: when it began to wait.
        waits: whether it is still in the queue's care.
    """

    gate: "Visitor"
    call_id: int
    call: Call
    since_s: float
    waits: bool = True
    grant_id: int = 0
    started: Started | None = None

    @property
    def scopes(self) -> tuple[str, str, str]:
        """Whose budgets pay for it."""
        return scopes_of(self.call.model, self.call.cell_id)


@dataclass(eq=False, slots=True)
class Visitor:
    """What the Limiter knows of a Gate.

    Args:
        tickets: its calls that wait or are under way.
        granted, denied: what it has not been told yet.
        parked: its calls that came up while it was silent.
    """

    gate_id: str
    seen_s: float
    silent: bool = False
    tickets: dict[int, Ticket] = field(default_factory=dict)
    granted: list[Ticket] = field(default_factory=list)
    denied: list[tuple[int, Denied]] = field(default_factory=list)
    parked: list[Ticket] = field(default_factory=list)


class Turnstile:
    """The queue before a key, and its lane.

    Args:
        budget: who pays; shared by all keys.
        breakers, ratios: by model, shared where a model's calls go by several keys.
        weights: cell → share of the turns relative to others; 1 where it is not named.
        grant_ids: where grants get their numbers from.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        budget: Budget,
        breakers: Mapping[str, Breaker],
        ratios: Mapping[str, TokenRatio],
        weights: Mapping[str, float],
        grant_ids: "count[int]",
    ) -> None:
        self.lane = Lane(limits)
        self._budget = budget
        self._breakers = breakers
        self._ratios = ratios
        self._weights = weights
        self._grant_ids = grant_ids
        self._queue: FairQueue[Ticket] = FairQueue()
        self._hurried = False
        self.waiting = 0

    @property
    def tight(self) -> bool:
        """Whether somebody waits for another's call to end."""
        return self.waiting > 0 and self.lane.full

    def push(self, ticket: Ticket) -> None:
        """A call waits."""
        self.waiting += 1
        self._queue.push((ticket.call.model, ticket.call.cell_id), ticket.since_s, ticket)

    def withdraw(self, ticket: Ticket) -> None:
        """A waiting call waits no more; its place in the queue is skipped when it comes up."""
        self.waiting -= ticket.waits
        ticket.waits = False

    def plan(self, now_s: float, unix_s: float, until_s: float) -> None:
        """Hands out every slot up to `until_s`."""
        self.lane.grow(now_s, wanted=self._hurried)
        self._hurried = False
        short: set[str] = set()
        while (ticket := self._queue.head()) is not None:
            if not ticket.waits:
                self._queue.drop()
            elif ticket.gate.silent:
                ticket.gate.parked.append(ticket)
                self.withdraw(ticket)
                self._queue.drop()
            elif self._may_go(ticket, now_s, short):
                tokens = self._ratios[ticket.call.model].tokens(ticket.call.tokens)
                at_s = self.lane.next_s(now_s, unix_s, tokens)
                if at_s > until_s:
                    self._hurried = not self.lane.is_due(until_s)
                    break
                self._queue.serve(self._weights.get(ticket.call.cell_id, 1.0))
                self._grant(ticket, self.lane.start(at_s, unix_s + at_s - now_s, tokens))
                self._breakers[ticket.call.model].let_go()
                ticket.gate.granted.append(ticket)
        self._queue.restore()

    def readmit(self, ticket: Ticket, at_s: float) -> None:
        """A call goes on that was let go before: it is no probe of a model that is down."""
        tokens = self._ratios[ticket.call.model].tokens(ticket.call.tokens)
        self.waiting += 1
        self._grant(ticket, self.lane.readmit(at_s, tokens))

    def end(self, ticket: Ticket, now_s: float, result: Result) -> None:
        """A call that had a slot has ended."""
        call, started = ticket.call, _started(ticket)
        self.lane.end(now_s, started, result)
        self._budget.settle(ticket.grant_id, result.cost_usd if result.made else 0.0)
        if not result.made:
            self._breakers[call.model].lost(started.at_s)
            return
        self._breakers[call.model].ended(now_s, started.at_s, result.error_kind)
        if result.error_kind == "none" and result.tokens is not None and call.tokens:
            self._ratios[call.model].billed(call.tokens, result.tokens)

    def abandon(self, ticket: Ticket) -> None:
        """Nobody will say how a call ended: its worst case counts."""
        self.lane.abandon()
        self._budget.settle(ticket.grant_id, None)
        self._breakers[ticket.call.model].lost(_started(ticket).at_s)

    def _may_go(self, ticket: Ticket, now_s: float, short: set[str]) -> bool:
        """Whether nothing but the lane keeps the head back; else it is set aside or denied."""
        bar = self._breakers[ticket.call.model].bars(now_s)
        if bar is not None and bar.waits:
            self._queue.set_aside()
            return False
        if bar is not None:
            self._deny(ticket, Denied(bar.error_kind, bar.reason))
            return False
        verdict = self._budget.verdict(ticket.call.worst_case_usd, ticket.scopes)
        if verdict.answer == "never" and verdict.scope is not None:
            scope = verdict.scope
            self._deny(ticket, Denied("budget", budget_spent(scope), spent_scope=scope))
            return False
        if verdict.scope is not None:
            # Who waits for a purse is not overtaken by smaller calls that it pays for too.
            short.add(verdict.scope)
        if not short.isdisjoint(ticket.scopes):
            self._queue.set_aside()
            return False
        return True

    def _grant(self, ticket: Ticket, started: Started) -> None:
        self.withdraw(ticket)
        ticket.started = started
        ticket.grant_id = next(self._grant_ids)
        self._budget.reserve(ticket.grant_id, ticket.call.worst_case_usd, ticket.scopes)

    def _deny(self, ticket: Ticket, why: Denied) -> None:
        self._queue.drop()
        self.withdraw(ticket)
        del ticket.gate.tickets[ticket.call_id]
        ticket.gate.denied.append((ticket.call_id, why))


def _started(ticket: Ticket) -> Started:
    if ticket.started is None:
        raise ValueError("a call without a slot cannot end")
    return ticket.started
