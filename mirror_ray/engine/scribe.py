"""Has replies made durable, several in one message.

Knows when waiting for company is worth it; does not know what is recorded, nor where.
"""

import asyncio
from collections.abc import Callable, Sequence

from mirror_ray.engine.calls import Actor, insist
from mirror_ray.records.entry import Entry


class Scribe:
    """Records entries through the Recorder; a process has one.

    Args:
        recorder: the actor that makes them durable.
        asker: who asks here, as the Limiter has noted it.
        under_way: how many entries may come soon, those that wait here included: once half of
            them are here they go, so that the others keep the process busy meanwhile.
        linger_s: how long an entry waits for company at most. A message between processes costs
            as much CPU time as half a picture; a process that dies loses what waits in it.
    """

    def __init__(
        self, recorder: Actor, asker: str, under_way: Callable[[], int], *, linger_s: float
    ) -> None:
        self._recorder = recorder
        self._asker = asker
        self._under_way = under_way
        self._linger_s = linger_s
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
        if 2 * len(self._waiting) >= self._under_way():
            self._flush()
        elif self._timer is None:
            self._timer = loop.call_later(self._linger_s, self._flush)
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
                lambda: self._recorder.record_all.remote(entries, self._asker),
                "recording replies",
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
