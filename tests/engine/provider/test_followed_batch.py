"""Following a batch: no request waits for ever, is sent twice or wrongly billed."""

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.engine.provider import sent_batch
from mirror_ray.engine.provider.sent_batch import SentBatch
from mirror_ray.providers.batches.service import BatchProgress, BatchResult, LostBatchError
from support.engine.told_maker import BOTH, ENDED, OUT, TERMS, UNSEEN_FOR_S, Maker, outcome


def test_its_replies_are_handed_out_once_and_to_its_own_asks(monkeypatch):
    more = [
        BatchResult("key-1", Reply("of one that left")),
        BOTH[0],
        BatchResult("key-0", Reply("x")),
        BOTH[1],
    ]
    made = Maker(progress_=[BatchProgress(False), ENDED], results_=[more])
    told = outcome(monkeypatch, made, SentBatch.follow, OUT._replace(began_at=-100.0))
    assert [one.text for one in told.heard] == ["to key-0", "to key-2"]
    assert [one.latency_s for one in told.heard] == [102.0, 102.0]
    assert {one.started_at for one in told.heard} == {"1969-12-31T23:58:20.000+00:00"}
    assert not told.troubles


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
