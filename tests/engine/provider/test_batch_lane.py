"""A batch lane: each ask is sent once, whenever its process dies, and paid at the batch's price."""

import asyncio
from collections import Counter

import pytest

from mirror_ray.providers.backend import NotMadeError, StillOutError
from support.engine.batch_scenes import PROTOCOLS, Life, maker, request_of

N = 7
OF_EACH_MAKER = pytest.mark.parametrize("protocol", PROTOCOLS)


@OF_EACH_MAKER
def test_asks_share_a_batch_and_are_priced_as_one(tmp_path, protocol):
    async def scenario():
        async with maker(protocol) as made:
            life = Life(made, tmp_path / "j")
            life.ask(*map(request_of, range(N)))
            replies = await life.replies()
            left = await life.log.unanswered()
            await life.close()
            return made, life, replies, left

    made, life, replies, left = asyncio.run(scenario())
    assert life.log.notes == ["intended", "sending", "out"]
    assert len(made.posted) == made.protocol.uploads + made.begun == made.protocol.uploads + 1
    assert [one.text for one in replies] == [f"answer to {request_of(i).user}" for i in range(N)]
    # The maker's own word for it there is "default".
    assert {one.service_tier for one in replies} == {"batch"}
    assert sum(one.cost_usd for one in replies) == pytest.approx(sum(made.bill_usd), rel=1e-12)
    assert left == []


# At each moment a process may die: before the upload, between it and the beginning, after the
# beginning with its name unknown, while the batch is out, and when its results are half recorded.
@OF_EACH_MAKER
@pytest.mark.parametrize("moment", ["intended", "sending", "out", "polling", "half recorded"])
def test_whenever_its_process_dies_an_ask_is_paid_once_and_none_is_lost(tmp_path, moment, protocol):
    async def scenario():
        async with maker(protocol, lasts_s=0.4) as made:
            dies_at = moment if moment in ("intended", "sending", "out") else None
            first = Life(made, tmp_path / "j", dies_at)
            first.ask(*map(request_of, range(N)))
            uploads = made.protocol.uploads
            posts = {"intended": 0, "sending": uploads}.get(moment, uploads + 1)
            await first.until(lambda: len(made.posted) == posts)
            if moment == "half recorded":
                record, recorded = first.log.record, []

                def record_two(*of):
                    if len(recorded) < 2:
                        recorded.append(record(*of))

                first.log.record = record_two
                await first.until(lambda: len(recorded) == 2)
            else:
                await asyncio.sleep(0.1)
            await first.die()
            second = Life(made, tmp_path / "j")
            second.log._do(lambda journal: journal.batches.hand_on())
            # As the run goes on: what is recorded is asked no more.
            rows = second.log.journal._db.execute("select episode_id from reply where final")
            recorded = {episode_id for (episode_id,) in rows}
            asked = [one for one in map(request_of, range(N)) if one.episode_id not in recorded]
            second.ask(*asked)
            replies = await second.replies()
            left = await second.log.unanswered()
            await second.close()
            return made, asked, replies, left

    made, asked, replies, left = asyncio.run(scenario())
    assert set(made.billed.values()) == {1}
    assert len(made.billed) == N
    assert [one.text for one in replies] == [f"answer to {one.user}" for one in asked]
    assert len(asked) == (N - 2 if moment == "half recorded" else N)
    assert made.begun == 1
    assert left == []


@OF_EACH_MAKER
def test_what_expires_or_fails_goes_back_to_the_lane_and_the_rest_counts(tmp_path, protocol):
    async def scenario():
        async with maker(protocol, expired=0.4, failed=0.2) as made:
            life = Life(made, tmp_path / "j")
            life.ask(*map(request_of, range(30)))
            replies = await life.replies()
            await life.close()
            return made, replies

    made, replies = asyncio.run(scenario())
    assert made.begun > 1
    assert {one.error_kind for one in replies} == {"none"}
    assert set(made.billed.values()) == {1}
    assert len(made.billed) == 30


def test_a_batch_is_sent_once_it_is_full(tmp_path):
    async def scenario():
        async with maker() as made:
            by_count = Life(made, tmp_path / "a", most_asks=3, linger_s=0.3)
            by_count.ask(*map(request_of, range(N)))
            await by_count.replies()
            counts = [
                made.batches.files[one.label["input_file_id"]] for one in made.batches.jobs.values()
            ]
            await by_count.close()
            by_size = Life(made, tmp_path / "b", most_mb=0.0006, linger_s=0.3)
            by_size.ask(*map(request_of, range(10, 13)), request_of(14, "x" * 2000))
            replies = await by_size.replies()
            await by_size.close()
            sizes = [
                len(made.batches.files[one.label["input_file_id"]])
                for one in made.batches.jobs.values()
            ]
            return counts, sizes[len(counts) :], replies

    counts, sizes, replies = asyncio.run(scenario())
    assert [len(one.splitlines()) for one in counts] == [3, 3, 1]
    assert len(sizes) > 1
    assert max(sizes) <= 600
    assert [one.error_kind for one in replies] == ["none"] * 3 + ["bad_request"]


@OF_EACH_MAKER
@pytest.mark.parametrize("cancels", [False, True])
def test_a_stop_leaves_out_what_is_out_and_sends_nothing_more(tmp_path, cancels, protocol):
    async def scenario():
        async with maker(protocol, lasts_s=30.0) as made:
            life = Life(made, tmp_path / "j", most_asks=N, linger_s=5.0)
            life.lane._cancels = cancels
            life.ask(*map(request_of, range(N + 1)))
            await life.until(lambda: life.log.notes[-1:] == ["out"])
            life.lane.stop()
            ends = await asyncio.gather(*life._asking, return_exceptions=True)
            await life.close()
            if not cancels:
                return made, ends, []
            later = Life(made, tmp_path / "j")
            made.batches.manner = type(made.batches.manner)(lasts_s=0.1)
            later.ask(*map(request_of, range(N + 1)))
            replies = await later.replies()
            await later.close()
            return made, ends, replies

    made, ends, replies = asyncio.run(scenario())
    # Which of them joined the batch is whose body was made first.
    assert Counter(map(type, ends)) == {StillOutError: N, NotMadeError: 1}
    assert any(path.endswith("cancel") for path in made.posted) == cancels
    if cancels:
        # What was done before is paid and read, the rest is asked anew.
        assert {one.error_kind for one in replies} == {"none"}
        assert set(made.billed.values()) == {1}


def test_an_ask_is_not_given_a_reply_to_other_words(tmp_path):
    async def scenario():
        async with maker() as made:
            first = Life(made, tmp_path / "j")
            first.ask(request_of(1))
            await first.until(lambda: first.log.notes[-1:] == ["out"])
            await first.die()
            second = Life(made, tmp_path / "j")
            second.ask(request_of(1, "something else"))
            (reply,) = await second.replies()
            await second.close()
            return reply

    assert asyncio.run(scenario()).error_kind == "internal"
