"""What is started deaf to stops lives through them, and ends when it is asked to by us."""

import os
import signal
import subprocess
import sys

import pytest

from mirror_ray.engine.cluster.signals import (
    STOPPING,
    children_deaf_to_stops,
    deaf_children_end_at_once,
)

TELLS = "import sys; print('up', flush=True); sys.stdin.read()"


@pytest.fixture
def deaf():
    with children_deaf_to_stops():
        process = subprocess.Popen(
            [sys.executable, "-c", TELLS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def test_it_lives_through_every_signal_that_stops_a_run(deaf: "subprocess.Popen[bytes]") -> None:
    for number in STOPPING:
        os.kill(deaf.pid, number)
    # It still answers to what it is told on its own channel.
    assert deaf.stdin is not None
    deaf.stdin.close()
    assert deaf.wait() == 0
    deaf.stdin = None


def test_this_process_hears_them_as_before() -> None:
    heard = []
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append(1))
    try:
        with children_deaf_to_stops():
            os.kill(os.getpid(), signal.SIGTERM)
        assert heard == [1]
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & STOPPING


def test_one_that_is_asked_to_end_is_ended(deaf: "subprocess.Popen[bytes]") -> None:
    with deaf_children_end_at_once():
        deaf.terminate()
        assert deaf.wait(timeout=60) == -signal.SIGKILL


def test_one_that_is_not_asked_lives(deaf: "subprocess.Popen[bytes]") -> None:
    with deaf_children_end_at_once():
        pass
    assert deaf.poll() is None
