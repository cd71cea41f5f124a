"""A reader that goes away, as `| head -1` does, is no error of the program's."""

import os
import subprocess
import sys

import pytest

from mirror_ray.records.storage_fault import faults_reported


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


def test_a_reader_that_goes_is_no_fault_of_the_storage() -> None:
    """A run's tables are printed while its directory is open."""
    with pytest.raises(BrokenPipeError), faults_reported("runs/x", "the results cannot be read"):
        raise BrokenPipeError(32, "Broken pipe")
