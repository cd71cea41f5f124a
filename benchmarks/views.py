"""Measure time and memory of every view of metrics over millions of steps.

    python benchmarks/views.py [--steps 10_000_000] [--runs 1] [--run DIR] [--layer metric] [--kept]

Makes a run of selfid (8 models × 5 conditions × 6 settings, about 12 steps per episode, shards of
500 episodes as in real runs), or several with the same cells and other scenes. Opens it with the
episodes' scores kept, and fetches all rows of every view of `metric`, with two threads and 3 GB for
DuckDB, so that the process stays within 4 GiB. For `metric.scores`, `metric.selfid_answers` and
`metric.selfid_sureness_answers`, which may have a row per episode, it fetches sums, because
millions of rows in Python would take the memory that is measured. `--layer paper` times the papers'
tables, of every family that DIR has. With `--kept` an earlier opening has filled the cache;
otherwise nothing is cached. On a busy machine CPU seconds are more accurate than seconds.
"""

import argparse
import os
import resource
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import duckdb
from rich.console import Console
from rich.table import Table
from view_rows import write_run

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.sql_files import sql_files
from mirror_ray.analysis.warehouse import open_run

THREADS, MEMORY = 2, "3GB"
MOST_EPISODES = 12_000_000
"""Episodes per directory: a multiple of the cells, so that directories share no scene."""
COMMON = ("scores", "settings")
LONG = {
    "scores": "select metric, count(score), sum(score) from metric.scores group by metric",
    "selfid_answers": "select gold, answer, count(*) from metric.selfid_answers group by all",
    "selfid_sureness_answers": "select count(*) from metric.selfid_sureness_answers",
}


def main() -> None:
    """Make the run if necessary, time each view, and print one row for each."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=10_000_000)
    options.add_argument("--runs", type=int, default=1, help="number of directories")
    options.add_argument("--run", type=Path, help="an existing run, or where to make one")
    options.add_argument("--layer", choices=("metric", "paper"), default="metric")
    options.add_argument("--kept", action="store_true", help="time a second opening")
    chosen = options.parse_args()
    console = Console()
    with TemporaryDirectory() as folder:
        place = chosen.run or Path(folder)
        runs = [place / f"run-{i}" for i in range(chosen.runs)] if chosen.runs > 1 else [place]
        for number, run in enumerate(runs):
            if not (run / "steps").exists():
                began = perf_counter()
                steps = write_run(run, chosen.steps // len(runs), number * MOST_EPISODES)
                console.print(f"{steps:,} steps made in {perf_counter() - began:.0f} s")
        names = [str(run) for run in runs]
        if chosen.kept:
            os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
            opened(names, keep=True).close()
        console.print(timed(names, chosen.layer, keep=chosen.kept))
        peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        console.print(f"peak memory {peak_gib:.2f} GiB, including making the run")


def opened(runs: Sequence[str], *, keep: bool) -> duckdb.DuckDBPyConnection:
    """Open the runs with scores kept, within the memory limit."""
    config = {"threads": THREADS, "memory_limit": MEMORY}
    return open_run(runs, hold=True, keep=keep, config=config)


def timed(runs: Sequence[str], layer: str, *, keep: bool) -> Table:
    """Return rows, seconds and CPU seconds of each view, of opening, and of everything."""
    table = Table("view", "rows", "s", "CPU s", title=f"Every view of the layer {layer}")
    began, cpu_began = perf_counter(), process_time()
    with opened(runs, keep=keep) as connection:
        table.add_row("(open)", "", *_since(began, cpu_began))
        families = Reading(connection).recorded_families()
        for name, query in _queries(layer, families).items():
            view_began, view_cpu_began = perf_counter(), process_time()
            rows = len(connection.execute(query).fetchall())
            table.add_row(name, f"{rows:,}", *_since(view_began, view_cpu_began))
    table.add_row("all", "", *_since(began, cpu_began))
    return table


def _since(began: float, cpu_began: float) -> tuple[str, str]:
    return f"{perf_counter() - began:.1f}", f"{process_time() - cpu_began:.1f}"


def _queries(layer: str, families: Iterable[str]) -> dict[str, str]:
    return {
        file.name: LONG.get(file.name, f"from {file.view}")
        for file in sql_files()
        if file.layer == layer and file.family in (*families, *COMMON)
    }


if __name__ == "__main__":
    main()
