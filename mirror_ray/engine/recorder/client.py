"""The Recorder's client, which sends replies and ends of episodes, several in one message."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from mirror_ray.core.error_kinds import FINAL_KINDS
from mirror_ray.engine.actor_calls import Actor, retry_until_restarted
from mirror_ray.engine.batching import FlushTimer
from mirror_ray.engine.pending import resolve, start_task
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.finished import WrittenEpisode

FREE_LINGER_S = 1.0
"""How long a free reply that nobody awaits may wait: see `mirror_ray.engine.batching`."""


@dataclass(slots=True)
class _Message:
    entries: list[tuple[Entry, asyncio.Future[Entry]]] = field(default_factory=list)
    ended: list[tuple[WrittenEpisode, asyncio.Future[None]]] = field(default_factory=list)
    awaited: int = 0

    def fail(self, reason: Exception) -> None:
        for _, standing in self.entries:
            resolve(standing, reason)
        for _, kept in self.ended:
            resolve(kept, reason)


class RecorderClient:
    """Records through the Recorder; a process has one client.

    Args:
        recorder: the actor.
        asker: this process's client id, under which the Limiter has noted its calls.
        under_way: how many items may come soon, including waiting ones. Once half of them are
            awaited, they are sent, while the others keep the process busy.
        linger_s: the longest that an item waits for others; a dying process loses what waits.
    """

    def __init__(
        self, recorder: Actor, asker: str, under_way: Callable[[], int], *, linger_s: float
    ) -> None:
        self._recorder = recorder
        self._asker = asker
        self._under_way = under_way
        self._linger_s = linger_s
        self._waiting = _Message()
        self._free: dict[str, list[tuple[Entry, asyncio.Future[Entry]]]] = {}
        self._timer = FlushTimer(self._flush)
        self._free_timer = FlushTimer(self._flush_free)
        self._sending: set[asyncio.Task[None]] = set()
        self._reached: asyncio.Task[Any] | None = None

    async def reach(self) -> None:
        """Wait for the Recorder's first answer to this process; after it, return at once. Raise
        EngineError if the Recorder does not restart; the next call tries again.

        Nothing may be bought before: Ray finds an actor through the head of the session, so a first
        message that is sent after the head's death never arrives. Later messages go directly."""
        if self._reached is None or (self._reached.done() and self._reached.exception()):
            # An empty question changes and reads nothing.
            answer = retry_until_restarted(self._recorder.finished, "reaching the Recorder", [])
            self._reached = asyncio.create_task(answer)
        await asyncio.shield(self._reached)

    def record_reply(self, entry: Entry, *, free: bool = False) -> "asyncio.Future[Entry]":
        """Record a reply soon; the future's result is the entry that counts for this request.

        Args:
            free: it costs nothing to repeat, so the caller may use it at once, and it waits for
                `FREE_LINGER_S`. If its episode ends before, only the episode's row is kept.

        Raises:
            RecordError: (by the future) the entry cannot be kept.
            EngineError: (by the future) the Recorder does not restart.
        """
        standing: asyncio.Future[Entry] = asyncio.get_running_loop().create_future()
        if free:
            self._free.setdefault(entry.episode_id, []).append((entry, standing))
            self._free_timer.within(FREE_LINGER_S)
        else:
            self._waiting.entries.append((entry, standing))
            self._send_soon()
        return standing

    async def finish(self, episode: WrittenEpisode) -> None:
        """Record a finished episode durably. Raise RecordError if it cannot be kept, RunDirError if
        nothing can be kept, and EngineError if the Recorder does not restart."""
        if episode.error_kind in FINAL_KINDS:
            for entry, standing in self._free.pop(episode.episode_id, ()):
                resolve(standing, entry)
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.ended.append((episode, kept))
        self._send_soon()
        await kept

    def _send_soon(self) -> None:
        self._waiting.awaited += 1
        if 2 * self._waiting.awaited >= self._under_way():
            self._timer.now()
        else:
            self._timer.within(self._linger_s)

    def _flush_free(self) -> None:
        free, self._free = self._free, {}
        self._waiting.entries += chain.from_iterable(free.values())
        if self._waiting.entries:
            self._timer.now()

    def _flush(self) -> None:
        message, self._waiting = self._waiting, _Message()
        start_task(self._send(message), self._sending)

    async def _send(self, message: _Message) -> None:
        entries = [entry for entry, _ in message.entries]
        ended = [episode for episode, _ in message.ended]
        waiting: list[tuple[Entry | None, asyncio.Future[Any]]] = [
            *message.entries,
            *((None, kept) for _, kept in message.ended),
        ]
        try:
            outcomes: Sequence[Entry | Exception | None] = await retry_until_restarted(
                self._recorder.keep, "recording", entries, ended, self._asker
            )
            ended_as = list(zip(waiting, outcomes, strict=True))
        except Exception as reason:
            message.fail(reason)
            return
        for (entry, future), outcome in ended_as:
            resolve(future, outcome or entry)
