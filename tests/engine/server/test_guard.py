"""No process of an engine is left behind, whoever ends how."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import pytest

from mirror_ray.engine.server import guard
from support.engine.processes import wait_for, with_word

GUARD = Path(guard.__file__)

# A parent, a child, and a grandchild that has left their session; all ignore the wish to end.
TREE = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
depth, word = int(sys.argv[1]), sys.argv[2]
if depth:
    subprocess.Popen([sys.executable, "-c", sys.argv[3], str(depth - 1), word, sys.argv[3]],
                     start_new_session=depth == 1)
time.sleep(3600)
"""

# What starts the guard, as the actor does, and is killed.
STARTER = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-I", "-S", *sys.argv[1:]], stdin=subprocess.PIPE)
time.sleep(3600)
"""


@pytest.fixture
def word():
    word = f"guarded-{uuid4().hex}"
    yield word
    for pid in with_word(word):
        os.kill(pid, signal.SIGKILL)


def guarded(*argv: str, **more) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(GUARD), *argv], stdin=subprocess.PIPE, **more
    )


def tree(word: str) -> tuple[str, ...]:
    return (sys.executable, "-c", TREE, "2", word, TREE)


def all_there(word: str) -> bool:
    return len([pid for pid in with_word(word) if not is_guard(pid)]) == 3


def is_guard(pid: int) -> bool:
    return str(GUARD).encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


def test_at_the_end_of_the_line_of_life_all_descendants_are_killed(word):
    with guarded(*tree(word)) as process:
        wait_for(lambda: all_there(word))
        process.stdin.close()
        process.wait(60)
    assert with_word(word) == []


def test_a_killed_starter_leaves_nothing(word):
    starter = subprocess.Popen([sys.executable, "-c", STARTER, str(GUARD), *tree(word)])
    wait_for(lambda: len(with_word(word)) == 6)  # the starter, two guards, and the three
    os.kill(starter.pid, signal.SIGKILL)
    starter.wait(60)
    wait_for(lambda: not with_word(word))


def test_a_starter_that_kills_its_own_child_first_leaves_nothing(word):
    """As a worker of Ray's does that exits in order; the line of life is still open then."""
    with guarded(*tree(word)) as process:
        wait_for(lambda: all_there(word))
        process.kill()
        wait_for(lambda: not with_word(word))


def test_a_killed_engine_takes_its_children_along(word):
    with guarded(*tree(word)) as process:
        wait_for(lambda: all_there(word))
        parent = min(pid for pid in with_word(word) if not is_guard(pid))
        os.kill(parent, signal.SIGKILL)
        assert process.wait(60) == 128 + signal.SIGKILL
    assert with_word(word) == []


def test_a_killed_guard_takes_the_engine_along(word):
    with guarded(sys.executable, "-c", TREE, "0", word) as process:
        wait_for(lambda: len(with_word(word)) == 3)  # two guards, and the engine
        process.kill()
        process.wait(60)
        wait_for(lambda: not with_word(word))


def test_an_engine_may_end_in_order(tmp_path):
    log = tmp_path / "log"
    program = (
        "import signal, sys, time\n"
        "def end(*_):\n    open(sys.argv[1], 'a').write('in order'); sys.exit(7)\n"
        "signal.signal(signal.SIGTERM, end)\n"
        "open(sys.argv[1], 'w').write('began, ')\n"
        "time.sleep(3600)\n"
    )
    with guarded(sys.executable, "-c", program, str(log)) as process:
        wait_for(lambda: log.exists() and log.read_text())
        process.stdin.write(b".")
        process.stdin.flush()
        assert process.wait(60) == 7
    assert log.read_text() == "began, in order"


def test_a_program_that_is_none_is_said():
    with guarded("/no/such/program", stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.read() == "/no/such/program: No such file or directory\n"
        assert process.wait(60) == guard.EXIT_NOT_STARTED
