"""A maker of batches that answers as told, and what a batch on its way comes to with it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.engine.provider import sent_batch
from mirror_ray.engine.provider.sent_batch import SentBatch, WaitingAsk
from mirror_ray.providers.batches.service import BatchProgress, BatchResult, SoughtBatch
from mirror_ray.providers.model import BatchTerms, Limits
from mirror_ray.records.journal.batch_notes import Batch, BatchedAsk
from support.engine.virtual_time import Clock, run_virtually

TERMS = BatchTerms(Limits("m (batch)"), 1.0, 4.0, timeout_s=600.0, poll_s=20.0)
UNSEEN_FOR_S = 60.0
NAMES = ("key-0", "key-2")  # The ask between them has left for another batch.
ASKS = (BatchedAsk("e", 1, 0, "sha"), BatchedAsk("f", 1, 2, "sha"))
INTENDED = Batch("key", "m", "intended", None, 0.0, ASKS)
OUT = INTENDED._replace(state="out", maker_id="made")
ENDED = BatchProgress(True, ("here",))
BOTH = [BatchResult(name, Reply(f"to {name}")) for name in NAMES]


class StatusError(Exception):
    def __init__(self, status_code: int | None) -> None:
        super().__init__(f"status {status_code}")
        self.status_code = status_code


@dataclass
class Maker:
    """Of each method, what it returns or raises, in turn; the last for ever.

    Args:
        did: the methods that were called.
    """

    upload_: list[Any] = field(default_factory=lambda: ["file"])
    begin_: list[Any] = field(default_factory=lambda: ["made"])
    find_: list[Any] = field(default_factory=lambda: [None])
    progress_: list[Any] = field(default_factory=lambda: [ENDED])
    results_: list[Any] = field(default_factory=lambda: [BOTH])
    cancel_: list[Any] = field(default_factory=lambda: [None])
    did: list[str] = field(default_factory=list)
    sought: list[SoughtBatch] = field(default_factory=list)

    def _next(self, method: str) -> Any:
        self.did.append(method)
        told = getattr(self, f"{method}_")
        one = told.pop(0) if len(told) > 1 else told[0]
        if isinstance(one, Exception):
            raise one
        return one

    async def upload(self, *_: object) -> str:
        return self._next("upload")

    async def begin(self, *_: object) -> str:
        return self._next("begin")

    async def find(self, sought: SoughtBatch) -> str | None:
        self.sought.append(sought)
        return self._next("find")

    async def progress(self, maker_id: str) -> BatchProgress:
        assert maker_id == "made"
        return self._next("progress")

    async def results(self, *_: object) -> AsyncIterator[BatchResult]:
        for one in self._next("results"):
            if isinstance(one, Exception):
                raise one
            yield one

    async def cancel(self, _: str) -> None:
        self._next("cancel")

    def failed(self, error: BaseException) -> Reply:
        return Reply("", error_kind="connection", error=str(error))


@dataclass
class Log:
    """Args:
    breaks_at: the state that cannot be noted.
    """

    breaks_at: str = ""
    notes: list[Batch] = field(default_factory=list)

    async def note(self, batch: Batch) -> None:
        if batch.state == self.breaks_at:
            raise RuntimeError("another Recorder is in charge")
        self.notes.append(batch)

    async def unanswered(self) -> Sequence[Batch]:
        return [INTENDED, OUT._replace(batch_key="another", maker_id="other")]


@dataclass
class Outcome:
    """Args:
    returned: by the method.
    heard: by ask: its reply or failure; None where it waits on.
    """

    returned: bool | None
    heard: list[Reply | BaseException | None]
    states: list[str]
    troubles: list[Reply]
    lasted_s: float

    @property
    def ends(self) -> list[tuple[str, float | None]]:
        return [(one.error_kind, one.cost_usd) for one in self.heard if isinstance(one, Reply)]


def outcome(
    monkeypatch: pytest.MonkeyPatch,
    made: Maker,
    course: Callable[[SentBatch], Coroutine[Any, Any, bool | None]],
    note: Batch = INTENDED,
    log: Log | None = None,
) -> Outcome:
    log = log or Log()

    async def scenario(clock: Clock) -> Outcome:
        monkeypatch.setattr(sent_batch, "monotonic", clock)
        monkeypatch.setattr(sent_batch, "time", clock)
        waiting = {
            name: WaitingAsk("sha", asyncio.get_running_loop().create_future(), is_awaited=True)
            for name in NAMES
        }
        troubles: list[Reply] = []
        batch = SentBatch(
            note, waiting, TERMS, made, log, on_trouble=troubles.append, unseen_for_s=UNSEEN_FOR_S
        )
        returned = await course(batch)
        heard: list[Reply | BaseException | None] = []
        for one in waiting.values():
            done = one.reply.done()
            heard.append((one.reply.exception() or one.reply.result()) if done else None)
        return Outcome(returned, heard, [one.state for one in log.notes], troubles, clock())

    return run_virtually(scenario)
