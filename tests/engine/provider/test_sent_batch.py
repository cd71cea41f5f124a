"""A batch on its way: whatever fails, no ask waits for ever, is sent twice or wrongly billed."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.engine.provider import sent_batch
from mirror_ray.engine.provider.sent_batch import SentBatch, WaitingAsk
from mirror_ray.providers.batches.service import (
    BatchProgress,
    LostBatchError,
    Result,
    SoughtBatch,
    UndecidedBatchError,
)
from mirror_ray.providers.model import BatchTerms, Limits
from mirror_ray.records.journal.batches import Batch, BatchedAsk
from support.engine.virtual_time import Clock, run_virtually

TERMS = BatchTerms(Limits("m (batch)"), 1.0, 4.0, timeout_s=600.0, poll_s=20.0)
UNSEEN_FOR_S = 60.0
NAMES = ("key-0", "key-2")  # The ask between them has left for another batch.
ASKS = (BatchedAsk("e", 1, 0, "sha"), BatchedAsk("f", 1, 2, "sha"))
INTENDED = Batch("key", "m", "intended", None, 0.0, ASKS)
OUT = INTENDED._replace(state="out", maker_id="made")
ENDED = BatchProgress(True, ("here",))
BOTH = [Result(name, Reply(f"to {name}")) for name in NAMES]


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

    async def results(self, *_: object) -> AsyncIterator[Result]:
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
            note,
            waiting,
            TERMS,
            made,
            log,
            on_trouble=troubles.append,
            unseen_for_s=UNSEEN_FOR_S,
        )
        returned = await course(batch)
        heard: list[Reply | BaseException | None] = []
        for one in waiting.values():
            done = one.reply.done()
            heard.append((one.reply.exception() or one.reply.result()) if done else None)
        return Outcome(returned, heard, [one.state for one in log.notes], troubles, clock())

    return run_virtually(scenario)


def send(batch: SentBatch) -> Coroutine[Any, Any, bool]:
    return batch.send(BytesIO())


def test_its_replies_are_handed_out_once_and_to_its_own_asks(monkeypatch):
    more = [
        Result("key-1", Reply("of one that left")),
        BOTH[0],
        Result("key-0", Reply("x")),
        BOTH[1],
    ]
    made = Maker(progress_=[BatchProgress(False), ENDED], results_=[more])
    told = outcome(monkeypatch, made, SentBatch.follow, OUT._replace(began_at=-100.0))
    assert [one.text for one in told.heard] == ["to key-0", "to key-2"]
    assert [one.latency_s for one in told.heard] == [102.0, 102.0]
    assert {one.started_at for one in told.heard} == {"1969-12-31T23:58:20.000+00:00"}
    assert not told.troubles


def test_what_cannot_be_uploaded_was_never_begun_and_costs_nothing(monkeypatch):
    made = Maker(upload_=[StatusError(500)])
    told = outcome(monkeypatch, made, send)
    assert (told.returned, made.did, told.states) == (False, ["upload"], ["intended"])
    assert told.ends == [("connection", 0.0)] * 2


@pytest.mark.parametrize("status", [400, 422])
def test_what_is_refused_was_never_begun_and_is_not_looked_for(monkeypatch, status):
    made = Maker(begin_=[StatusError(status)])
    told = outcome(monkeypatch, made, send)
    assert (told.returned, made.did) == (False, ["upload", "begin"])
    assert told.ends == [("connection", 0.0)] * 2


@pytest.mark.parametrize("status", [None, 408, 409, 429, 499, 500, 399])
def test_what_may_have_begun_is_looked_for(monkeypatch, status):
    lost = Maker(begin_=[StatusError(status)], find_=[None, OSError(), None, "made"])
    told = outcome(monkeypatch, lost, send)
    assert told.returned
    assert told.states == ["intended", "sending", "out"]
    assert lost.did == ["upload", "begin"] + ["find"] * 4
    assert told.heard == [None, None]
    assert len(told.troubles) == 1
    assert {(one.batch_key, one.asks, one.known) for one in lost.sought} == {
        ("key", 3, frozenset({"other"}))
    }
    never = Maker(begin_=[StatusError(status)])
    told = outcome(monkeypatch, never, send)
    assert not told.returned
    assert told.ends == [("connection", 0.0)] * 2
    assert told.lasted_s >= UNSEEN_FOR_S


def test_as_long_as_nobody_can_tell_nothing_is_sent_again(monkeypatch):
    told = outcome(monkeypatch, Maker(find_=[UndecidedBatchError()] * 20 + ["made"]), _taken_up)
    assert told.returned
    assert told.lasted_s > 2 * UNSEEN_FOR_S
    assert told.heard == [None, None]
    assert not told.troubles


def _taken_up(batch: SentBatch) -> Coroutine[Any, Any, bool]:
    return batch.take_up()


def test_what_a_dead_process_never_began_is_asked_again_and_costs_nothing(monkeypatch):
    made = Maker()
    told = outcome(monkeypatch, made, _taken_up, INTENDED._replace(state="sending"))
    assert not told.returned
    assert told.ends == [("shed", 0.0)] * 2
    found = outcome(monkeypatch, Maker(find_=["made"]), _taken_up)
    assert (found.returned, found.states) == (True, ["out"])
    known = Maker()
    assert outcome(monkeypatch, known, _taken_up, OUT).returned
    assert known.did == []


@pytest.mark.parametrize(("state", "did"), [("intended", []), ("sending", ["upload"])])
def test_what_cannot_be_noted_is_not_begun(monkeypatch, state, did):
    made = Maker()
    told = outcome(monkeypatch, made, send, log=Log(breaks_at=state))
    assert (told.returned, made.did) == (False, did)
    assert [type(one) for one in told.heard] == [RuntimeError] * 2


def test_a_batch_that_is_out_stays_so_though_its_name_cannot_be_noted(monkeypatch):
    told = outcome(monkeypatch, Maker(), send, log=Log(breaks_at="out"))
    assert told.returned
    assert told.heard == [None, None]


@pytest.mark.parametrize(
    ("progress", "ends"),
    [
        (BatchProgress(True, refused="full", refused_as="shed"), ("shed", 0.0)),
        (BatchProgress(True, refused="no such model"), ("bad_request", 0.0)),
        (BatchProgress(True, refused="no money", refused_as="auth"), ("auth", 0.0)),
        (BatchProgress(True, unreached="expired"), ("shed", 0.0)),
        (BatchProgress(True), ("server", None)),
        (LostBatchError(), ("server", None)),
    ],
)
def test_an_end_without_replies_says_whether_it_is_billed(monkeypatch, progress, ends):
    told = outcome(monkeypatch, Maker(progress_=[OSError(), progress]), SentBatch.follow, OUT)
    assert told.ends == [ends] * 2
    assert told.lasted_s >= UNSEEN_FOR_S
    if isinstance(progress, BatchProgress) and progress.refused_as == "shed":
        assert {one.retry_after_s for one in told.heard} == {TERMS.poll_s}


@pytest.mark.parametrize(
    "hiccup",
    [
        Maker(progress_=[LostBatchError(), ENDED]),
        Maker(progress_=[LostBatchError(), BatchProgress(False), LostBatchError(), ENDED]),
        Maker(progress_=[BatchProgress(True), ENDED]),
        Maker(progress_=[BatchProgress(True, refused="no room", refused_as="shed"), ENDED]),
        Maker(progress_=[BatchProgress(True, unreached="expired"), ENDED]),
        Maker(results_=[LostBatchError(), BOTH]),
        Maker(results_=[[], BOTH[:1], BOTH]),
    ],
)
def test_an_end_that_was_told_too_early_is_not_believed(monkeypatch, hiccup):
    told = outcome(monkeypatch, hiccup, SentBatch.follow, OUT)
    assert [one.text for one in told.heard] == ["to key-0", "to key-2"]
    assert told.lasted_s < UNSEEN_FOR_S


@pytest.mark.parametrize("jump_s", [-7_200.0, 7_200.0, 2_000_000_000.0, -1_900_000_000.0])
def test_a_clock_that_jumps_ends_no_batch(monkeypatch, jump_s):
    async def course(batch: SentBatch) -> None:
        clock = sent_batch.monotonic
        monkeypatch.setattr(sent_batch, "time", lambda: clock() + jump_s)
        await batch.follow()

    made = Maker(progress_=[BatchProgress(False)] * 5 + [ENDED])
    told = outcome(monkeypatch, made, course, OUT)
    assert [one.text for one in told.heard] == ["to key-0", "to key-2"]
    assert {one.latency_s for one in told.heard} == {told.lasted_s}


def test_a_batch_of_long_ago_by_the_clock_is_looked_for_before_it_is_given_up(monkeypatch):
    long_ago = OUT._replace(began_at=-1_000_000.0)
    made = Maker(progress_=[BatchProgress(False), ENDED])
    told = outcome(monkeypatch, made, SentBatch.follow, long_ago)
    assert [one.text for one in told.heard] == ["to key-0", "to key-2"]


def test_what_was_answered_before_the_end_is_kept(monkeypatch):
    ended = BatchProgress(True, ("gone", "here"), unreached="expired")
    made = Maker(progress_=[ended], results_=[LostBatchError(), BOTH[:1]])
    told = outcome(monkeypatch, made, SentBatch.follow, OUT)
    assert told.ends == [("none", None), ("shed", 0.0)]


def test_results_that_break_off_are_read_again(monkeypatch):
    made = Maker(results_=[[BOTH[0], OSError()], OSError(), BOTH])
    told = outcome(monkeypatch, made, SentBatch.follow, OUT)
    assert [one.text for one in told.heard] == ["to key-0", "to key-2"]
    assert len(told.troubles) == 2


@pytest.mark.parametrize(
    "made", [Maker(progress_=[BatchProgress(False)]), Maker(results_=[[BOTH[0], OSError()]])]
)
def test_a_batch_that_takes_too_long_is_not_asked_again_by_this_run(monkeypatch, made):
    told = outcome(monkeypatch, made, SentBatch.follow, OUT)
    assert told.ends[-1] == ("internal", None)
    assert TERMS.timeout_s < told.lasted_s <= TERMS.timeout_s + 2 * TERMS.poll_s


def test_only_what_has_a_name_is_cancelled_and_a_failure_to_is_told(monkeypatch):
    nameless, made = Maker(), Maker(cancel_=[OSError()])
    outcome(monkeypatch, nameless, SentBatch.cancel)
    assert nameless.did == []
    told = outcome(monkeypatch, made, SentBatch.cancel, OUT)
    assert made.did == ["cancel"]
    assert len(told.troubles) == 1
