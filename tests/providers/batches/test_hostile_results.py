"""Results of a maker that lies: bounded, typed, and each at its own ask's cost alone."""

import asyncio
import gzip
import json

import pytest

from mirror_ray.providers.batches.result_lines import bounded_lines, inflated, openai_result
from mirror_ray.providers.batches.service import plain_name
from mirror_ray.providers.mock.batch_jobs import BatchManner
from mirror_ray.providers.redaction import Secrets
from support.engine.batch_scenes import LISTED, Life, maker, request_of

SECRET = "sk-" + "s" * 30


def completion(**more):
    message = {"role": "assistant", "content": "A"}
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage, **more}


def line(body, custom_id="k-0", status=200, **more) -> bytes:
    response = {"status_code": status, "body": body}
    return json.dumps({"custom_id": custom_id, "response": response, **more}).encode()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[1]",
        b'{"custom_id": 7}',
        b'{"custom_id": "' + b"k" * 65 + b'"}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_line_that_is_none_is_nobodys(text):
    assert openai_result(text, LISTED, Secrets()) is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (completion(), "none"),
        (completion(model="another"), "none"),
        ({"choices": 7}, "server"),
        ({"choices": [{"message": {"content": {"x": 1}}}]}, "server"),
        (completion(usage={"prompt_tokens": -5, "completion_tokens": 10**30}), "none"),
        (completion(usage={"prompt_tokens": float("nan"), "completion_tokens": True}), "none"),
        (completion(choices=[{"message": {"content": "x" * 1_000_001}}]), "server"),
    ],
)
def test_a_reply_is_typed_and_bounded_as_a_single_calls(body, kind):
    result = openai_result(line(body), LISTED, Secrets())
    assert result is not None
    assert (result.custom_id, result.reply.error_kind) == ("k-0", kind)
    usd = result.reply.cost_usd
    assert usd is None or 0 <= usd < 1e4


def test_no_key_of_ours_is_in_a_reply():
    secrets = Secrets([SECRET])
    said = {"error": {"message": f"your key {SECRET} is wrong", "code": SECRET}}
    for told in (line(said, status=401), line(completion(model=SECRET)), line(None, error=said)):
        result = openai_result(told, LISTED, secrets)
        assert result is not None
        assert SECRET not in repr(result)


def test_lines_are_cut_within_bounds_whatever_the_chunks():
    async def read(chunks, **bounds):
        async def given():
            for chunk in chunks:
                yield chunk

        return [one async for one in bounded_lines(given(), **bounds)]

    def lines(*chunks, most_lines=100, most_bytes=5):
        return asyncio.run(read(chunks, most_lines=most_lines, most_bytes=most_bytes))

    assert lines(b"a\nbb", b"b\n", b"c") == [b"a", b"bbb", b"c"]
    # What is too long is skipped to its end, over any number of chunks.
    assert lines(b"123", b"456", b"789\nab\n" + b"x" * 9) == [b"ab"]
    assert lines(*[b"\n" * 10] * 10, most_lines=7) == [b""] * 7


async def _chunks(data: bytes, size: int):
    for start in range(0, len(data), size):
        yield data[start : start + size]


@pytest.mark.parametrize("size", [2, 100, 10**6])
async def test_a_compressed_file_is_read_whether_the_server_says_so_or_not(size):
    plain = b"".join(b'{"custom_id": "k-%d"}\n' % i for i in range(2_000))
    half = len(plain) // 2
    of_two_parts = gzip.compress(plain[:half]) + gzip.compress(plain[half:])
    for data in (plain, gzip.compress(plain), of_two_parts, gzip.compress(plain) + bytes(512)):
        read = b"".join([one async for one in inflated(_chunks(data, size))])
        assert read.rstrip(b"\0") == plain


async def test_a_file_that_inflates_without_end_comes_in_bounded_pieces():
    data = gzip.compress(bytes(50_000_000))
    assert max([len(one) async for one in inflated(_chunks(data, 2**16))]) <= 2**20


@pytest.mark.parametrize(
    "code", ["batch_expired", "batch_cancelled", "batch_canceled", "request_cancelled", "EXPIRED"]
)
def test_what_the_provider_did_not_process_costs_nothing(code):
    result = openai_result(line(None, error={"code": code}), LISTED, Secrets())
    assert result is not None
    assert (result.reply.error_kind, result.reply.cost_usd) == ("shed", 0.0)


def test_a_reply_in_quotation_marks_is_a_reply():
    result = openai_result(line(json.dumps(completion())), LISTED, Secrets())
    assert result is not None
    assert result.reply.text == "A"


@pytest.mark.parametrize("name", ["../files", "a b", "", "x" * 300, None, 7, "ab\n"])
def test_a_makers_name_cannot_lead_elsewhere(name):
    with pytest.raises(ConnectionError):
        plain_name(name, "batch")


def test_unknown_missing_and_double_results_cost_their_own_asks_alone(tmp_path):
    async def scenario():
        async with maker(lasts_s=30.0) as made:
            life = Life(made, tmp_path / "j")
            life.ask(*map(request_of, range(4)))
            await life.until(lambda: made.batches.jobs)
            # Ended here and now: nobody has read its results yet.
            mock = made.batches
            mock.jobs["batch_1"].end(mock.answer, mock.manner, mock.rng)
            name = mock.told("batch_1", None)["output_file_id"]
            rows = sorted(made.batches.files[name].splitlines(), key=lambda row: row[:60])
            other = json.dumps(json.loads(rows[0]) | {"custom_id": "somebody-0"}).encode()
            again = rows[1].replace(b"answer to", b"another answer to")
            lines = [other, b"{", b"x" * 9_000_000, rows[0], rows[1], again, rows[2]]
            made.batches.files[name] = b"\n".join(lines) + b"\n"
            made.batches.manner = BatchManner(lasts_s=0.1)
            replies = await life.replies()
            await life.close()
            return made, replies

    made, replies = asyncio.run(scenario())
    assert {one.error_kind for one in replies} == {"none"}
    assert not any(one.text.startswith("another") for one in replies)
    # The one that was missing is asked again, and it alone.
    assert sorted(made.billed.values()) == [1, 1, 1, 2]
