"""What is computed in a copy of the process comes back, or the copy's end does no harm."""

import os
import signal
import sys
from subprocess import run
from time import monotonic, sleep

import pytest

from mirror_ray.world.opengl import forked
from mirror_ray.world.opengl.forked import computed_in_fork, may_fork


def crashes(ready):
    ready()
    os.kill(os.getpid(), signal.SIGSEGV)


def hangs(_):
    sleep(600)


def raises(ready):
    ready()
    raise OSError("not here")


def exits(_):
    sys.exit(3)


def returns_a_function(_):
    return lambda: None


def test_a_result_comes_back_however_large_and_nothing_else_changes():
    seen = []

    def computes(ready):
        seen.append(1)
        ready()
        return {"rows": list(range(100_000)), "pid": os.getpid()}

    found = computed_in_fork(computes, 60.0)
    assert found["rows"] == list(range(100_000))
    assert found["pid"] != os.getpid()
    assert seen == []


@pytest.mark.parametrize("compute", [crashes, raises, exits, returns_a_function])
def test_a_copy_that_ends_badly_gives_nothing(compute, capfd):
    assert computed_in_fork(compute, 60.0) is None
    assert capfd.readouterr() == ("", "")


def test_a_driver_that_does_not_start_is_ended():
    began_s = monotonic()
    assert computed_in_fork(hangs, 0.3) is None
    assert monotonic() - began_s < 60


def test_a_copy_that_is_ready_may_take_its_time():
    def slow(ready):
        ready()
        sleep(0.7)
        return "done"

    assert computed_in_fork(slow, 0.3) == "done"


def test_no_process_is_left_when_the_wait_is_interrupted(monkeypatch):
    left = []

    def interrupted(pid, *_):
        left.append(pid)
        raise KeyboardInterrupt

    monkeypatch.setattr(forked, "_result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        computed_in_fork(hangs, 60.0)
    with pytest.raises(ProcessLookupError):
        os.kill(left[0], 0)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", True),
        ("import json", False),
        ("import threading, time; threading.Thread(target=time.sleep, args=(1,)).start()", False),
    ],
)
def test_only_a_process_without_other_threads_and_without_the_library_is_copied(before, expected):
    told = f"{before}\nfrom mirror_ray.world.opengl.forked import may_fork\nprint(may_fork('json'))"
    if not before:
        told = told.replace("'json'", "'no_such_library'")
    found = run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == str(expected)


def test_this_process_is_not_copied_while_its_renderer_draws(renderer):
    assert renderer.gl
    assert not may_fork("mujoco")
