"""Sending a batch: whatever fails, it is begun once or its requests cost nothing."""

from collections.abc import Coroutine
from io import BytesIO
from typing import Any

import pytest

from mirror_ray.engine.provider.sent_batch import SentBatch
from mirror_ray.providers.batches.service import UndecidedBatchError
from support.engine.told_maker import INTENDED, OUT, UNSEEN_FOR_S, Log, Maker, StatusError, outcome


def send(batch: SentBatch) -> Coroutine[Any, Any, bool]:
    return batch.send(BytesIO())


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


def test_only_what_has_a_name_is_cancelled_and_a_failure_to_is_told(monkeypatch):
    nameless, made = Maker(), Maker(cancel_=[OSError()])
    outcome(monkeypatch, nameless, SentBatch.cancel)
    assert nameless.did == []
    told = outcome(monkeypatch, made, SentBatch.cancel, OUT)
    assert made.did == ["cancel"]
    assert len(told.troubles) == 1
