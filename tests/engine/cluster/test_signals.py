"""What is started deaf to stops lives through them, and ends when it is asked to by us."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread, get_ident
from time import sleep

import pytest

from mirror_ray.engine.cluster.ray_processes import (
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
            # Sent to this thread, which blocks it; another thread might handle it later.
            signal.pthread_kill(get_ident(), signal.SIGTERM)
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


@pytest.fixture
def another_thread() -> Iterator[None]:
    """A thread that does not block signals, as that of a spinner; Ctrl-C counts in any shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    over = Event()
    thread = Thread(target=over.wait)
    thread.start()
    yield
    over.set()
    thread.join()
    signal.signal(signal.SIGINT, before)


def _taken_by_another_thread(number: int) -> None:
    os.kill(os.getpid(), number)
    while number in signal.sigpending():
        sleep(0.001)
    # The other thread has received it; Python runs the handler in this one shortly after.
    sleep(0.05)


def _signalled(*numbers: int) -> list[int]:
    """Send signals within the block; returns those after which it went on."""
    passed = []
    with suppress(KeyboardInterrupt), children_deaf_to_stops():
        for number in numbers:
            _taken_by_another_thread(number)
            passed.append(number)
    return passed


@pytest.mark.usefixtures("another_thread")
def test_the_first_takes_effect_at_the_end_also_if_another_thread_gets_it() -> None:
    with pytest.raises(KeyboardInterrupt), children_deaf_to_stops():
        _taken_by_another_thread(signal.SIGINT)
    assert _signalled(signal.SIGINT) == [signal.SIGINT]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("another_thread")
def test_the_second_takes_effect_at_once() -> None:
    assert _signalled(signal.SIGINT, signal.SIGINT) == [signal.SIGINT]


def test_an_ignored_one_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with children_deaf_to_stops():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("is_blocked", [True, False])
def test_rays_own_handler_of_a_stop_does_not_choose_the_exit_code(is_blocked: bool) -> None:
    def stopped() -> None:
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(number))
        if not is_blocked:
            # As if another thread, which does not block it, got it.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        signal.pthread_kill(get_ident(), signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), children_deaf_to_stops():
            stopped()
        assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, before)


def test_rays_handler_that_runs_after_the_block_does_not_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another thread may receive the signal within the block, and Python run its handler later."""
    set_handler = signal.signal

    def receive_first(number: int, handler: object) -> object:
        if late:
            signal.raise_signal(late.pop())
        return set_handler(number, handler)

    def stopped() -> None:
        set_handler(signal.SIGTERM, lambda number, _: sys.exit(number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
        late.append(signal.SIGTERM)

    late: list[signal.Signals] = []
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    monkeypatch.setattr(signal, "signal", receive_first)
    try:
        with pytest.raises(KeyboardInterrupt), children_deaf_to_stops():
            stopped()
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & STOPPING
    finally:
        set_handler(signal.SIGTERM, before)
