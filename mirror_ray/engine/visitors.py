"""The Gates that the Limiter serves: what each has waiting and under way, and when one is dead.

Knows reports and silence; does not know limits, budgets or whose turn it is.
"""

from collections import defaultdict
from collections.abc import Mapping

from mirror_ray.engine.budget import Budget
from mirror_ray.engine.slots import Ended, Report, Result, UnderWay, Wanted
from mirror_ray.engine.stakes import Stakes
from mirror_ray.engine.turnstile import Ticket, Turnstile, Visitor
from mirror_ray.errors import EngineError

SILENT_S = 1.0
"""A Gate with waiting calls reports many times a second; one silent for so long gets no slot."""

DEAD_S = 10.0
"""One with calls under way reports every second; one silent for so long is given up as dead."""

LATE_S = 5.0
"""A call may end a little later than it is allowed to."""

GRACE_S = 2.0
"""How long a new Limiter waits for the Gates to say what they have under way."""

BORNE_S = 10.0
"""The span over which the pace before is measured."""

UNUSED = Result(cost_usd=0.0, made=False)


class Visitors:
    """All Gates that were heard of.

    Args:
        turnstiles: key → where its calls wait.
        budget: where a cost goes that becomes known late.
        stakes: what calls may cost that Gates have yet to tell of.
        began_s: when the Limiter came up.
    """

    def __init__(
        self, turnstiles: Mapping[str, Turnstile], budget: Budget, stakes: Stakes, began_s: float
    ) -> None:
        self._turnstiles = turnstiles
        self._budget = budget
        self._stakes = stakes
        self._began_s = began_s
        self._gates: dict[str, Visitor] = {}
        self._orphans: dict[tuple[str, int], Ticket] = {}
        self._lost: dict[tuple[str, int], Ticket] = {}
        self._buried: set[str] = set()
        self._borne: defaultdict[str, float] = defaultdict(float)
        self._successor_s: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._gates)

    def hear(self, report: Report, now_s: float) -> Visitor | None:
        """Takes a report to heart; None where its Gate is not known and has to introduce itself.

        Raises:
            EngineError: it wants a key without limits.
        """
        gate = self._gates.get(report.gate_id)
        if report.introduces:
            gate = self._introduce(gate, report, now_s)
        elif gate is None:
            return None
        gate.seen_s, gate.silent = now_s, False
        for call_id in report.withdrawn:
            self._withdraw(gate, call_id, now_s)
        for ended in report.ended:
            self._end(gate, ended, now_s)
        for wanted in report.wanted:
            self._want(gate, wanted, now_s)
        self._unpark(gate)
        return gate

    def mind_the_silent(self, now_s: float) -> None:
        """Gives back, carefully, what Gates hold that are not heard of any more.

        Whoever waits there is forgotten, and slots that were not fetched are free. A call that was
        let go may run on without its Gate: it counts until it cannot last any longer, and is then
        presumed to have cost its worst case, until it is told of after all.
        """
        for gate in list(self._gates.values()):
            gate.silent = now_s - gate.seen_s > SILENT_S
            if now_s - gate.seen_s > DEAD_S:
                self._bury(gate, now_s)
        for name, ticket in list(self._orphans.items()):
            started = ticket.started
            if started is not None and now_s > started.at_s + ticket.call.lasts_at_most_s + LATE_S:
                self._lost[name] = self._orphans.pop(name)
                self._turnstile(ticket.call.key).abandon(ticket)
        if now_s - self._began_s > DEAD_S:
            self._stakes.presume()

    def _introduce(self, before: Visitor | None, report: Report, now_s: float) -> Visitor:
        gate = self._gates[report.gate_id] = Visitor(report.gate_id, now_s)
        is_new = before is None and report.gate_id not in self._buried
        held = {} if before is None else self._dissolve(before)
        told = {one.call_id for one in report.under_way} | {one.call_id for one in report.ended}
        for call_id, ticket in held.items():
            if call_id in told:
                self._take_over(gate, ticket)
            else:
                # The answer that granted it was lost.
                self._turnstile(ticket.call.key).end(ticket, now_s, UNUSED)
        for under_way in report.under_way:
            if under_way.call_id not in gate.tickets:
                self._readmit(gate, under_way, now_s)
        for ended in report.ended:
            is_orphan = (gate.gate_id, ended.call_id) in self._orphans
            # A cost that the ledger told of is not counted again.
            is_untold = is_new and not self._stakes.is_recorded(gate.gate_id, ended.call)
            if is_orphan or is_untold:
                self._readmit(gate, UnderWay(ended.call_id, ended.call, 0.0), now_s)
        for name in [*self._orphans, *self._lost]:
            if name[0] == gate.gate_id and name[1] not in told:
                self._never_began(name, now_s)
        if is_new:
            # What else it began has ended, and only its recording is under way.
            self._stakes.presume(gate.gate_id)
            self._succeed(report, now_s)
        return gate

    def _succeed(self, report: Report, now_s: float) -> None:
        """Another Limiter served this Gate before: what that one let go still counts."""
        borne: defaultdict[str, float] = defaultdict(float)
        for past in report.past:
            self._turnstile(past.key).lane.resume(now_s, past)
            borne[past.key] += past.calls * (past.ago_s <= BORNE_S) / BORNE_S
        for key in {one.call.key for one in report.under_way} | set(borne):
            self._borne[key] += borne[key]
            held_until_s = self._successor_s.setdefault(key, now_s) + GRACE_S
            self._turnstile(key).lane.hold_until(held_until_s, self._borne[key])

    def _readmit(self, gate: Visitor, one: UnderWay, now_s: float) -> None:
        """A call is under way that this Gate holds no ticket for any more."""
        name = (gate.gate_id, one.call_id)
        if name in self._orphans:
            self._take_over(gate, self._orphans.pop(name))
            return
        ticket = Ticket(gate, one.call_id, one.call, now_s)
        self._stakes.told(gate.gate_id, one.call)
        if self._lost.pop(name, None) is not None:
            self._budget.correct(one.call.worst_case_usd, 0.0, ticket.scopes)
        gate.tickets[one.call_id] = ticket
        self._turnstile(one.call.key).readmit(ticket, now_s - one.since_s)

    def _never_began(self, name: tuple[str, int], now_s: float) -> None:
        """A call was taken to be under way whose Gate has not heard of its slot."""
        if (orphan := self._orphans.pop(name, None)) is not None:
            self._turnstile(orphan.call.key).end(orphan, now_s, UNUSED)
        if (lost := self._lost.pop(name, None)) is not None:
            self._budget.correct(lost.call.worst_case_usd, 0.0, lost.scopes)

    def _want(self, gate: Visitor, wanted: Wanted, now_s: float) -> None:
        if wanted.call_id in gate.tickets:
            return
        ticket = Ticket(gate, wanted.call_id, wanted.call, now_s - wanted.waited_s)
        self._turnstile(wanted.call.key).push(ticket)
        gate.tickets[wanted.call_id] = ticket

    def _withdraw(self, gate: Visitor, call_id: int, now_s: float) -> None:
        ticket = gate.tickets.pop(call_id, None)
        if ticket is None:
            return
        turnstile = self._turnstile(ticket.call.key)
        turnstile.withdraw(ticket)
        if ticket in gate.granted:
            gate.granted.remove(ticket)
            turnstile.end(ticket, now_s, UNUSED)

    def _end(self, gate: Visitor, ended: Ended, now_s: float) -> None:
        """A second telling of the same end is ignored."""
        ticket = gate.tickets.get(ended.call_id)
        lost = self._lost.pop((gate.gate_id, ended.call_id), None)
        if ticket is not None and ticket.started is not None:
            del gate.tickets[ended.call_id]
            self._turnstile(ticket.call.key).end(ticket, now_s, ended.result)
        elif lost is not None and ended.result.cost_usd is not None:
            self._budget.correct(lost.call.worst_case_usd, ended.result.cost_usd, lost.scopes)

    def _unpark(self, gate: Visitor) -> None:
        parked, gate.parked = gate.parked, []
        for ticket in parked:
            if gate.tickets.get(ticket.call_id) is ticket:
                ticket.waits = True
                self._turnstile(ticket.call.key).push(ticket)

    def _bury(self, gate: Visitor, now_s: float) -> None:
        del self._gates[gate.gate_id]
        self._buried.add(gate.gate_id)
        unfetched = set(gate.granted)
        for call_id, ticket in self._dissolve(gate).items():
            if ticket in unfetched:
                self._turnstile(ticket.call.key).end(ticket, now_s, UNUSED)
            else:
                self._orphans[gate.gate_id, call_id] = ticket

    def _dissolve(self, gate: Visitor) -> dict[int, Ticket]:
        """Forgets what waits; returns what has a slot."""
        for ticket in gate.tickets.values():
            self._turnstile(ticket.call.key).withdraw(ticket)
        return {
            call_id: ticket
            for call_id, ticket in gate.tickets.items()
            if ticket.started is not None
        }

    def _take_over(self, gate: Visitor, ticket: Ticket) -> None:
        ticket.gate = gate
        gate.tickets[ticket.call_id] = ticket

    def _turnstile(self, key: str) -> Turnstile:
        if key not in self._turnstiles:
            raise EngineError(f"no limits are known for {key!r}; known: {sorted(self._turnstiles)}")
        return self._turnstiles[key]
