"""A model server from its start to its end: loads, dies, hangs, is given up, leaves nothing."""

import asyncio
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import aiohttp
import pytest

from mirror_ray.engine.server.actor import MOST_FAILURES, HealthPolicy, ModelServer
from mirror_ray.engine.server.messages import ServerPlacement
from mirror_ray.providers.served import Served
from support.engine.processes import command_line, with_word

PROGRAM = Path(__file__).parents[2] / "support" / "engine" / "served_program.py"
QUICK = HealthPolicy(pauses_s=(0.0,), health_every_s=0.1, healthy_within_s=2.0, silences=2)
PATIENCE_S = 60.0


@pytest.fixture
def word():
    word = f"served-{uuid4().hex}"
    yield word
    for pid in with_word(word):
        os.kill(pid, signal.SIGKILL)


def served(word: str, *more: str, **changes) -> Served:
    command = (sys.executable, str(PROGRAM), "--port", "{port}", "--mark", word, *more)
    return Served("command", "observer", command=command, gpus=0.0, **changes)


def model_server(one: Served, pace: HealthPolicy = QUICK, **names) -> ModelServer:
    return ModelServer(one, ServerPlacement("127.0.0.1", "here", **names), pace)


async def until(server: ModelServer, state: str, *, not_start: str = ""):
    async with asyncio.timeout(PATIENCE_S):
        while True:
            status = await server.status()
            if status.state == state and status.start != not_start:
                return status
            await asyncio.sleep(0.02)


async def get(url: str) -> int:
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        return response.status


async def test_it_is_ready_once_it_answers_and_leaves_no_process(word):
    server = model_server(served(word))
    assert (await server.status()).state == "loading"
    ready = await until(server, "ready")
    assert await get(ready.url.removesuffix("/v1") + "/health") == 200
    assert (ready.facts.engine, ready.facts.served) == (
        Path(sys.executable).name,
        ("observer",),  # what is no text is no name
    )
    assert "{port}" in ready.facts.argv
    await server.stop()
    assert with_word(word) == []


async def test_a_killed_engine_is_started_again_at_another_address(word):
    # With time to learn of its end before its health is asked for again.
    server = model_server(served(word), HealthPolicy(pauses_s=(0.0,)))
    first = await until(server, "ready")
    engines = [pid for pid in with_word(word) if b"guard.py" not in command_line(pid)]
    os.kill(min(engines), signal.SIGKILL)
    second = await until(server, "ready", not_start=first.start)
    assert f"exit code {128 + signal.SIGKILL}" in second.trouble
    assert second.facts.fingerprint == first.facts.fingerprint
    await server.stop()
    assert with_word(word) == []


async def test_an_engine_that_does_not_answer_is_started_again(word, tmp_path):
    server = model_server(served(word, "--mute-at", "1", "--once", str(tmp_path / "once")))
    first = await until(server, "ready")
    body = {"model": "blind", "messages": []}
    asking = asyncio.create_task(post(f"{first.url}/chat/completions", body))
    second = await until(server, "ready", not_start=first.start)
    assert second.trouble == "/health was not answered 2 times in a row"
    await asyncio.gather(asking, return_exceptions=True)
    await server.stop()


async def post(url: str, body: dict) -> int:
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as response:
        return response.status


async def test_one_whose_calls_fail_is_started_again_once(word):
    server = model_server(served(word))
    first = await until(server, "ready")
    await server.suspect(first.start, "5 calls in a row failed")
    await server.suspect(first.start, "5 calls in a row failed")
    second = await until(server, "ready", not_start=first.start)
    assert second.trouble == "5 calls in a row failed"
    # What another Provider noticed of the earlier start says nothing about this one.
    await server.suspect(first.start, "late")
    await asyncio.sleep(3 * QUICK.health_every_s)
    assert (await server.status()).start == second.start
    await server.stop()


async def test_one_that_never_loads_is_given_up_with_its_last_words(word):
    program = "import sys; print('CUDA out of memory, Bearer abcdefgh'); sys.exit(9)"
    command = (sys.executable, "-c", program, word)
    server = model_server(Served("command", "m", command=command, gpus=0.0))
    failed = await until(server, "failed")
    assert failed.trouble == "it ended while it was loading (exit code 9)"
    assert failed.log == ("CUDA out of memory, Bearer [key removed]",) * MOST_FAILURES
    await server.stop()


@pytest.mark.thorough("one whose calls fail, below")
async def test_an_answered_call_forgives_earlier_failures(word):
    server = model_server(served(word))
    start = ""
    for _ in range(MOST_FAILURES + 1):
        ready = await until(server, "ready", not_start=start)
        start = ready.start
        await server.answered(start)
        await server.suspect(start, "fails now and then")
    ready = await until(server, "ready", not_start=start)
    await server.stop()


async def test_too_slow_a_load_is_an_end(word):
    command = (sys.executable, "-c", "import time; time.sleep(3600)", word)
    one = Served("command", "m", command=command, gpus=0.0, ready_within_s=0.1)
    server = model_server(one)
    failed = await until(server, "failed")
    assert failed.trouble == "it was not ready within 0.1 s (ready_within_s)"
    assert with_word(word) == []
    await server.stop()


async def test_the_engine_gets_no_key_of_other_models(word, tmp_path, monkeypatch):
    monkeypatch.setenv("HOUSE_API_KEY", "house-secret-0123")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    monkeypatch.setenv("VLLM_API_KEY", "own-server-0123")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "aws-secret-0123")
    monkeypatch.setenv("SOMETHING_ELSE", "unlisted-0123")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:proxy-secret@127.0.0.1:9")
    monkeypatch.setenv("HF_TOKEN", "hf-named")
    monkeypatch.setenv("HF_HOME", "/weights")
    program = (
        "import json, os, sys; json.dump(dict(os.environ), open(sys.argv[1], 'w')); sys.exit(1)"
    )
    out = tmp_path / "env"
    command = (sys.executable, "-c", program, str(out), word)
    one = Served("command", "m", command=command, gpus=0.0, pass_env=("HF_TOKEN",))
    one = replace(one, env={"VLLM_BATCH_INVARIANT": "1"})
    server = model_server(one, secret_names=frozenset({"HOUSE_API_KEY"}))
    await until(server, "failed")
    told = out.read_text()
    for secret in ("house-secret", "own-server", "aws-secret", "unlisted", "proxy-secret"):
        assert secret not in told
    assert '"HF_TOKEN": "hf-named"' in told
    assert '"HF_HOME": "/weights"' in told
    assert '"VLLM_BATCH_INVARIANT": "1"' in told
    assert '"CUDA_VISIBLE_DEVICES": ""' in told
    await server.stop()
