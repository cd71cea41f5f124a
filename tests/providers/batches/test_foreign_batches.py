"""Batches whose name was lost are found among others', and others are left alone."""

import asyncio
from dataclasses import replace
from io import BytesIO
from time import time

import pytest

from mirror_ray.providers.batches.service import (
    LostBatchError,
    SoughtBatch,
    UndecidedBatchError,
    service_for,
)
from mirror_ray.providers.price_tiers import at_tier
from support.engine.batch_scenes import Life, maker, request_of
from support.providers.batch_entries import entry


async def _found(service, sought):
    """The batch's name, "undecided" or "none"."""
    try:
        return await service.find(sought) or "none"
    except UndecidedBatchError:
        return "undecided"


def test_of_anthropic_s_batches_ours_is_the_one_whose_results_have_its_asks_names():
    async def scenario():
        async with maker("anthropic", lasts_s=60.0) as made:
            service = service_for(made.model)
            seen = []
            sought = SoughtBatch("ours", time(), 2, frozenset({"msgbatch_1"}))

            async def begun(key, asks):
                file = b"".join(
                    [
                        service.line(await service.body(request_of(i)), f"{key}-{i}")
                        for i in range(asks)
                    ]
                )
                with BytesIO(file) as lines:
                    return await service.begin("", lines, key)

            # Another of ours whose name is known, and one that is too small.
            assert await begun("other", 9) == "msgbatch_1"
            await begun("small", 1)
            seen.append(await _found(service, sought))
            stranger = await begun("stranger", 3)
            seen.append(await _found(service, sought))
            _end(made, stranger)
            seen.append(await _found(service, sought))
            ours = await begun("ours", 2)
            seen.append(await _found(service, sought))
            _end(made, ours)
            seen.append(await _found(service, sought) == ours)
            # Of another day.
            made.batches.jobs[stranger].created_at -= 7200
            later = replace(sought, batch_key="never", known=frozenset({"msgbatch_1", ours}))
            seen.append(await _found(service, later))
            await service.aclose()
            return seen

    seen = asyncio.run(scenario())
    assert seen == ["none", "undecided", "none", "undecided", True, "none"]


def _end(made, name):
    job = made.batches.jobs[name]
    job.created_at = time() - 61.0
    assert job.is_due(made.batches.manner)
    job.end(made.batches.answer, made.batches.manner, made.batches.rng)


def test_an_ask_whose_batch_s_name_was_lost_waits_for_a_stranger_s_to_end(tmp_path):
    """Neither bought twice, nor given another lab's reply."""

    # The three are one batch, however slowly they come.
    terms = {"most_asks": 3, "linger_s": 5.0}

    async def scenario():
        async with maker("anthropic", lasts_s=1.2) as made:
            stranger = Life(made, tmp_path / "a")
            stranger.ask(*map(request_of, range(100, 105)))
            await stranger.until(lambda: made.begun == 1)
            first = Life(made, tmp_path / "j", "sending", **terms)
            first.ask(*map(request_of, range(3)))
            await asyncio.sleep(0.3)
            await first.die()
            # As if the process had died behind that note: it may have begun its batch.
            second = Life(made, tmp_path / "j", **terms)
            (note,) = await second.log.unanswered()
            await second.log.note(note._replace(state="sending", asks=()))
            second.ask(*map(request_of, range(3)))
            await asyncio.sleep(0.6)
            before = made.begun
            replies = await second.replies()
            await stranger.replies()
            for life in (second, stranger):
                await life.close()
            return made, before, replies

    made, before, replies = asyncio.run(scenario())
    assert before == 1
    assert made.begun == 2
    assert [one.text for one in replies] == [f"answer to {request_of(i).user}" for i in range(3)]
    assert set(made.billed.values()) == {1}


@pytest.mark.parametrize(
    ("told", "seen"),
    [
        ({"metadata": {"state": "BATCH_STATE_RUNNING"}}, (False, (), None, None)),
        ({"done": True, "metadata": {}}, (False, (), None, None)),
        ({"done": True, "response": {"responsesFile": "files/r3"}}, (True, ("r3",), None, None)),
        ({"metadata": 7}, (False, (), None, None)),
        (
            {
                "done": True,
                "metadata": {
                    "state": "JOB_STATE_SUCCEEDED",
                    "output": {"responsesFile": "files/r1"},
                },
            },
            (True, ("r1",), None, None),
        ),
        ({"done": True, "metadata": {"state": "JOB_STATE_EXPIRED"}}, (True, (), None, "expired")),
        (
            {
                "metadata": {"state": "BATCH_STATE_CANCELLED"},
                "response": {"responsesFile": "files/r2"},
            },
            (True, ("r2",), None, "cancelled"),
        ),
        (
            {"metadata": {"state": "BATCH_STATE_FAILED"}, "error": {"code": 8, "message": "quota"}},
            (True, (), '{"code": 8, "message": "quota"}', None),
        ),
    ],
)
async def test_how_far_a_gemini_batch_is(told, seen, monkeypatch):
    service = service_for(at_tier(entry("gemini", monkeypatch), "batch"))

    async def call(*_, **__):
        return told

    monkeypatch.setattr(service, "_object", call)
    got = await service.progress("b1")
    assert (got.ended, got.results, got.refused, got.unreached) == seen
    assert got.for_now == (got.refused is not None)


@pytest.mark.parametrize(
    ("told", "ended", "results"),
    [
        ({"status": "COMPLETED", "output_file_id": "f1"}, True, ("f1",)),
        ({"status": "succeeded", "output_file_id": ["f1", "f2"]}, True, ("f1", "f2")),
        ({"status": "canceled", "output_file_id": "f1", "error_file_id": "e1"}, True, ("f1", "e1")),
        ({"status": "Cancelling", "output_file_id": "f1"}, False, ()),
        ({"status": "on_hold", "output_file_id": "f1"}, False, ()),
        ({"status": None}, False, ()),
        ({"status": ["completed"]}, False, ()),
    ],
)
async def test_how_far_a_batch_in_openai_s_protocol_is(told, ended, results, monkeypatch):
    service = service_for(at_tier(entry("openai", monkeypatch), "batch"))

    async def call(*_, **__):
        return told

    monkeypatch.setattr(service, "_object", call)
    got = await service.progress("b1")
    assert (got.ended, got.results) == (ended, results)


async def test_a_gemini_upload_goes_to_its_own_server_alone(monkeypatch):
    service = service_for(at_tier(entry("gemini", monkeypatch), "batch"))
    asked = []

    async def exchange(_, address, *__, **___):
        asked.append(address)
        return {"x-goog-upload-url": "https://elsewhere.example.org/upload"}, b""

    monkeypatch.setattr(service, "_exchange", exchange)
    with pytest.raises(ConnectionError, match="another server"), BytesIO(b"{}\n") as lines:
        await service.upload(lines, "k")
    assert asked == ["https://generativelanguage.googleapis.com/upload/v1beta/files"]
    await service.aclose()


@pytest.mark.parametrize("protocol", ["anthropic", "gemini"])
def test_a_batch_that_is_gone_is_lost(protocol):
    async def scenario():
        async with maker(protocol) as made:
            service = service_for(made.model)
            with pytest.raises(LostBatchError):
                await service.progress("nothing")
            with pytest.raises(LostBatchError):
                _ = [one async for one in service.results("nothing", 1)]
            await service.aclose()

    asyncio.run(scenario())
