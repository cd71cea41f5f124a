"""A batch on its way: noted, sent, followed to its end, and read.

It is sent only once, even if processes die: the intention is on disk before it is sent, its name
afterwards. If the name was lost, the batch is looked for at the provider."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from math import inf
from time import monotonic, time
from typing import BinaryIO, Protocol

from mirror_ray.core.types import Reply
from mirror_ray.providers.batches.service import (
    BatchProgress,
    BatchResult,
    BatchService,
    LostBatchError,
    SoughtBatch,
    UndecidedBatchError,
    not_reached,
)
from mirror_ray.providers.model import BatchTerms
from mirror_ray.records.journal.batch_notes import Batch

UNSEEN_FOR_S = 60.0
"""How long a batch or a result must be missing before it is given up. Providers' lists and files
lag behind, and a batch that is given up too early is paid for twice."""

_FIRST_PAUSE_S = 2.0
PAUSE_GROWS = 1.5

_REFUSED = frozenset({400, 401, 402, 403, 404, 405, 413, 415, 422})
"""Statuses that prove that a call had no effect. After others it may have had one, because gateways
send them too."""
_GONE = BatchProgress(True)
"""The provider states that it has no such batch."""


class BatchLog(Protocol):
    """The record of batches, which outlives this process."""

    async def note(self, batch: Batch) -> None:
        """Note durably the state of a batch."""

    async def unanswered(self) -> Sequence[Batch]:
        """Return the batches with requests whose replies are not recorded."""


@dataclass(slots=True, eq=False)
class WaitingAsk:
    """A request in a batch. `is_sent` says that the batch is complete and may have been submitted,
    `is_awaited` that a caller in this process waits for the reply."""

    words_sha: str
    reply: "asyncio.Future[Reply]"
    is_sent: bool = False
    is_awaited: bool = False

    def fail(self, error: Exception) -> None:
        """Raise an error where the reply is awaited, if it is."""
        if self.is_awaited and not self.reply.done():
            self.reply.set_exception(error)


class SentBatch:
    """One complete batch; used on one event loop.

    Args:
        waiting: the request's name at the provider → the request.
        on_trouble: called with failures that change no reply, e.g. of a status request.
        unseen_for_s: as `UNSEEN_FOR_S`.
    """

    def __init__(
        self,
        note: Batch,
        waiting: Mapping[str, WaitingAsk],
        terms: BatchTerms,
        service: BatchService,
        log: BatchLog,
        *,
        on_trouble: Callable[[Reply], None],
        unseen_for_s: float,
    ) -> None:
        self._note = note
        # Requests may have left the batch, so their number alone says too little.
        self._last_place = max((ask.place for ask in note.asks), default=0)
        self._waiting = waiting
        self._terms, self._service, self._log = terms, service, log
        self._on_trouble = on_trouble
        self._unseen_for_s = unseen_for_s
        # The wall clock may jump while the batch is out.
        self._from_s = monotonic()
        self._before_s = max(0.0, time() - note.began_at)
        self._ended_since_s = inf

    async def send(self, lines: BinaryIO) -> bool:
        """Have the provider begin the batch. Return False if its requests have been returned."""
        if not await self._is_noted():
            return False
        try:
            upload = await self._service.upload(lines, self._note.batch_key)
        except Exception as error:
            self._give_back(replace(self._service.failed(error), cost_usd=0.0))
            return False
        self._note = self._note._replace(state="sending", asks=())
        # The batch must not begin without a valid Recorder.
        if not await self._is_noted():
            return False
        try:
            maker_id = await self._service.begin(upload, lines, self._note.batch_key)
        except Exception as error:
            is_certain = getattr(error, "status_code", None) in _REFUSED
            found = None if is_certain else await self._found()
            if found is None:
                self._give_back(replace(self._service.failed(error), cost_usd=0.0))
                return False
            maker_id = found
        await self._is_out(maker_id)
        return True

    async def take_up(self) -> bool:
        """Continue with a batch of a dead process. Return False if its requests have been
        returned."""
        if self._note.maker_id is None:
            found = await self._found()
            if found is None:
                why = "the batch was never begun"
                self._give_back(Reply("", error_kind="shed", error=why, cost_usd=0.0))
                return False
            await self._is_out(found)
        return True

    async def follow(self) -> None:
        """Wait for the batch to end and pass on its replies.

        While requests lack a reply, keep asking for `unseen_for_s` before they are given up."""
        pause_s = min(_FIRST_PAUSE_S, self._terms.poll_s, self._unseen_for_s / 4)
        while (ended := await self._ended()) is not None:
            for place in ended.results:
                if not await self._read(place):
                    return
            if self._is_answered():
                return
            if monotonic() - self._ended_since_s >= self._unseen_for_s:
                self._give_back(self._without_a_reply(ended))
                return
            await asyncio.sleep(pause_s)
            pause_s = self._longer(pause_s)

    def _without_a_reply(self, ended: BatchProgress) -> Reply:
        """Return the reply for a request without a result in the ended batch."""
        if ended is _GONE:
            gone = "the provider does not have the batch any more"
            return Reply("", error_kind="server", error=gone)
        if ended.refused is not None:
            why = ConnectionError(f"the provider does not begin the batch: {ended.refused}")
            reply = replace(self._service.failed(why), cost_usd=0.0, error_kind=ended.refused_as)
            wait_s = self._terms.poll_s if ended.for_now else None
            return replace(reply, retry_after_s=wait_s)
        if ended.unreached is not None:
            return not_reached(ended.unreached)
        return Reply("", error_kind="server", error="the batch ended without a reply to this ask")

    async def cancel(self) -> None:
        """Cancel the batch at the provider; finished requests are billed, and can be read."""
        if self._note.maker_id is not None:
            try:
                await self._service.cancel(self._note.maker_id)
            except Exception as error:
                self._on_trouble(self._service.failed(error))

    async def _is_out(self, maker_id: str) -> None:
        self._note = self._note._replace(state="out", maker_id=maker_id, asks=())
        # Not fatal: a batch without its name is looked for at the provider.
        with suppress(Exception):
            await self._log.note(self._note)

    async def _found(self) -> str | None:
        """Return the provider's name of a batch that may have begun; None if it has not."""
        began_s, pause_s = monotonic(), min(_FIRST_PAUSE_S, self._unseen_for_s / 4)
        while True:
            try:
                found = await self._service.find(await self._sought())
                if found is not None or monotonic() - began_s >= self._unseen_for_s:
                    return found
            except UndecidedBatchError:
                pass
            except Exception as error:
                self._on_trouble(self._service.failed(error))
            await asyncio.sleep(pause_s)
            pause_s = self._longer(pause_s)

    async def _sought(self) -> SoughtBatch:
        others = [one.maker_id for one in await self._log.unanswered() if one.maker_id is not None]
        note = self._note
        return SoughtBatch(note.batch_key, note.began_at, 1 + self._last_place, frozenset(others))

    async def _ended(self) -> BatchProgress | None:
        """Return the batch's end; None if its requests have been returned."""
        maker_id = self._note.maker_id or ""
        pause_s = min(_FIRST_PAUSE_S, self._terms.poll_s)
        while True:
            try:
                progress = await self._service.progress(maker_id)
            except LostBatchError:
                progress = _GONE
            except Exception as error:
                self._on_trouble(self._service.failed(error))
                progress = None
            if progress is not None and progress.ended:
                self._ended_since_s = min(self._ended_since_s, monotonic())
                return progress
            if progress is not None:
                self._ended_since_s = inf
            if self._is_late():
                # This run must not repeat the batch, because the provider may still work on it.
                why = f"its batch {maker_id} has not ended within {self._terms.timeout_s:g} s"
                self._give_back(Reply("", error_kind="internal", error=why))
                return None
            await asyncio.sleep(pause_s)
            pause_s = self._longer(pause_s)

    async def _read(self, place: str) -> bool:
        """Pass on the results at one address. Return False if they may become readable later."""
        pause_s = min(_FIRST_PAUSE_S, self._terms.poll_s)
        while True:
            try:
                async for result in self._service.results(place, len(self._waiting)):
                    self._hand_out(result)
            except LostBatchError:
                return True
            except Exception as error:
                failed = self._service.failed(error)
                self._on_trouble(failed)
                if self._is_answered():
                    return True
                if self._is_late():
                    self._give_back(replace(failed, error_kind="internal"))
                    return False
            else:
                return True
            await asyncio.sleep(pause_s)
            pause_s = self._longer(pause_s)

    def _is_answered(self) -> bool:
        return all(waiting.reply.done() for waiting in self._waiting.values())

    def _hand_out(self, result: BatchResult) -> None:
        waiting = self._waiting.get(result.custom_id)
        if waiting is not None and not waiting.reply.done():
            waiting.reply.set_result(self._timed(result.reply))

    def _give_back(self, reply: Reply) -> None:
        for waiting in self._waiting.values():
            if not waiting.reply.done():
                waiting.reply.set_result(self._timed(reply))

    async def _is_noted(self) -> bool:
        """Note the batch. Return False if that fails, in which case the run itself cannot
        continue."""
        try:
            await self._log.note(self._note)
        except Exception as error:
            for waiting in self._waiting.values():
                waiting.fail(error)
            return False
        return True

    def _timed(self, reply: Reply) -> Reply:
        began = datetime.fromtimestamp(self._note.began_at, UTC)
        return replace(
            reply, started_at=began.isoformat(timespec="milliseconds"), latency_s=self._lasted_s()
        )

    def _lasted_s(self) -> float:
        return self._before_s + monotonic() - self._from_s

    def _is_late(self) -> bool:
        looked_s = monotonic() - self._from_s
        return self._lasted_s() > self._terms.timeout_s and looked_s > self._unseen_for_s

    def _longer(self, pause_s: float) -> float:
        return min(max(pause_s, self._terms.poll_s), PAUSE_GROWS * pause_s)
