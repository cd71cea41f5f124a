import os
import subprocess
import sys

from mirror_ray.engine.cluster.fate_sharing import EXIT_ORPHANED, RAYLET_PID, fate_sharing
from mirror_ray.engine.limiter.actor import Limiter

ACTOR = """
from time import sleep
from mirror_ray.engine.cluster.fate_sharing import fate_sharing

class Plain:
    def __init__(self, word, *, twice):
        print(word * 2 if twice else word, flush=True)

fate_sharing(Plain)("there", twice=True)
sleep(600)
"""


def actor_of(raylet: int) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", ACTOR],
        stdout=subprocess.PIPE,
        env={**os.environ, RAYLET_PID: str(raylet)},
    )


def test_a_process_ends_with_its_raylet_though_nobody_has_waited_for_that_one():
    with subprocess.Popen(["sleep", "600"]) as raylet, actor_of(raylet.pid) as actor:
        assert actor.stdout.readline() == b"therethere\n"
        assert actor.poll() is None
        raylet.kill()
        assert actor.wait(60) == EXIT_ORPHANED


def test_a_process_that_comes_after_its_raylet_has_gone_ends_before_it_does_anything():
    with subprocess.Popen(["true"]) as raylet:
        raylet.wait()
    with actor_of(raylet.pid) as actor:
        assert actor.stdout.read() == b""
        assert actor.wait(60) == EXIT_ORPHANED


def test_an_actor_keeps_its_name():
    shared = fate_sharing(Limiter)
    assert (shared.__name__, shared.__module__) == (Limiter.__name__, Limiter.__module__)
    assert issubclass(shared, Limiter)
