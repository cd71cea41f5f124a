"""Has replies and ends of episodes made durable, several in one message.

Knows when waiting for company is worth it; does not know what is recorded, nor where.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mirror_ray.engine.calls import Actor, insist
from mirror_ray.records.entry import Entry
from mirror_ray.records.finished import WrittenEpisode
from mirror_ray.types import FINAL_KINDS

FREE_LINGER_S = 1.0
"""What nobody waits for and nobody has paid may wait longer: a message between processes costs as
much CPU time as half a picture."""


@dataclass(slots=True)
class _Message:
    """What waits to be sent; with each, who hears of it.

    Args:
        awaited: how many of them somebody waits for.
    """

    entries: list[tuple[Entry, asyncio.Future[Entry]]] = field(default_factory=list)
    ended: list[tuple[WrittenEpisode, asyncio.Future[None]]] = field(default_factory=list)
    awaited: int = 0

    def fail(self, reason: Exception) -> None:
        """Everybody hears that nothing was kept."""
        waiting: list[asyncio.Future[Any]] = [
            *(standing for _, standing in self.entries),
            *(kept for _, kept in self.ended),
        ]
        for told in waiting:
            if not told.done():
                told.set_exception(reason)


class Scribe:
    """Records through the Recorder; a process has one.

    Args:
        recorder: the actor that makes things durable.
        asker: who asks here, as the Limiter has noted it.
        under_way: how many things may come soon, those that wait here included: once half of
            them are waited for they go, so that the others keep the process busy meanwhile.
        linger_s: how long such a thing waits for company at most; a process that dies loses what
            waits in it.
    """

    def __init__(
        self, recorder: Actor, asker: str, under_way: Callable[[], int], *, linger_s: float
    ) -> None:
        self._recorder = recorder
        self._asker = asker
        self._under_way = under_way
        self._linger_s = linger_s
        self._waiting = _Message()
        self._timer: asyncio.TimerHandle | None = None
        self._sending: set[asyncio.Task[None]] = set()

    def note(self, entry: Entry, *, free: bool = False) -> "asyncio.Future[Entry]":
        """Has a reply kept before long; the future brings the entry that stands for this ask.

        Once its episode has come to a final end, an entry that still waits here is let go: its row
        is kept instead.

        Args:
            free: it can be had again for nothing; only such a one may be acted upon at once, and
                it waits for `FREE_LINGER_S`.

        Raises (the future):
            RecordError: the entry cannot be kept.
            EngineError: the Recorder does not come back.
        """
        standing: asyncio.Future[Entry] = asyncio.get_running_loop().create_future()
        self._waiting.entries.append((entry, standing))
        if free:
            self._send_within(FREE_LINGER_S)
        else:
            self._send_soon()
        return standing

    async def finish(self, episode: WrittenEpisode) -> None:
        """Returns once a finished episode is durable.

        Raises:
            RunDirError: it cannot be kept.
            EngineError: the Recorder does not come back.
        """
        if episode.error_kind in FINAL_KINDS:
            self._let_go_of(episode.episode_id)
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.ended.append((episode, kept))
        self._send_soon()
        await kept

    def _let_go_of(self, episode_id: str) -> None:
        kept = []
        for entry, standing in self._waiting.entries:
            if entry.episode_id != episode_id:
                kept.append((entry, standing))
            elif not standing.done():
                standing.set_result(entry)
        self._waiting.entries = kept

    def _send_soon(self) -> None:
        """Somebody waits for what has just come."""
        self._waiting.awaited += 1
        if 2 * self._waiting.awaited >= self._under_way():
            self._flush()
        else:
            self._send_within(self._linger_s)

    def _send_within(self, linger_s: float) -> None:
        loop = asyncio.get_running_loop()
        due_s = loop.time() + linger_s
        if self._timer is None or due_s < self._timer.when():
            self._stop_timer()
            self._timer = loop.call_at(due_s, self._flush)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _flush(self) -> None:
        self._stop_timer()
        message, self._waiting = self._waiting, _Message()
        sending = asyncio.create_task(self._send(message))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def _send(self, message: _Message) -> None:
        entries = [entry for entry, _ in message.entries]
        ended = [episode for episode, _ in message.ended]
        try:
            outcomes: Sequence[Entry | Exception | None] = await insist(
                lambda: self._recorder.keep.remote(entries, ended, self._asker), "recording"
            )
        except Exception as reason:
            message.fail(reason)
            return
        for (entry, standing), outcome in zip(message.entries, outcomes, strict=True):
            if standing.done():
                continue
            if isinstance(outcome, Exception):
                standing.set_exception(outcome)
            else:
                standing.set_result(outcome or entry)
        for _, kept in message.ended:
            if not kept.done():
                kept.set_result(None)
