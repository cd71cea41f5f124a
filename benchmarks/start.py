"""Measure how long commands, and the first episode of quickstart, take.

    python benchmarks/start.py [--tries 3]

Plays quickstart into a temporary folder and notes when its first episode has ended, then runs each
command on that run. CPU time includes child processes. Each figure is the lowest of the tries,
because other programs on the machine can only add to it.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from sqlite3 import Error
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from mirror_ray.core.errors import RunDirError
from mirror_ray.records.journal.read_only import journal_rows

_PROGRAM = (sys.executable, "-m", "mirror_ray")
_QUERY = "from metric.selfid where metric = 'tsa'"


def main() -> None:
    """Print a line per command: CPU and wall seconds, and the bound on CPU seconds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tries", type=int, default=3)
    tries = options.parse_args().tries
    with TemporaryDirectory() as folder:
        out = Path(folder, "run")
        first_s, all_s = played(out)
        print(f"quickstart: first episode after {first_s:.1f} s (bound 8), all after {all_s:.1f} s")
        print("    CPU    wall  bound")
        for words, bound_s in (
            (("--help",), 0.1),
            (("plan", "quickstart", "--out", f"{folder}/none"), 2.0),
            (("status", str(out)), 0.8),
            (("sql", str(out), _QUERY), 1.0),
            (("report", str(out)), 5.0),
        ):
            cpu_s, wall_s = (
                min(one) for one in zip(*(cost(words) for _ in range(tries)), strict=True)
            )
            print(f"{cpu_s:5.2f} s {wall_s:5.2f} s {bound_s:4.1f} s  {words[0]}")


def played(out: Path) -> tuple[float, float]:
    """Play quickstart; return the seconds until one episode and until all have ended."""
    began_s, first_s = perf_counter(), None
    with subprocess.Popen(
        [*_PROGRAM, "run", "quickstart", "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        while run.poll() is None:
            if first_s is None and has_ended_one(out):
                first_s = perf_counter() - began_s
            sleep(0.05)
    assert run.returncode == 0, "quickstart did not play"
    assert first_s is not None, "no episode has ended"
    return first_s, perf_counter() - began_s


def has_ended_one(out: Path) -> bool:
    """Return whether an episode has ended, in the journal or sealed."""
    if any(out.glob("episodes/**/*.parquet")):
        return True
    try:
        return bool(list(journal_rows(out, "select take from finished limit 1") or ()))
    except (Error, RunDirError):
        return False


def cost(words: Sequence[str]) -> tuple[float, float]:
    """Run a command; return its CPU and wall seconds."""
    before, began_s = getrusage(RUSAGE_CHILDREN), perf_counter()
    subprocess.run([*_PROGRAM, *words], check=True, capture_output=True)
    after, wall_s = getrusage(RUSAGE_CHILDREN), perf_counter() - began_s
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall_s


if __name__ == "__main__":
    main()
