"""The clients of the Limiter: what each has waiting and in flight, and when it has expired."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from mirror_ray.engine.limiter.budget import Budget
from mirror_ray.engine.limiter.inherited_calls import InheritedCalls
from mirror_ray.engine.limiter.key_queue import ClientSession, KeyScheduler, QueuedCall
from mirror_ray.engine.limiter.messages import UNUSED, ClientReport, Denied, EndedCall, ReportedCall

SILENT_S = 1.0
"""A client with waiting calls reports many times a second; if silent for this long, it gets no
slot."""

EXPIRED_S = 10.0
"""A client with calls in flight reports every second; if silent for this long, it has expired."""

LATE_S = 5.0
"""Tolerance: a call may end a little later than allowed."""

_GRACE_S = 2.0
"""How long a new Limiter waits for clients to report what they have in flight."""

SUSTAINED_S = 10.0
"""The span over which the earlier pace is measured."""


class ClientSessions:
    """The sessions of all clients that have registered.

    Args:
        budget: settles a cost that becomes known late.
        inherited: calls that clients have yet to report, with what they may cost.
    """

    def __init__(
        self,
        schedulers: Mapping[str, KeyScheduler],
        budget: Budget,
        inherited: InheritedCalls,
        began_s: float,
    ) -> None:
        self._schedulers = schedulers
        self._budget = budget
        self._inherited = inherited
        self._began_s = began_s
        self._sessions: dict[str, ClientSession] = {}
        self._orphans: dict[tuple[str, int], QueuedCall] = {}
        self._lost: dict[tuple[str, int], QueuedCall] = {}
        self._expired: set[str] = set()
        self._sustained: defaultdict[str, float] = defaultdict(float)
        self._successor_s: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def apply_report(self, report: ClientReport, now_s: float) -> ClientSession | None:
        """Apply a client's report; return None if it has no session and has to register.

        A call of a key without limits is denied; nothing else of its report is affected."""
        report = self._of_known_keys(report)
        session = self._sessions.get(report.client_id)
        if report.registers:
            session = self._register(session, report, now_s)
        elif session is None:
            return None
        session.seen_s, session.silent = now_s, False
        for call_id in report.withdrawn:
            self._withdraw(session, call_id, now_s)
        for ended in report.ended:
            self._end(session, ended, now_s)
        for wanted in report.wanted:
            self._enqueue(session, wanted, now_s)
        self._requeue(session)
        return session

    def expire_silent(self, now_s: float) -> None:
        """Expire silent clients: their waiting calls and unfetched slots are dropped.

        A call that was sent may continue without its client. It counts until it must have ended,
        and is then presumed to have cost its worst case, unless its end is still reported."""
        for session in list(self._sessions.values()):
            session.silent = now_s - session.seen_s > SILENT_S
            if now_s - session.seen_s > EXPIRED_S:
                self._expire(session, now_s)
        for name, queued in list(self._orphans.items()):
            started = queued.started
            if started is not None and now_s > started.at_s + queued.call.lasts_at_most_s + LATE_S:
                self._lost[name] = self._orphans.pop(name)
                self._schedulers[queued.call.key].abandon(queued)
        if now_s - self._began_s > EXPIRED_S:
            self._inherited.charge_in_full()

    def _register(
        self, before: ClientSession | None, report: ClientReport, now_s: float
    ) -> ClientSession:
        session = self._sessions[report.client_id] = ClientSession(report.client_id, now_s)
        is_new = before is None and report.client_id not in self._expired
        held = {} if before is None else self._drop(before)
        reported = {one.call_id for one in report.in_flight} | {one.call_id for one in report.ended}
        for call_id, queued in held.items():
            if call_id in reported:
                self._adopt(session, queued)
            else:
                # The answer that granted the slot was lost.
                self._schedulers[queued.call.key].end(queued, now_s, UNUSED)
        for in_flight in report.in_flight:
            if in_flight.call_id not in session.calls:
                self._readmit(session, in_flight, now_s)
        for ended in report.ended:
            is_orphan = (session.client_id, ended.call_id) in self._orphans
            # A cost that is in the ledger is not counted again.
            is_unreported = is_new and not self._inherited.is_recorded(
                session.client_id, ended.call
            )
            if is_orphan or is_unreported:
                self._readmit(session, ReportedCall(ended.call_id, ended.call, 0.0), now_s)
        for name in [*self._orphans, *self._lost]:
            if name[0] == session.client_id and name[1] not in reported:
                self._release_unstarted(name, now_s)
        if is_new:
            # The client's other calls have ended, and only their recording is in flight.
            self._inherited.charge_in_full(session.client_id)
            self._inherit(report, now_s)
        return session

    def _inherit(self, report: ClientReport, now_s: float) -> None:
        """Take over the calls that another Limiter granted to this client, because they still
        count."""
        sustained: defaultdict[str, float] = defaultdict(float)
        for recent in report.recent:
            self._schedulers[recent.key].key_limits.resume(now_s, recent)
            sustained[recent.key] += recent.calls * (recent.ago_s <= SUSTAINED_S) / SUSTAINED_S
        for key in {one.call.key for one in report.in_flight} | set(sustained):
            self._sustained[key] += sustained[key]
            held_until_s = self._successor_s.setdefault(key, now_s) + _GRACE_S
            self._schedulers[key].key_limits.hold_until(held_until_s, self._sustained[key])

    def _readmit(self, session: ClientSession, one: ReportedCall, now_s: float) -> None:
        name = (session.client_id, one.call_id)
        if name in self._orphans:
            self._adopt(session, self._orphans.pop(name))
            return
        queued = QueuedCall(session, one.call_id, one.call, now_s)
        self._inherited.reported(session.client_id, one.call)
        self._inherited.asked_again(one.call)
        if self._lost.pop(name, None) is not None:
            self._budget.correct(one.call.worst_case_usd, 0.0, queued.scopes)
        session.calls[one.call_id] = queued
        self._schedulers[one.call.key].readmit(queued, now_s - one.for_s)

    def _release_unstarted(self, name: tuple[str, int], now_s: float) -> None:
        if (orphan := self._orphans.pop(name, None)) is not None:
            self._schedulers[orphan.call.key].end(orphan, now_s, UNUSED)
        if (lost := self._lost.pop(name, None)) is not None:
            self._budget.correct(lost.call.worst_case_usd, 0.0, lost.scopes)

    def _enqueue(self, session: ClientSession, wanted: ReportedCall, now_s: float) -> None:
        if wanted.call_id in session.calls:
            return
        if (key := wanted.call.key) not in self._schedulers:
            reason = f"no limits are known for {key!r}; known: {sorted(self._schedulers)}"
            session.denied.append((wanted.call_id, Denied("internal", reason)))
            return
        self._inherited.asked_again(wanted.call)
        queued = QueuedCall(session, wanted.call_id, wanted.call, now_s - wanted.for_s)
        self._schedulers[wanted.call.key].push(queued)
        session.calls[wanted.call_id] = queued

    def _withdraw(self, session: ClientSession, call_id: int, now_s: float) -> None:
        queued = session.calls.pop(call_id, None)
        if queued is None:
            return
        scheduler = self._schedulers[queued.call.key]
        scheduler.withdraw(queued)
        if queued in session.granted:
            session.granted.remove(queued)
            scheduler.end(queued, now_s, UNUSED)

    def _end(self, session: ClientSession, ended: EndedCall, now_s: float) -> None:
        self._schedulers[ended.call.key].note_cost(ended.call, ended.result)
        queued = session.calls.get(ended.call_id)
        lost = self._lost.pop((session.client_id, ended.call_id), None)
        if queued is not None and queued.started is not None:
            del session.calls[ended.call_id]
            self._schedulers[queued.call.key].end(queued, now_s, ended.result)
        elif lost is not None and ended.result.cost_usd is not None:
            self._budget.correct(lost.call.worst_case_usd, ended.result.cost_usd, lost.scopes)

    def _requeue(self, session: ClientSession) -> None:
        parked, session.parked = session.parked, []
        for queued in parked:
            if session.calls.get(queued.call_id) is queued:
                queued.waits = True
                self._schedulers[queued.call.key].push(queued)

    def _expire(self, session: ClientSession, now_s: float) -> None:
        del self._sessions[session.client_id]
        self._expired.add(session.client_id)
        unfetched = set(session.granted)
        for call_id, queued in self._drop(session).items():
            if queued in unfetched:
                self._schedulers[queued.call.key].end(queued, now_s, UNUSED)
            else:
                self._orphans[session.client_id, call_id] = queued

    def _drop(self, session: ClientSession) -> dict[int, QueuedCall]:
        for queued in session.calls.values():
            self._schedulers[queued.call.key].withdraw(queued)
        return {
            call_id: queued
            for call_id, queued in session.calls.items()
            if queued.started is not None
        }

    def _adopt(self, session: ClientSession, queued: QueuedCall) -> None:
        queued.session = session
        session.calls[queued.call_id] = queued

    def _of_known_keys(self, report: ClientReport) -> ClientReport:
        known = self._schedulers
        return replace(
            report,
            ended=tuple(one for one in report.ended if one.call.key in known),
            in_flight=tuple(one for one in report.in_flight if one.call.key in known),
            recent=tuple(recent for recent in report.recent if recent.key in known),
        )
