"""What is recorded of a server, whatever the server itself says."""

import asyncio
import gzip
import json
from contextlib import asynccontextmanager

import pytest

from mirror_ray.engine.server.engine_facts import HttpProbe, facts_of
from mirror_ray.providers.served import Served
from support.canned_server import Canned, canned_server

HERE = Served("command", "m", command=("./server", "{port}"), gpus=0.0)
TEMPLATE = json.dumps({"chat_template": "{{ messages }}"})


@asynccontextmanager
async def answering(parts, pause_s: float = 0.0):
    """The address of a server that answers with these parts of a body, one packet each."""

    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        length = sum(len(part) for part in parts)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length)
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def read(url: str) -> dict:
    probe = HttpProbe(url)
    try:
        return await probe.read("/props")
    finally:
        await probe.aclose()


async def test_a_body_that_comes_in_parts_is_read_whole():
    body = json.dumps({"chat_template": "x" * 50_000}).encode()
    async with answering([body[:10_000], body[10_000:]], pause_s=0.05) as url:
        assert await read(url) == json.loads(body)


@pytest.mark.parametrize(
    "canned",
    [
        Canned(200, "<html>gateway</html>"),
        Canned(200, "[1, 2]"),
        Canned(200, b"\xff\xfe\x00"),
        Canned(503, TEMPLATE),
        Canned(302, TEMPLATE, {"Location": "/elsewhere"}),
        Canned(200, json.dumps({"chat_template": "x" * 5 * 2**20})),
        Canned(200, gzip.compress(TEMPLATE.encode()), {"Content-Encoding": "gzip"}),
    ],
    ids=["html", "list", "bytes", "fails", "redirects", "huge", "packed"],
)
async def test_what_is_no_small_json_object_says_nothing(canned):
    with canned_server({"props": canned}) as url:
        assert await read(url) == {}


async def test_what_a_server_says_of_itself_is_bounded_printable_and_fingerprinted():
    models = {"data": [{"id": "a\x1b[2Jb"}, {"id": ["no text"]}, "none", *[{"id": "c"}] * 100]}
    said = {
        "v1": Canned(200, json.dumps(models)),
        "version": Canned(200, json.dumps({"version": "9" * 10_000})),
        "props": Canned(200, TEMPLATE),
    }
    found = []
    for replies in (said, {**said, "props": Canned(404, "")}):
        with canned_server(replies) as url:
            probe = HttpProbe(url)
            found.append(await facts_of(HERE, HERE.argv(host="h", port=1), probe, "here"))
            await probe.aclose()
    first, without = found
    assert len(first.served) <= 20
    assert "\x1b" not in "".join(first.served)
    assert len(first.engine_version) <= 200
    assert first.chat_template_sha is not None
    assert without.chat_template_sha is None
    assert first.fingerprint != without.fingerprint


@pytest.mark.parametrize(
    ("engine", "args", "said"),
    [
        ("vllm", (), "the engine's own (--generation-config vllm)"),
        ("vllm", ("--generation_config=auto",), "as args say (--generation-config)"),
        ("vllm", ("--override-generation-config", "{}"), "as args say (--override-generation-conf"),
        ("sglang", (), "the engine's own (--sampling-defaults openai)"),
        ("sglang", ("--sampling-defaults", "model"), "as args say (--sampling-defaults)"),
    ],
)
async def test_where_sampling_defaults_come_from_is_as_the_command_line_says(engine, args, said):
    served = Served(engine, "m", weights="/no/such/weights", args=args, python="/no/such/python")
    with canned_server({name: Canned(404, "") for name in ("v1", "version", "props")}) as url:
        probe = HttpProbe(url)
        facts = await facts_of(served, served.argv(host="h", port=1), probe, "here")
        await probe.aclose()
    assert facts.sampling_defaults.startswith(said)
