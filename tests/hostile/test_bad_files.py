"""Every bad file ends a command with exit code 2 and one message: got, allowed, fix, where.

In this process, since there are hundreds; those that could hang or take all memory are tried again
as a user would, under a limit of memory.
"""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from bad_catalogues import bad_catalogues
from bad_data import bad_data
from bad_files import BadFile
from bad_sweeps import bad_sweeps

from mirror_ray.cli import main
from mirror_ray.cli.variables import read_variables
from mirror_ray.core.errors import SweepError
from support.each_case import each
from support.whole import one_in

CASES = [*bad_sweeps(), *bad_catalogues(), *bad_data()]
VALUE = "a-secret-of-the-environment"
MOST_CHARS = 12_000
MOST_BYTES = 4 * 2**30
TIMEOUT_S = 120
"""Far above what any takes: a command that hangs ends all the same."""
ALONE = (
    "sweep_fifo",
    "sweep_terabyte",
    "sweep_aliases_of_aliases",
    "sweep_runs_billion",
    "catalogue_dev_zero",
    "bank_fifo",
    "gzip_bomb",
    "rows_fifo",
    "seed_file_wide",
    "picture_png_bomb",
)
"""Each is a process. `make test` starts a pipe, a product that is too large and two bombs; within
this process all of them are tried."""


def test_there_are_many_and_no_two_alike() -> None:
    assert len(CASES) >= 200
    assert len({case.name for case in CASES}) == len(CASES)
    assert set(ALONE) <= {case.name for case in CASES}


@each("case", one_in(5, CASES), ids=lambda case: case.name)
def test_a_bad_file_is_said(
    case: BadFile,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path_factory.mktemp(case.name[:40])
    monkeypatch.setenv("HOSTILE", VALUE)
    monkeypatch.chdir(folder)
    assert main(["plan", str(case.write(folder)), *case.overrides]) == 2
    _is_one_message(case, capsys.readouterr().err)


@pytest.mark.parametrize("name", one_in(3, ALONE))
def test_nothing_hangs_or_takes_all_memory(name: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == name)
    sweep = case.write(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "mirror_ray", "plan", sweep, *case.overrides],
        cwd=tmp_path,
        env={**os.environ, "HOSTILE": VALUE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        preexec_fn=_limit_memory,
        check=False,
    )
    assert done.returncode == 2, done.stderr[-2_000:]
    _is_one_message(case, done.stderr)


@pytest.mark.parametrize(
    "value",
    [
        *("!!python/object:os.system {}", "!!binary YQ==", "[1]", "{a: 1}", "'\0'", "\udc80"),
        *("[" * 50_000, "9" * 5_000, "*x", "&x [*x]", "1\n---\n2", ".nan"),
    ],
)
def test_a_bad_value_of_a_variable_is_said(value: str) -> None:
    with pytest.raises(SweepError, match=r"--set mirror_px_threshold"):
        read_variables([f"mirror_px_threshold={value}"])


def _limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def _is_one_message(case: BadFile, said: str) -> None:
    for part in ("\n  got:     ", "\n  allowed: ", "\n  fix:     "):
        assert part in said
    for part in case.says:
        # Between a sweep's name and the key are line and column, if there are any.
        assert re.search(re.escape(part).replace(r"\.yaml:", r"\.yaml(:\d+:\d+)?:"), said)
    assert len(said) <= MOST_CHARS
    # Each problem has its place, up to two lines of the file, and three lines on it.
    *problems, last = said.rstrip("\n").split("\n\n")
    assert not problems or last == f"{len(problems)} problems"
    for problem in problems or [last]:
        assert problem.count("\n") in (3, 5)
    assert "Traceback" not in said
    assert VALUE not in said
    assert all(c.isprintable() for c in said.replace("\n", ""))
