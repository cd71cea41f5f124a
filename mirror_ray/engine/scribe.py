"""Has replies made durable, several in one message.

Knows when waiting for company is worth it; does not know what is recorded, nor where.
"""

import asyncio
from collections.abc import Callable, Sequence

from mirror_ray.engine.calls import Actor, insist
from mirror_ray.records.entry import Entry

LINGER_S = 0.1
"""A message between processes costs a tenth of a picture on either side, and models take longer."""


class Scribe:
    """Records entries through the Recorder; a process has one.

    Args:
        recorder: the actor that makes them durable.
        under_way: how many entries may come soon, those that wait here included: once all of them
            are here, waiting any longer would be for nobody.
    """

    def __init__(self, recorder: Actor, under_way: Callable[[], int]) -> None:
        self._recorder = recorder
        self._under_way = under_way
        self._waiting: list[tuple[Entry, asyncio.Future[Entry]]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._sending: set[asyncio.Task[None]] = set()

    async def record(self, entry: Entry) -> Entry:
        """The entry that stands for this ask, once it is durable.

        Raises:
            RecordError: the entry cannot be kept.
            EngineError: the Recorder does not come back.
        """
        loop = asyncio.get_running_loop()
        standing: asyncio.Future[Entry] = loop.create_future()
        self._waiting.append((entry, standing))
        if len(self._waiting) >= self._under_way():
            self._flush()
        elif self._timer is None:
            self._timer = loop.call_later(LINGER_S, self._flush)
        return await standing

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        batch, self._waiting = self._waiting, []
        sending = asyncio.create_task(self._send(batch))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def _send(self, batch: Sequence[tuple[Entry, asyncio.Future[Entry]]]) -> None:
        entries = [entry for entry, _ in batch]
        try:
            outcomes: Sequence[Entry | Exception | None] = await insist(
                lambda: self._recorder.record_all.remote(entries), "recording replies"
            )
        except Exception as reason:
            outcomes = [reason for _ in batch]
        for (entry, standing), outcome in zip(batch, outcomes, strict=True):
            if standing.cancelled():
                continue
            if isinstance(outcome, Exception):
                standing.set_exception(outcome)
            else:
                standing.set_result(outcome or entry)
