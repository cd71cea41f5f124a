import asyncio
import socket
import subprocess
import sys

import pytest

from mirror_ray.core.errors import LostError
from mirror_ray.engine.cluster.session_watch import REFUSAL, SILENCE, SessionPart, SessionWatch

WATCHED = """
import asyncio, socket, sys
from time import sleep
from mirror_ray.engine.cluster.session_watch import SessionPart, SessionWatch

listening = socket.create_server(("127.0.0.1", 0))
part = SessionPart("the head", "127.0.0.1", listening.getsockname()[1], wind_up_s=600.0)
watch = SessionWatch()
"""

BLOCKED = """
with watch.watching([part]):
    listening.close()
    sleep(600)
"""

RAISES = """
with watch.watching([part]):
    listening.close()
    raise ValueError("an actor died")
"""

HEEDED = """
async def play():
    soon = asyncio.get_running_loop().call_later
    soon(0.1, listening.close)
    return (await watch.lost()).name

with watch.watching([part]):
    print("lost:", asyncio.run(play()))
    sys.exit(7)
"""


def played(what: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", WATCHED + what],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("what", [BLOCKED, RAISES])
def test_a_process_without_its_session_says_so_and_ends(what):
    ended = played(what)
    assert ended.returncode == LostError.exit_code
    assert "the head (127.0.0.1:" in ended.stderr
    assert "run the same command again" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_who_awaits_a_loss_has_time_to_wind_up():
    ended = played(HEEDED)
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "lost: the head\n", "")


def test_what_goes_wrong_in_a_session_that_is_there_is_told_as_it_is():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        part = SessionPart("the head", "127.0.0.1", listening.getsockname()[1])
        assert part.knock() == 0
        with pytest.raises(ValueError, match="a bad sweep"), SessionWatch().watching([part]):
            raise ValueError("a bad sweep")
    assert part.knock() == REFUSAL


def test_silence_counts_less_than_a_refusal(monkeypatch):
    def cut_off(*_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", cut_off)
    assert SessionPart("the head", "127.0.0.1", 1).knock() == SILENCE < REFUSAL


def test_nobody_is_told_once_the_block_is_over():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        part = SessionPart("the head", "127.0.0.1", listening.getsockname()[1])

        async def stops_waiting() -> None:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(watch.lost(), 0.01)

        watch = SessionWatch()
        with watch.watching([part]):
            asyncio.run(stops_waiting())
