"""The events of a run, for its log and for notifications."""

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from time import monotonic, time
from typing import Any

from mirror_ray.engine.driver.closing_lines import left_words
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.money import in_all_words, spent_words
from mirror_ray.engine.driver.notifier import Notifier
from mirror_ray.engine.driver.run_summary import EXIT_BUDGET, EXIT_INTERRUPTED, OUT_OF_BUDGET
from mirror_ray.engine.limiter.budget import name_of
from mirror_ray.engine.limiter.circuit_breaker import Unreachable
from mirror_ray.providers.credentials import names_of
from mirror_ray.records.live_counts import (
    LiveCounts,
    ModelCount,
    remove_live_counts,
    write_live_counts,
)
from mirror_ray.records.run_log import RunLog
from mirror_ray.sweep.notify import FAILURES_ABOVE
from mirror_ray.sweep.plan import Plan

PROGRESS_EVERY_S = 15.0
FEWEST_ENDED = 20
"""The fewest ended episodes for which a share of failures is meaningful."""

_MOST_MODELS = 30
"""The most models in a line of the log: those that play."""


class RunEvents:
    """The events of one run. All are logged, and those that `plan` names are also notified.
    Whenever the counters are logged, those of each model are written into the folder `counts_in`,
    if given."""

    def __init__(self, plan: Plan, log: RunLog, counts_in: Path | None = None) -> None:
        self._plan = plan
        self._log = log
        self._counts_in = counts_in
        self._notifier = Notifier(
            plan.sweep.notify,
            lambda why: log.note("notify", text=why),
            keys=names_of(plan.models.values(), os.environ),
        )
        self._unreachable: set[str] = set()
        self._spent: set[str] = set()
        self._said_failures = False
        self._next_s = 0.0
        self._run: dict[str, Any] = {}

    def started(self, about: Mapping[str, Any]) -> None:
        """Log the run's start. Later lines repeat process and host, because a log loses its first
        lines."""
        started_at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._run = {"started_at": started_at, "pid": about["pid"], "host": about["host"]}
        self._log.note("started", sweep=self._plan.sweep.name, **{**about, **self._run})

    def news(self, line: str) -> None:
        """Return a line that is shown at the terminal."""
        self._log.note("news", text=line)

    def observe(self, counters: RunCounters, spent: tuple[str, ...] = ()) -> None:
        """Log what is new, including scopes whose budget is `spent`. Cheap enough to be called
        often."""
        for scope in spent:
            if scope not in self._spent:
                self._spent.add(scope)
                self._happened("budget", f"out of budget: {name_of(scope, self._plan)}", counters)
        self._observe_models(counters)
        self._observe_failures(counters)
        if monotonic() >= self._next_s:
            self._next_s = monotonic() + PROGRESS_EVERY_S
            self._log.note("progress", **self._run, **progress_of(counters))
            if self._counts_in is not None:
                counts = live_counts_of(counters)
                write_live_counts(self._counts_in, self._run.get("started_at", ""), counts)

    def ended(self, counters: RunCounters, code: int, why: str = "") -> None:
        """Log an orderly end: its exit code, and the reason if an error caused it."""
        reasons = {EXIT_INTERRUPTED: "interrupted", EXIT_BUDGET: OUT_OF_BUDGET}
        left = counters.unplayed + counters.unpaid
        outcome = "stopped" if left or code in reasons or why else "finished"
        reason = why or reasons.get(code) or (left_words(counters) if left else "")
        self._log.note("progress", **self._run, **progress_of(counters))
        self._log.note("ended", **self._run, outcome=outcome, exit_code=code, why=reason)
        if self._counts_in is not None:
            remove_live_counts(self._counts_in)
        text = f"{outcome}{f' ({reason})' if reason else ''}: {_in_words(counters)}"
        self._notify(outcome, text, counters)
        self._notifier.close()

    def _observe_models(self, counters: RunCounters) -> None:
        for line in counters.lines:
            model, down = line.model, line.unreachable
            if down is not None and model not in self._unreachable:
                self._unreachable.add(model)
                text = f"{model} is unreachable ({down.error_kind}), {line.waiting:,} asks wait"
                self._happened("unreachable", text, counters, model=model)
            elif down is None and model in self._unreachable:
                self._unreachable.discard(model)
                self._log.note("reachable", model=model)

    def _observe_failures(self, counters: RunCounters) -> None:
        notify = self._plan.sweep.notify
        above = FAILURES_ABOVE if notify is None else notify.failures_above
        ended = counters.done + counters.failed
        if not self._said_failures and ended >= FEWEST_ENDED and counters.failed > above * ended:
            self._said_failures = True
            text = f"{counters.failed:,} of {ended:,} episodes ended with an error"
            self._happened("failures", text, counters)

    def _happened(self, event: str, text: str, counters: RunCounters, **more: Any) -> None:
        self._log.note(event, text=text, **more)
        self._notify(event, text, counters)

    def _notify(self, event: str, text: str, counters: RunCounters) -> None:
        sweep = self._plan.sweep
        about = {"sweep": sweep.name, "run_dir": sweep.out, **progress_of(counters)}
        self._notifier.send(event, f"mirror-ray {sweep.name}: {text}", about)


def _in_words(counters: RunCounters) -> str:
    unpaid = f", {counters.unpaid:,} unpaid" if counters.unpaid else ""
    settled = f", {counters.settled:,} settled" if counters.settled else ""
    return (
        f"{counters.done:,} of {counters.planned:,} episodes done,"
        f" {counters.failed:,} with an error{unpaid}{settled}, {counters.unplayed:,} to play;"
        f" {spent_words(counters.spent_usd, counters.unpriced)},"
        f" {in_all_words(counters.projected_usd, counters.unpriced)}"
    )


def progress_of(counters: RunCounters) -> dict[str, Any]:
    """Return the counters as plain data, for the log and for notifications."""
    replied_at, left = counters.replied_at, counters.left_s
    eta_s = None if left is None else left.expected
    lines = counters.lines
    playing = [one for one in lines if one.waiting or one.unreachable is not None]
    return {
        "planned": counters.planned,
        "done": counters.done,
        "failed": counters.failed,
        "unpaid": counters.unpaid,
        "unplayed": counters.unplayed,
        "settled": counters.settled,
        "calls": counters.calls,
        "spent_usd": counters.spent_usd,
        "n_unpriced": counters.unpriced,
        "projected_usd": counters.projected_usd,
        "elapsed_s": round(counters.elapsed_s, 1),
        "eta_s": None if eta_s is None or not isfinite(eta_s) else round(eta_s, 1),
        "last_reply_at": None if replied_at is None else _iso(replied_at),
        "stopping": counters.stopping,
        "paused": counters.paused,
        "models": {
            one.model: {
                "done": one.done,
                "waiting": one.waiting,
                "retried": sum(one.retried.values()),
                "errors": sum(one.errors.values()),
                **_unreachable(one.unreachable),
            }
            for one in playing[:_MOST_MODELS]
        },
    }


def live_counts_of(counters: RunCounters) -> LiveCounts:
    """Return each model's counters, for `status`."""
    return LiveCounts(
        {
            one.model: ModelCount(
                one.planned,
                one.done,
                one.failed,
                one.unpaid,
                one.costs.unpriced,
                one.costs.spent_usd,
                one.costs.reserved_usd,
                one.costs.ceiling_usd,
                one.costs.projected_usd,
            )
            for one in counters.lines
        },
        counters.costs.ceiling_usd,
        counters.costs.presumed_usd,
    )


def _unreachable(down: Unreachable | None) -> dict[str, Any]:
    if down is None:
        return {}
    return {"unreachable": down.error_kind, "since": _iso(time() - down.since_s)}


def _iso(unix_s: float) -> str:
    return datetime.fromtimestamp(unix_s, UTC).isoformat(timespec="seconds")
