"""One thing that cannot be kept, or read back, fails alone; what others brought is durable."""

from dataclasses import replace

import pytest

from mirror_ray.core.errors import RecordError
from mirror_ray.core.types import Reply
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.records.journal.database import JOURNAL_NAME
from mirror_ray.records.rows.codec import RowCodec
from mirror_ray.records.shards.shard_index import finished_episodes
from support.engine.recorder_samples import COST_USD, SCHEMAS, entry, finished
from support.journal_rows import rewritten


def with_costs(one, **costs):
    """An entry as none is made: its reply's costs are set behind its back."""
    reply = replace(one.reply)
    for name, usd in costs.items():
        object.__setattr__(reply, name, usd)
    return replace(one, reply=reply)


async def test_each_of_a_message_is_kept_or_refused_alone(tmp_path):
    recorder = Recorder(str(tmp_path), SCHEMAS)
    await recorder.begin([PendingCall("nan", 1, "me", "c", 0.5)])
    good = [entry("good", ask, "x") for ask in (1, 2)]
    end = finished("good", good)
    outcomes = await recorder.keep(
        [
            good[0],
            with_costs(entry("nan", 1, "x"), cost_usd=float("nan")),
            with_costs(entry("refund", 1, "x"), cost_usd=-1000.0),
            with_costs(entry("endless", 1, "x"), presumed_usd=float("inf")),
            with_costs(entry("set", 1, "x"), model_version={"no JSON"}),
            entry(None, 1, "x"),
            good[1],
        ],
        [replace(end, family="gamma"), replace(end, rows=object()), end],
        "me",
    )
    assert [one is None for one in outcomes] == [True, *[False] * 5, True, False, False, True]
    assert {type(one) for one in outcomes} == {type(None), RecordError}
    stats = await recorder.stats()
    assert (stats.commits, stats.finished, stats.spent_usd) == (2, 1, pytest.approx(2 * COST_USD))
    # A paid reply that could not be kept counts as what it may have cost.
    assert (await recorder.sums()).pending == [("nan", 1, "me", "c", 0.5)]
    await recorder.close()
    assert finished_episodes(str(tmp_path)) == {"good": (2, "none")}


async def test_damaged_rows_keep_no_other_from_its_shard_and_are_played_again(tmp_path, capfd):
    recorder = Recorder(str(tmp_path), SCHEMAS)
    for name in ("a", "damaged", "z"):
        one = entry(name, 1, "x")
        await recorder.record(one)
        await recorder.finish(finished(name, [one]))
    recorder._close_all()  # a crash: nothing is sealed
    with rewritten(tmp_path / JOURNAL_NAME) as db:
        db.execute("update finished set rows = x'00' where episode_id = 'damaged'")
    recorder = Recorder(str(tmp_path), SCHEMAS)
    assert await recorder.finished(["a", "damaged", "z"]) == {"a": (1, "none"), "z": (1, "none")}
    assert "episode damaged are damaged" in capfd.readouterr().err
    (kept,) = (await recorder.prefixes(["damaged"]))["damaged"]
    await recorder.finish(finished("damaged", [kept]))
    await recorder.close()
    assert set(finished_episodes(str(tmp_path))) == {"a", "damaged", "z"}


async def test_a_journaled_reply_that_fits_no_column_is_handed_out_without_it(tmp_path):
    recorder = Recorder(str(tmp_path), SCHEMAS)
    for name in ("version", "tokens", "cost", "unread", "good"):
        await recorder.record(entry(name, 1, "x"))
    recorder._close_all()
    poison = {
        "version": ('"m-1"', "5"),
        "tokens": (":812", ":9223372036854775808"),
        "cost": (f":{COST_USD}", ":NaN"),
        "unread": ("}", ""),
    }
    with rewritten(tmp_path / JOURNAL_NAME) as db:
        db.executemany(
            "update reply set reply = replace(reply, ?, ?) where episode_id = ?",
            [(*words, name) for name, words in poison.items()],
        )
    recorder = Recorder(str(tmp_path), SCHEMAS)
    found = {
        name: entries[0].reply
        for name, entries in (await recorder.prefixes([*poison, "good"])).items()
    }
    sound = entry("good", 1, "x").reply
    assert found == {
        "version": replace(sound, model_version=None),
        "tokens": replace(sound, tokens_in=None),
        "cost": replace(sound, cost_usd=None),
        "unread": found["unread"],
        "good": sound,
    }
    assert found["unread"].error_kind == "internal"
    assert isinstance(found["unread"], Reply)
    await recorder.close()


async def test_rows_that_are_sound_alone_and_cannot_be_sealed_end_the_attempt(
    tmp_path, monkeypatch
):
    def read(*_: object) -> None:
        raise ValueError("too large together")

    recorder = Recorder(str(tmp_path), SCHEMAS)
    await recorder.finish(finished("a", [entry("a", 1, "x")]))
    with monkeypatch.context() as patch:
        patch.setattr(RowCodec, "read", read)
        patch.setattr(RowCodec, "is_readable", lambda *_: True)
        with pytest.raises(ValueError, match="too large together"):
            await recorder.seal()
    await recorder.close()
    assert set(finished_episodes(str(tmp_path))) == {"a"}
