"""How long every view of metrics takes over millions of steps, and how much memory.

    python benchmarks/views.py [--steps 10_000_000] [--run DIR]

Makes a run of selfid (8 models × 5 conditions × 6 settings, about 12 steps an episode, shards of
500 episodes as real runs have), opens it with the episodes' scores held, and asks every view of
`metric` for all its rows, on two threads and with 4 GiB. `metric.scores` has a row for each episode
and score: of it, sums are asked for. CPU seconds tell more than seconds on a busy machine.
"""

import argparse
import resource
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from rich.console import Console
from rich.table import Table
from view_rows import write_run

from analysis.warehouse import open_run, sql_files

THREADS, MEMORY = 2, "4GB"
FAMILIES = ("selfid", "scores", "settings")
LONG = {"scores": "select metric, count(score), sum(score) from metric.scores group by metric"}


def main() -> None:
    """Make the run where there is none, time each view, print one row for each."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--steps", type=int, default=10_000_000)
    options.add_argument("--run", type=Path, help="a run made before, or where to make it")
    chosen = options.parse_args()
    console = Console()
    with TemporaryDirectory() as folder:
        run = chosen.run or Path(folder)
        if not (run / "steps").exists():
            began = perf_counter()
            steps = write_run(run, chosen.steps)
            console.print(f"{steps:,} steps made in {perf_counter() - began:.0f} s")
        console.print(timed(str(run)))
        peak_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        console.print(f"peak memory {peak_gib:.2f} GiB, the run's making included")


def timed(run: str) -> Table:
    """Rows, seconds and CPU seconds of each view, of the opening, and of all."""
    table = Table("view", "rows", "s", "CPU s", title="Every view of metrics")
    began, cpu_began = perf_counter(), process_time()
    config = {"threads": THREADS, "memory_limit": MEMORY}
    with open_run(run, hold=True, config=config) as connection:
        table.add_row("(open)", "", *_since(began, cpu_began))
        for name, query in _queries().items():
            view_began, view_cpu_began = perf_counter(), process_time()
            rows = len(connection.execute(query).fetchall())
            table.add_row(name, f"{rows:,}", *_since(view_began, view_cpu_began))
    table.add_row("all", "", *_since(began, cpu_began))
    return table


def _since(began: float, cpu_began: float) -> tuple[str, str]:
    return f"{perf_counter() - began:.1f}", f"{process_time() - cpu_began:.1f}"


def _queries() -> dict[str, str]:
    return {
        file.name: LONG.get(file.name, f"from metric.{file.name}")
        for file in sql_files()
        if file.layer == "metric" and file.name.split("_")[0] in FAMILIES
    }


if __name__ == "__main__":
    main()
