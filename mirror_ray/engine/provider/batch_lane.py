"""A model's batch lane: requests join a batch, wait while it is out, and get its replies."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from tempfile import TemporaryFile
from time import monotonic, time
from typing import BinaryIO, TypeAlias, cast
from uuid import uuid4

from mirror_ray.core.identity import content_hash
from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.pending import start_task
from mirror_ray.engine.provider.sent_batch import UNSEEN_FOR_S, BatchLog, SentBatch, WaitingAsk
from mirror_ray.providers.backend import NotMadeError, StillOutError
from mirror_ray.providers.batches.service import BatchService, Bounds
from mirror_ray.providers.model import Model
from mirror_ray.records.journal.batch_notes import Batch, BatchedAsk

AskKey: TypeAlias = tuple[str, int]


def words_sha_of(request: Request) -> str:
    """Return a hash of the prompt, which a reply still to come must match."""
    return content_hash(request.system, request.user)


def _spool() -> BinaryIO:
    return cast("BinaryIO", TemporaryFile())


@dataclass(slots=True)
class OpenBatch:
    """A batch that accepts requests; times are on a steady clock. Pictures are kept in a file,
    because a batch may have 200 MB of them."""

    began_s: float
    latest_s: float
    key: str = field(default_factory=lambda: uuid4().hex[:24])
    lines: BinaryIO = field(default_factory=_spool)
    asks: list[BatchedAsk] = field(default_factory=list)
    size_bytes: int = 0

    def line(self, service: BatchService, body: bytes) -> bytes:
        """Return the request's line in this batch."""
        return service.line(body, f"{self.key}-{len(self.asks)}")

    def takes(self, line: bytes, bounds: Bounds) -> bool:
        """Return whether there is room for the request."""
        fits = self.size_bytes + len(line) <= bounds.most_bytes
        return fits and len(self.asks) < bounds.most_asks

    def add(self, request: Request, line: bytes, now_s: float) -> None:
        """Add the request."""
        self.lines.write(line)
        self.size_bytes += len(line)
        self.latest_s = now_s
        self.asks.append(
            BatchedAsk(request.episode_id, request.ask_index, len(self.asks), words_sha_of(request))
        )

    def intended(self, model: str, began_at: float) -> Batch:
        """Return the note of the batch, written before anything is sent, at Unix time
        `began_at`."""
        self.lines.seek(0)
        return Batch(self.key, model, "intended", None, began_at, tuple(self.asks))


LONGEST_LINGER = 10
"""As a multiple of `linger_s`: a batch that requests keep joining is sent after this time."""

_CLOSES_WITHIN_S = 8.0


class BatchLane:
    """A `Backend` of one model; used on one event loop.

    Args:
        model: the model at its batch tier.
        log: where batches are noted.
        cancels: whether stopping the run cancels its batches.
        on_trouble: called with failures that change no reply, e.g. of a status request.
        unseen_for_s: as `mirror_ray.engine.provider.sent_batch.UNSEEN_FOR_S`.
    """

    def __init__(
        self,
        model: Model,
        service: BatchService,
        log: BatchLog,
        *,
        cancels: bool = False,
        on_trouble: Callable[[Reply], None] = lambda _: None,
        unseen_for_s: float = UNSEEN_FOR_S,
    ) -> None:
        if model.batch is None:
            raise ValueError(f"{model.name} has no batch price")
        self._model, self._terms = model, model.batch
        self._service, self._log = service, log
        self._cancels, self._on_trouble = cancels, on_trouble
        self._unseen_for_s = unseen_for_s
        self._asks: dict[AskKey, WaitingAsk] = {}
        self._open: OpenBatch | None = None
        self._sent: set[SentBatch] = set()
        self._attaching: asyncio.Task[None] | None = None
        self._following: set[asyncio.Task[None]] = set()
        self._closing: set[asyncio.Task[None]] = set()
        self._stopping = False

    async def available(self) -> Reply | None:
        """Return at once, because it is always available."""
        return None

    async def holds(self, request: Request) -> bool:
        """Return whether the request is in a batch that this run or an earlier one has sent."""
        await self._attached()
        return (request.episode_id, request.ask_index) in self._asks

    async def reply(self, request: Request) -> Reply:
        """Return the reply once the batch has one; a failure of the batch fails the request.

        Raises:
            NotMadeError: `stop` came before its batch was sent.
            StillOutError: `stop` came while the batch was out; a later run gets the reply.
            EngineError: a batch cannot be noted, and is not sent.
        """
        await self._attached()
        if self._stopping:
            raise NotMadeError
        key = (request.episode_id, request.ask_index)
        waiting = self._asks.get(key)
        if waiting is None:
            try:
                body = await self._service.body(request)
            except Exception as error:
                return replace(self._service.failed(error), cost_usd=0.0)
            if self._stopping:
                raise NotMadeError
            waiting = self._asks.get(key) or self._join(request, body)
        if waiting is None:
            most = self._service.bounds.most_bytes
            why = f"the request is larger than a batch may be, {most:,} bytes"
            return Reply("", error_kind="bad_request", error=why, cost_usd=0.0)
        if waiting.words_sha != words_sha_of(request):
            why = "the request is out in a batch with another prompt"
            return Reply("", error_kind="internal", error=why, cost_usd=0.0)
        waiting.is_awaited = True
        try:
            return await asyncio.shield(waiting.reply)
        finally:
            if waiting.reply.done():
                self._asks.pop(key, None)

    def stop(self) -> None:
        """Send no further batch. Sent batches continue, unless the run has them cancelled."""
        self._stopping = True
        if self._open is not None:
            self._open.lines.close()
            self._open = None
        for waiting in self._asks.values():
            waiting.fail(StillOutError() if waiting.is_sent else NotMadeError())
        if self._cancels:
            for sent in self._sent:
                start_task(sent.cancel(), self._closing)

    async def aclose(self) -> None:
        """Stop following sent batches; one that is being sent gets a moment to be noted."""
        sending = {task for task in self._following if task.get_name() == _SENDING}
        if waited_for := sending | self._closing:
            await asyncio.wait(waited_for, timeout=_CLOSES_WITHIN_S)
        for task in self._following | self._closing:
            task.cancel()
        await self._service.aclose()

    def _join(self, request: Request, body: bytes) -> WaitingAsk | None:
        """Put the request into the open batch; None if it is too large for any."""
        now_s, bounds = monotonic(), self._service.bounds
        batch = self._open or self._opened(now_s)
        line = batch.line(self._service, body)
        if batch.asks and not batch.takes(line, bounds):
            self._close(batch)
            batch = self._opened(now_s)
            line = batch.line(self._service, body)
        if not batch.takes(line, bounds):
            return None
        batch.add(request, line, now_s)
        waiting = self._waiting(batch.asks[-1])
        if len(batch.asks) >= bounds.most_asks:
            self._close(batch)
        return waiting

    def _waiting(self, ask: BatchedAsk) -> WaitingAsk:
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        waiting = WaitingAsk(ask.words_sha, reply)
        self._asks[ask.episode_id, ask.ask_index] = waiting
        return waiting

    def _opened(self, now_s: float) -> OpenBatch:
        self._open = OpenBatch(now_s, now_s)
        start_task(self._close_when_quiet(self._open), self._following)
        return self._open

    async def _close_when_quiet(self, batch: OpenBatch) -> None:
        linger_s = self._terms.linger_s
        while batch is self._open:
            now_s = monotonic()
            due_s = min(batch.latest_s + linger_s, batch.began_s + LONGEST_LINGER * linger_s)
            if batch.asks and now_s >= due_s:
                self._close(batch)
                return
            await asyncio.sleep(max(linger_s / 10, due_s - now_s))

    def _close(self, batch: OpenBatch) -> None:
        self._open = None
        sent = self._as_sent(batch.intended(self._model.name, time()))
        start_task(self._send(sent, batch), self._following, _SENDING)

    async def _send(self, sent: SentBatch, batch: OpenBatch) -> None:
        with batch.lines:
            is_out = await sent.send(batch.lines)
        if is_out and self._stopping and self._cancels:
            await sent.cancel()
        if is_out:
            start_task(self._follow(sent), self._following)
        else:
            self._sent.discard(sent)

    async def _take_up(self, sent: SentBatch) -> None:
        if await sent.take_up():
            await self._follow(sent)
        else:
            self._sent.discard(sent)

    async def _follow(self, sent: SentBatch) -> None:
        await sent.follow()
        self._sent.discard(sent)

    def _as_sent(self, note: Batch) -> SentBatch:
        waiting = {}
        for ask in note.asks:
            one = self._asks[ask.episode_id, ask.ask_index]
            one.is_sent = True
            waiting[f"{note.batch_key}-{ask.place}"] = one
        sent = SentBatch(
            note,
            waiting,
            self._terms,
            self._service,
            self._log,
            on_trouble=self._on_trouble,
            unseen_for_s=self._unseen_for_s,
        )
        self._sent.add(sent)
        return sent

    async def _attached(self) -> None:
        if self._attaching is None or (self._attaching.done() and self._attaching.exception()):
            self._attaching = asyncio.create_task(self._attach())
        await asyncio.shield(self._attaching)

    async def _attach(self) -> None:
        for note in await self._log.unanswered():
            if note.model == self._model.name and note.state != "intended":
                for ask in note.asks:
                    self._waiting(ask)
                start_task(self._take_up(self._as_sent(note)), self._following)


_SENDING = "sending a batch"
