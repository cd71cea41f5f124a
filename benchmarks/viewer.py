"""Measure how soon a large run is open in the viewer, and how soon its pages and pictures come.

    python benchmarks/viewer.py [--episodes 100000] [--per-shard 500]

Makes a run directory whose episodes are all finished, with the writer of real runs. Starts
`mirror-ray view` on it and measures the time from the command to the first page of its list, then
of filtered lists, the last page, and an episode's page. Also prints the start-up time of the bare
program, which is part of the first figure, and CPU time, which is more accurate on a busy machine.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.request import urlopen

import yaml
from resume import write_finished

from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan

COMMAND = [sys.executable, "-m", "mirror_ray"]
TIMES = 5


def main() -> None:
    """Print one line per figure, each the median of five."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--episodes", type=int, default=100_000)
    options.add_argument("--per-shard", type=int, default=500)
    chosen = options.parse_args()
    with TemporaryDirectory() as folder:
        plan = plan_of(chosen.episodes, Path(folder))
        write_finished(plan, chosen.per_shard)
        shards = len(list(Path(plan.sweep.out).glob("episodes/**/*.parquet")))
        print(f"{len(plan.episodes):,} episodes in {shards:,} shards")
        print(f"the program alone, --version: {median(map(bare, range(TIMES))):.2f} s")
        openings = [opened(plan.sweep.out) for _ in range(TIMES)]
        wall_s, cpu_s = (median(figures) for figures in zip(*openings, strict=True))
        print(f"command to first page: {wall_s:.2f} s ({cpu_s:.2f} s CPU)")
        with Served(plan.sweep.out) as address:
            last = -(-len(plan.episodes) // 100)
            episode = plan.episodes[len(plan.episodes) // 2].episode_id
            for what, path in (
                ("the list again", ""),
                ("narrowed to a condition and a model", "?condition=E3&model=scripted/blind"),
                ("its last page", f"?page={last}"),
                ("ids that begin with 3f", "?id=3f"),
                ("an episode, the first one", f"episode/{episode}"),
                ("an episode, again", f"episode/{episode}"),
            ):
                times = 1 if "first" in what else TIMES
                print(f"{what}: {median(took(address + path) for _ in range(times)):.3f} s")


def plan_of(episodes: int, folder: Path) -> Plan:
    """Return a plan of at least that many episodes, in whole scenes, as from a sweep file."""
    keys = {
        "name": "large",
        "models": ["scripted/observer", "scripted/gullible", "scripted/blind"],
        "stages": [
            {
                "family": "selfid",
                "conditions": ["E1", "E2", "E3", "E4", "E5"],
                "temperature": [0.0, 0.2, 0.7, 1.0],
                "seeds": -(-episodes // 600),
                "runs": 10,
            }
        ],
        "out": str(folder / "run"),
    }
    path = folder / "large.yaml"
    path.write_text(yaml.safe_dump(keys))
    return load_plan(str(path))


class Served:
    """The viewer's process and address."""

    def __init__(self, out: str) -> None:
        command = [*COMMAND, "view", out, "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.cpu_s = 0.0
        """User and system time of the process, known once it has ended."""

    def __enter__(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().split()[0]

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        _, _, used = os.wait4(self._process.pid, 0)
        self.cpu_s = used.ru_utime + used.ru_stime


def bare(_: int) -> float:
    """Return the seconds of a command that does nothing."""
    return timed(lambda: subprocess.run([*COMMAND, "--version"], check=True, capture_output=True))


def opened(out: str) -> tuple[float, float]:
    """Return wall and CPU seconds from the command to the first page."""
    began_s = perf_counter()
    served = Served(out)
    with served as address:
        read(address)
        wall_s = perf_counter() - began_s
    return wall_s, served.cpu_s


def took(url: str) -> float:
    """Return the seconds of a page."""
    return timed(lambda: read(url))


def read(url: str) -> bytes:
    """Return a page of the viewer."""
    with urlopen(url) as page:  # noqa: S310 - our own, on loopback
        return bytes(page.read())


def timed(do: Callable[[], object]) -> float:
    """Return the seconds that a page takes."""
    began_s = perf_counter()
    do()
    return perf_counter() - began_s


if __name__ == "__main__":
    main()
