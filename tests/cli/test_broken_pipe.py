"""A reader that goes away, as `| head -1` does, is no error of the program's."""

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("words", [["models"], ["models", "--json"]], ids=" ".join)
def test_a_closed_pipe_ends_a_command_without_a_word(words):
    read, write = os.pipe()
    os.close(read)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "mirror_ray", *words],
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
        )
    finally:
        os.close(write)
    assert (ran.returncode, ran.stderr) == (141, b"")
