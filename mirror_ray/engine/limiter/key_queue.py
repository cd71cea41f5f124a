"""One rate-limited key: its waiting calls, and which is sent next.

The key's limits, a circuit breaker or a budget may delay calls. All times are on one steady clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from mirror_ray.engine.limiter.budget import Budget, budget_spent, model_scope, scopes_of, too_dear
from mirror_ray.engine.limiter.circuit_breaker import DOWN, CircuitBreaker
from mirror_ray.engine.limiter.fair_queue import FairQueue
from mirror_ray.engine.limiter.key_limits import KeyLimits, Started
from mirror_ray.engine.limiter.messages import CallResult, Denied, LimiterCall
from mirror_ray.engine.limiter.token_ratio import TokenRatio
from mirror_ray.engine.limiter.worst_cases import WorstCases
from mirror_ray.providers.model import Limits


@dataclass(eq=False, slots=True)
class QueuedCall:
    """A client's call, from its request to its end. `since_s` is when it began to wait."""

    session: "ClientSession"
    call_id: int
    call: LimiterCall
    since_s: float
    waits: bool = True
    grant_id: int = 0
    started: Started | None = None

    @property
    def scopes(self) -> tuple[str, str, str]:
        """The budget scopes that pay for it."""
        return scopes_of(self.call.model, self.call.cell_id)


@dataclass(eq=False, slots=True)
class ClientSession:
    """A client's session.

    Args:
        calls: those that wait or are in flight.
        granted, denied: results not yet sent to the client.
        parked: calls whose turn came while the client was silent.
    """

    client_id: str
    seen_s: float
    silent: bool = False
    calls: dict[int, QueuedCall] = field(default_factory=dict)
    granted: list[QueuedCall] = field(default_factory=list)
    denied: list[tuple[int, Denied]] = field(default_factory=list)
    parked: list[QueuedCall] = field(default_factory=list)


class KeyScheduler:
    """The queue of a key, and its limits.

    Args:
        budget: pays for the calls; shared by all keys.
        breakers, ratios: by model, shared by the keys of a model.
        worst_cases: the amounts to reserve; shared by all keys.
        weights: cell → relative share of the turns; 1 if absent.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        budget: Budget,
        breakers: Mapping[str, CircuitBreaker],
        ratios: Mapping[str, TokenRatio],
        worst_cases: WorstCases,
        weights: Mapping[str, float],
        grant_ids: "count[int]",
    ) -> None:
        self.key_limits = KeyLimits(limits)
        self._budget = budget
        self._breakers = breakers
        self._ratios = ratios
        self._worst_cases = worst_cases
        self._weights = weights
        self._grant_ids = grant_ids
        self._queue: FairQueue[QueuedCall] = FairQueue()
        self._hurried = False
        self.waiting = 0

    @property
    def tight(self) -> bool:
        """Whether any call waits for another one to end."""
        return self.waiting > 0 and self.key_limits.full

    def push(self, queued: QueuedCall) -> None:
        """Add a waiting call."""
        self.waiting += 1
        self._queue.push((queued.call.model, queued.call.cell_id), queued.since_s, queued)

    def withdraw(self, queued: QueuedCall) -> None:
        """Withdraw a waiting call; its place in the queue is skipped when it comes up."""
        self.waiting -= queued.waits
        queued.waits = False

    def plan(self, now_s: float, unix_s: float, until_s: float) -> None:
        """Grant every slot up to `until_s`."""
        self.key_limits.grow(now_s, wanted=self._hurried)
        self._hurried = False
        short: set[str] = set()
        while (queued := self._queue.head()) is not None:
            if not queued.waits:
                self._queue.drop()
            elif queued.session.silent:
                queued.session.parked.append(queued)
                self.withdraw(queued)
                self._queue.drop()
            elif self._may_go(queued, now_s, short):
                tokens = self._ratios[queued.call.model].tokens(queued.call.tokens)
                at_s = self.key_limits.next_s(now_s, unix_s, tokens)
                if at_s > until_s:
                    self._hurried = not self.key_limits.is_due(until_s)
                    break
                self._queue.serve(self._weights.get(queued.call.cell_id, 1.0))
                worst_usd = self._worst_cases.usd(queued.call)
                queued.call = replace(queued.call, worst_case_usd=worst_usd)
                self._grant(queued, self.key_limits.start(at_s, unix_s + at_s - now_s, tokens))
                self._breakers[queued.call.model].sent()
                queued.session.granted.append(queued)
        self._queue.restore()

    def readmit(self, queued: QueuedCall, at_s: float) -> None:
        """Re-admit a call in flight, which does not count as a circuit breaker's probe."""
        tokens = self._ratios[queued.call.model].tokens(queued.call.tokens)
        self.waiting += 1
        self._grant(queued, self.key_limits.readmit(at_s, tokens))

    def end(self, queued: QueuedCall, now_s: float, result: CallResult) -> None:
        """Count the end of a call that had a slot."""
        call, started = queued.call, _started(queued)
        ratio = self._ratios[call.model]
        result = replace(result, tokens=ratio.believable(call.tokens, result.tokens))
        self.key_limits.end(now_s, started, result)
        self._budget.settle(queued.grant_id, result.cost_usd if result.made else 0.0)
        answered = result.made and result.error_kind == "none"
        self._worst_cases.ended(call, queued.grant_id, answered=answered)
        if not result.made:
            self._breakers[call.model].lost(started.at_s)
            return
        self._breakers[call.model].ended(now_s, started.at_s, result.error_kind, result.words)
        if result.error_kind == "none" and result.tokens is not None and call.tokens:
            ratio.billed(call.tokens, result.tokens)

    def note_cost(self, call: LimiterCall, result: CallResult) -> None:
        """Take over a call's cost, which may change the worst cases of its model's other calls."""
        if self._worst_cases.cost(call, result.cost_usd) and result.cost_usd is not None:
            self._budget.raise_to(result.cost_usd, model_scope(call.model))

    def abandon(self, queued: QueuedCall) -> None:
        """Count a call's worst case, because its end will never be reported."""
        self.key_limits.abandon()
        self._budget.settle(queued.grant_id, None)
        self._worst_cases.ended(queued.call, queued.grant_id, answered=False)
        self._breakers[queued.call.model].lost(_started(queued).at_s)

    def _may_go(self, queued: QueuedCall, now_s: float, short: set[str]) -> bool:
        """Return whether only the key's limits delay the head; otherwise set it aside or deny
        it."""
        bar = self._breakers[queued.call.model].bars(now_s)
        if bar is not None and bar.waits:
            self._queue.set_aside()
            return False
        if bar is not None:
            # A wrong key may be fixed for some of a model's calls; a server that is down fails all.
            for_all = bar.error_kind in DOWN or bar.error_kind == "rate_limit"
            scope = model_scope(queued.call.model) if for_all else None
            self._deny(queued, Denied(bar.error_kind, bar.reason, closed_scope=scope))
            return False
        budgets = self._budget.limited(queued.scopes)
        if budgets and self._worst_cases.waits_for_first_cost(queued.call, budgets):
            self._queue.set_aside()
            return False
        verdict = self._budget.verdict(self._worst_cases.usd(queued.call), queued.scopes)
        if verdict.answer == "never" and verdict.scope is not None:
            self._deny(queued, self._unpaid(queued, verdict.scope))
            return False
        if verdict.scope is not None:
            # A call that waits for a budget is not overtaken by smaller calls on the same budget.
            short.add(verdict.scope)
        if not short.isdisjoint(queued.scopes):
            self._queue.set_aside()
            return False
        return True

    def _unpaid(self, queued: QueuedCall, scope: str) -> Denied:
        call, usd = queued.call, self._worst_cases.usd(queued.call)
        by_price = self._budget.verdict(call.worst_case_usd, queued.scopes)
        if usd is None or by_price.answer == "never":
            return Denied("budget", budget_spent(scope), closed_scope=scope)
        why = too_dear(call.model, usd, scope)
        return Denied("budget", why, closed_scope=model_scope(call.model))

    def _grant(self, queued: QueuedCall, started: Started) -> None:
        self.withdraw(queued)
        queued.started = started
        queued.grant_id = next(self._grant_ids)
        worst_usd = self._worst_cases.usd(queued.call)
        self._worst_cases.sent(queued.call, queued.grant_id, queued.scopes)
        self._budget.reserve(queued.grant_id, worst_usd, queued.scopes)

    def _deny(self, queued: QueuedCall, why: Denied) -> None:
        self._queue.drop()
        self.withdraw(queued)
        del queued.session.calls[queued.call_id]
        queued.session.denied.append((queued.call_id, why))


def _started(queued: QueuedCall) -> Started:
    if queued.started is None:
        raise ValueError("a call without a slot cannot end")
    return queued.started
