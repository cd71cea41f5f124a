"""The state of a run in progress: rates, money, retries, and the episodes that ended last.

Everything comes from the run's files (`live_journal`, `live_shards`). They are read at most five
times a second for any number of viewers, and not at all without viewers."""

import sqlite3
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock, Thread
from time import monotonic
from time import time as now_s
from typing import Any

from mirror_ray.analysis.reading import Reading
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.core.untrusted import bounded_float, one_printable_line
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_state import RunState, run_state
from mirror_ray.stopping.rounds import settled_of
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.viewer.listed import OUTCOME
from mirror_ray.viewer.live_journal import JournalRead
from mirror_ray.viewer.live_models import LiveModel, models_now
from mirror_ray.viewer.live_shards import NONE_ENDED, ShardsRead
from mirror_ray.viewer.live_verdicts import NO_VERDICT, LiveVerdicts

_LEAST_GAP_S = 0.2
_IDLE_SHARE = 2
"""After a read, the reader pauses for this multiple of the read's duration."""
_WINDOW_S = 60.0
_ASKS_AFTER_S, _EPISODES_AFTER_S = 1.0, 20.0
"""How long a run is watched before rates are shown; episodes end less often than requests."""
_PLAN_AGAIN_S = 10.0
_LATEST = 20

_LATEST_TAKES = """
create or replace temp view latest as
select * from (from ended union all by name from unsealed)
qualify row_number() over (partition by episode_id order by take desc) = 1
"""
_ENDED_LAST = """
select latest.*, {} as outcome, unsealed.episode_id is null as is_sealed
from latest
left join (select distinct episode_id, take from unsealed) as unsealed using (episode_id, take)
order by finished_at desc, latest.episode_id limit $n
"""


@dataclass(frozen=True, slots=True)
class LiveState:
    """A run at one moment.

    Args:
        models: in the order of the plan.
        n_waiting: requests in flight that may cost something.
        asks_per_s, episodes_per_min: over the last minute; None before that.
        left_s: expected seconds until the end, at that rate.
        latest: rows of the episodes that ended last, newest first, with their `verdict` (None while
            it is being computed) and leading `score`.
        note: why something is missing.
    """

    status: RunState
    models: tuple[LiveModel, ...]
    n_waiting: int
    asks_per_s: float | None
    episodes_per_min: float | None
    left_s: float | None
    budget_usd: float | None
    latest: tuple[Mapping[str, Any], ...]
    note: str | None


class LiveReader:
    """Reads a run's present state, given its manifest. Safe for several threads."""

    def __init__(self, out: str, manifest: Mapping[str, Any]) -> None:
        self._out = out
        self._manifest = manifest
        self._lock = Lock()
        self._shards = ShardsRead(out)
        self._journal = JournalRead(out)
        self._verdicts = LiveVerdicts(self._journal, self._shards)
        self._state: LiveState | None = None
        self._again_s = 0.0
        self._history: deque[tuple[float, int, int]] = deque()
        self._plan: Mapping[str, tuple[str, str]] = {}
        self._plan_thread: Thread | None = None
        self._plan_again_s = 0.0

    def state(self) -> LiveState:
        """Return the run's state, at most a moment old."""
        with self._lock:
            began_s = monotonic()
            if self._state is None or began_s >= self._again_s:
                self._state = self._look()
                took_s = monotonic() - began_s
                self._again_s = monotonic() + max(_LEAST_GAP_S, _IDLE_SHARE * took_s)
            return self._state

    def _look(self) -> LiveState:
        journal, faults = None, list[str]()
        # The journal is read first: episodes sealed in between are then in both, and count once.
        try:
            journal = self._journal.now()
        except sqlite3.Error as error:
            faults.append(f"the journal cannot be read: {error}")
        try:
            self._shards.read()
        except (MirrorRayError, OSError) as error:
            faults.append(str(error))
        left = f"{self._shards.n_left:,} shards are still to be read" if self._shards.n_left else ""
        faults += filter(None, (self._shards.fault, left))
        note = one_printable_line("; ".join(faults)) or None
        db = self._shards.connection
        db.register("unsealed", NONE_ENDED if journal is None else journal.ended)
        db.execute(_LATEST_TAKES)
        models = models_now(db, journal, self._plan)
        latest = self._latest()
        asks = sum(one.asks for one in models.values())
        ended = sum(one.done + one.failed + one.unpaid for one in models.values())
        asks_per_s, episodes_per_s = self._rates(asks, ended)
        self._look_for_plan([row["episode_id"] for row in latest])
        n_left = max(0, len(self._plan) - ended) if self._plan else None
        status = run_state(self._out, self._manifest, left=n_left)
        is_moving = status.state == "running" and n_left is not None and episodes_per_s
        return LiveState(
            status,
            tuple(models.values()),
            0 if journal is None else journal.n_waiting,
            asks_per_s,
            None if episodes_per_s is None else 60 * episodes_per_s,
            n_left / episodes_per_s if is_moving and n_left and episodes_per_s else None,
            bounded_float((self._manifest.get("sweep") or {}).get("budget_usd")),
            latest,
            note,
        )

    def _latest(self) -> tuple[Mapping[str, Any], ...]:
        rows = Reading(self._shards.connection).rows(_ENDED_LAST.format(OUTCOME), n=_LATEST)
        known = self._verdicts.of(rows)
        return tuple(
            row | known.get((row["episode_id"], row["take"]), NO_VERDICT)._asdict() for row in rows
        )

    def _rates(self, asks: int, ended: int) -> tuple[float | None, float | None]:
        self._history.append((monotonic(), asks, ended))
        while len(self._history) > 2 and self._history[-1][0] - self._history[0][0] > _WINDOW_S:
            self._history.popleft()
        (first_s, first_asks, first_ended), (last_s, *_) = self._history[0], self._history[-1]
        took_s = last_s - first_s
        asked, ended = max(0, asks - first_asks), max(0, ended - first_ended)
        return (
            None if took_s < _ASKS_AFTER_S else asked / took_s,
            None if took_s < _EPISODES_AFTER_S else ended / took_s,
        )

    def _look_for_plan(self, ended_ids: list[str]) -> None:
        """Read the plan on a separate thread, because it takes seconds in a large run. It is read
        again if it lacks an episode that depends on others, or if some episodes may be settled."""
        is_complete = bool(self._plan) and all(one in self._plan for one in ended_ids)
        is_complete &= not self._manifest["sweep"].get("until")
        is_busy = self._plan_thread is not None and self._plan_thread.is_alive()
        if is_complete or is_busy or monotonic() < self._plan_again_s:
            return
        self._plan_again_s = monotonic() + _PLAN_AGAIN_S
        self._plan_thread = Thread(target=self._read_plan, name="plan", daemon=True)
        self._plan_thread.start()

    def _read_plan(self) -> None:
        with suppress(MirrorRayError, OSError):
            self._manifest = read_manifest(self._out)
            episodes = recorded_episodes(self._out, self._manifest)
            settled = settled_of(self._out, self._manifest, tuple(episodes.values()))
            self._plan = {
                one: (spec.cell.model, spec.cell.cell_id)
                for one, spec in episodes.items()
                if one not in settled
            }


def utc_clock(seconds: float) -> str:
    """Format seconds since the epoch as the time of day in UTC."""
    return datetime.fromtimestamp(now_s() + seconds, UTC).strftime("%H:%M UTC")
