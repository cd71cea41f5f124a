"""Changes that people make to a run in progress: checked, recorded, then applied.

Changed limits and budgets apply to later runs, until sweep or catalogue change; pauses do not."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from ray.exceptions import RayError

from mirror_ray.core.errors import SweepError
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.control.address import Address, make_address
from mirror_ray.engine.control.control_socket import listening
from mirror_ray.engine.control.requests import ControlRequest
from mirror_ray.engine.driver.work import Work
from mirror_ray.engine.limiter.budget import SWEEP_SCOPE
from mirror_ray.engine.limiter.live_settings import BUDGET, RATES, KeyChange, lasting_settings_of
from mirror_ray.providers.model import Limits
from mirror_ray.records.control_changes import (
    CHANGES_KEY,
    MOST_CHANGES,
    ControlChange,
    as_facts,
    changes_in,
    lasting,
    said_of,
)
from mirror_ray.records.rundir import RunDir
from mirror_ray.sweep.plan import Plan

TOLD_WITHIN_S = 5.0
TELL_EVERY_S = 0.7


@dataclass(slots=True)
class _Part:
    work: Work
    limiter: Actor
    stop: Callable[[], None]
    turn: asyncio.Lock


class LiveControl:
    """The changeable settings of a run, and who changed them. `before` is the manifest of earlier
    runs, whose limits and budget may still apply. Raise EngineError if no folder can have the
    socket."""

    def __init__(self, plan: Plan, run_dir: RunDir, before: Mapping[str, Any]) -> None:
        sweep = plan.sweep
        self._run_dir = run_dir
        self._planned_usd = sweep.budget_usd
        self._bound_usd = sweep.budget_usd if sweep.budget_usd_max is None else sweep.budget_usd_max
        self._key_of = {model.name: model.limits.key for model in plan.models.values()}
        self._limits: Mapping[str, Limits] = {
            model.limits.key: model.limits for model in plan.models.values()
        }
        self._changes: list[ControlChange] = []
        self._part: _Part | None = None
        lasts = lasting(changes_in(before), self._planned)
        self._live = lasting_settings_of(lasts, self._bound_usd)
        self.address: Address = make_address(run_dir.home)

    @property
    def notes(self) -> list[str]:
        """Readable lines on settings of an earlier run that still apply."""
        live, notes = self._live, []
        if live.budget_usd is not None:
            notes.append(
                f"Budget: ${live.budget_usd:,.2f}, as mirror-ray ctl has set it; a changed"
                " budget_usd of the sweep ends that."
            )
        for key, change in live.keys.items():
            notes.append(f"Limits of {key}: {change}, as mirror-ray ctl has set them.")
        return notes

    @asynccontextmanager
    async def taking(
        self, work: Work, limiter: Actor, stop: Callable[[], None]
    ) -> AsyncIterator[None]:
        """While the block plays `work`, accept requests for it; `stop` does what Ctrl-C does."""
        self._part = _Part(work, limiter, stop, asyncio.Lock())
        work.counters.paused = self._live.paused
        work.leases.pause(paused=self._live.paused)
        try:
            async with listening(self.address.path, self.answer):
                yield
        finally:
            self._part = None

    async def keep_telling(self, limiter: Actor) -> None:
        """Until cancelled, send the settings to the Limiter repeatedly, because it may restart."""
        while True:
            await self.tell(limiter)
            await asyncio.sleep(TELL_EVERY_S)

    async def tell(self, limiter: Actor) -> None:
        """Send the settings to the Limiter; if it is restarting, it gets them the next time."""
        with suppress(RayError, TimeoutError):
            await asyncio.wait_for(limiter.set_live.remote(self._live), TOLD_WITHIN_S)

    async def answer(self, request: ControlRequest, by: str) -> dict[str, Any]:
        """Apply a request and return the resulting state. Raise SweepError if it does not fit this
        run. Raise RunDirError, and change nothing, if it cannot be recorded."""
        part = self._part
        if part is None:
            raise _refused(request.command, "a run between two of its parts", "ask again")
        # One at a time: each change is recorded before it applies, and before the next is read.
        async with part.turn:
            if request.command != "state":
                changes = self._noted(request, part, by)
                self._record(changes)
                self._do(request, changes, part)
                await self.tell(part.limiter)
        return self._state(part)

    def _noted(self, request: ControlRequest, part: _Part, by: str) -> list[ControlChange]:
        now = ControlChange(
            datetime.now(UTC).isoformat(timespec="milliseconds"), request.command, by=by
        )
        if request.command == "limits":
            return self._new_limits(request, now)
        if request.command == "budget":
            return [self._new_budget(request, part, now)]
        if request.command == "requeue" and not (
            part.work.leases.unplayed or part.work.leases.under_way
        ):
            raise _refused("requeue", "a run that ends", "run the same command again")
        return [now]

    def _new_limits(self, request: ControlRequest, now: ControlChange) -> list[ControlChange]:
        key = self._key_of.get(request.model)
        if key is None:
            names = sorted(self._key_of)
            raise SweepError(
                "ctl: limits: model",
                repr(request.model),
                f"one of this run's: {', '.join(names)}",
                did_you_mean(request.model, names) or "correct the name",
            )
        planned = self._limits[key]
        held = self._live.keys.get(key, KeyChange()).over(planned)
        return [
            replace(
                now,
                subject=key,
                setting=name,
                value=getattr(request.change, name),
                before=getattr(held, name),
                planned=getattr(planned, name),
            )
            for name in RATES
            if getattr(request.change, name) is not None
        ]

    def _new_budget(
        self, request: ControlRequest, part: _Part, now: ControlChange
    ) -> ControlChange:
        held = self._budget_usd
        if SWEEP_SCOPE in part.work.leases.spent:
            raise _refused(
                "budget",
                "a budget that is spent: no new episodes will start",
                "raise budget_usd and run the same command once the run has ended",
            )
        if request.is_relative and held is None:
            raise _refused("budget", "a sweep without budget_usd", "give the whole: budget USD")
        usd = round(request.usd + (held or 0.0) * request.is_relative, 6)
        planned_usd, most_usd = self._planned_usd, self._bound_usd
        if usd < 0.0 or (most_usd is not None and usd > most_usd):
            raise SweepError(
                "ctl: budget",
                f"${usd:,.2f} in all",
                f"$0 to ${most_usd:,.2f}" if most_usd is not None else "$0 or more",
                "only the sweep file allows more, beforehand: control.budget_usd_max",
            )
        return replace(now, setting=BUDGET, value=usd, before=held, planned=planned_usd)

    def _record(self, changes: Sequence[ControlChange]) -> None:
        if len(self._changes) + len(changes) > MOST_CHANGES:
            if all(one.command == "stop" for one in changes):
                # A run can always be stopped, and its log records that, too.
                return
            fix = "stop the run, then run the same command again"
            raise _refused("changes", f"more than {MOST_CHANGES:,} in one run", fix)
        self._run_dir.note(CHANGES_KEY, as_facts([*self._changes, *changes]))
        self._changes += changes

    def _do(self, request: ControlRequest, changes: Sequence[ControlChange], part: _Part) -> None:
        work, live = part.work, self._live
        if request.command in ("pause", "resume"):
            self._live = replace(live, paused=request.command == "pause")
            work.counters.paused = self._live.paused
            work.leases.pause(paused=self._live.paused)
        elif request.command == "budget":
            self._live = replace(live, budget_usd=changes[-1].value)
        elif request.command == "limits":
            key = self._key_of[request.model]
            figures: dict[str, Any] = {one.setting: one.value for one in changes}
            change = replace(live.keys.get(key, KeyChange()), **figures)
            self._live = replace(live, keys={**live.keys, key: change})
        elif request.command == "requeue":
            again = work.leases.play_failed_again()
            for model, kind in again:
                work.counters.played_again(model, kind)
            self._live = replace(live, retries=live.retries + 1)
        work.counters.say(f"{changes[-1].by}: {said_of(changes)}")
        if request.command == "stop":
            part.stop()

    @property
    def _budget_usd(self) -> float | None:
        return self._planned_usd if self._live.budget_usd is None else self._live.budget_usd

    @property
    def budget_usd(self) -> float | None:
        """The sweep's ceiling if it was changed during the run; None if the sweep file's
        applies."""
        return self._live.budget_usd

    @property
    def _planned(self) -> dict[tuple[str, str], float | None]:
        return {("", BUDGET): self._planned_usd} | {
            (key, name): getattr(limits, name)
            for key, limits in self._limits.items()
            for name in RATES
        }

    def _state(self, part: _Part) -> dict[str, Any]:
        counters, leases = part.work.counters, part.work.leases
        return {
            "run_dir": part.work.plan.sweep.out,
            "pid": self.address.pid,
            "paused": self._live.paused,
            "stopping": counters.stopping,
            "budget_usd": self._budget_usd,
            "budget_usd_max": self._bound_usd,
            "spent_usd": counters.spent_usd,
            "done": counters.done,
            "failed": counters.failed,
            "waiting": leases.unplayed,
            "under_way": leases.under_way,
            "limits": {key: asdict(change) for key, change in self._live.keys.items()},
        }


def _refused(what: str, got: str, fix: str) -> SweepError:
    return SweepError(f"ctl: {what}", got, "a run that plays and can still do it", fix)
