"""Measure a sweep of ten thousand models under two thousand keys, from its plan to its report.

    python benchmarks/many_models.py [--models 10000] [--keys 2000] [--requests 200000]

`mirror-ray mock` serves the models on loopback; each command runs as a user would start it. During
the run every process's resident memory and open descriptors are sampled. Growth is the median of
the last quarter of the time in which episodes are played, relative to that of the third quarter,
and is flat if below 5 %; the driver's most memory is that of the whole run, its tables included.
Connections to the models follow the calls in flight, so only the most of each quarter is printed.
"""

import argparse
import json
import os
import socket
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

from rich.console import Console
from rich.table import Table

from mirror_ray.analysis.warehouse import open_run

PLAN_S, STATUS_S, DRIVER_MIB, PAGE_MB, GROWTH = 30.0, 5.0, 4096.0, 3.0, 0.05
SAMPLE_S, STATUS_EVERY_S = 5.0, 60.0
PIPED_WIDTH = 120
PLAYS = "Simulator"
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Ran:
    """A command that ended: its output, and seconds on the clock and of its own CPU time."""

    out: str
    wall_s: float
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Sample:
    """A process at one time. `descriptors` excludes its `connections` to the models."""

    at_s: float
    mib: float
    descriptors: int
    connections: int


def main() -> None:
    """Plan, run, ask for the status, report; print every figure with its limit."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--models", type=int, default=10_000)
    options.add_argument("--keys", type=int, default=2_000)
    options.add_argument("--requests", type=int, default=200_000)
    options.add_argument("--out", type=Path, help="keep all files in this folder")
    chosen = options.parse_args()
    console = Console()
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    with TemporaryDirectory(prefix="many-") as temporary:
        folder = chosen.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        measure(written(folder, chosen), folder, console)


def written(folder: Path, chosen: argparse.Namespace) -> Path:
    """Write a catalogue whose models share `keys` keys, and a sweep of all of them."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    numbers = f"{{{1:05}..{chosen.keys:05}}}"
    entries = [
        f"  many/m{group}-{numbers}: {{target: 'hosted_vllm/many/m{group}-{numbers}',"
        f" base_url: 'http://127.0.0.1:{port}/v1', limits_key: 'key-{numbers}', concurrency: 4,"
        " vision: false, usd_per_mtok_in: 1.0, usd_per_mtok_out: 2.0}\n"
        for group in range(chosen.models // chosen.keys)
    ]
    (folder / "models.yaml").write_text("models:\n" + "".join(entries))
    sweep = folder / "sweep.yaml"
    sweep.write_text(
        f"name: many\nmodels: ['many/*']\ncatalogue: models.yaml\nout: {folder / 'run'}\n"
        "stages:\n  - {family: metacog, conditions: [exp1], channel: [natural],"
        f" seeds: {chosen.requests // chosen.models}, runs: 1, temperature: [0.0]}}\n"
    )
    return sweep


def measure(sweep: Path, folder: Path, console: Console) -> None:
    """Run all commands and print what they needed."""
    out = folder / "run"
    planned = command("plan", str(sweep), "--json")
    within(console, "plan", planned, PLAN_S)
    n_planned = json.loads(planned.out)["episodes"]
    with served(sweep, folder):
        began_s = perf_counter()
        with (folder / "run.txt").open("wb") as log:
            running = started("run", str(sweep), "--plain", stdout=log, stderr=log)
            samples, statuses = watched(running, out, port_of(folder))
        wall_s = perf_counter() - began_s
    if running.returncode:
        raise SystemExit((folder / "run.txt").read_text()[-2000:])
    console.print(f"run: {n_planned:,} requests in {wall_s:.0f} s, {n_planned / wall_s:.0f}/s")
    with open_run(str(out)) as connection:
        ((n_replies, n_rows, n_attempts),) = connection.sql(
            "select count(distinct (episode_id, ask)), count(*), coalesce(sum(attempts), 0)"
            " from stage.metacog_steps where error_kind = 'none' and reply is not null"
        ).fetchall()
    told = f"{n_replies:,} of {n_planned:,}, in {n_rows:,} rows and {n_attempts:,} attempts"
    verdict(console, "replies recorded", told, n_replies == n_rows == n_planned)
    slowest = max(statuses, key=lambda one: one.wall_s, default=command("status", str(out)))
    within(console, f"status, slowest of {len(statuses)} during the run", slowest, STATUS_S)
    within(console, "status afterwards", command("status", str(out)), STATUS_S)
    reported = command("report", str(out))
    (page,) = out.glob("report*/index.html")
    size_mb = page.stat().st_size / 1e6
    console.print(f"report: {reported.wall_s:.0f} s, {reported.cpu_s:.0f} s CPU")
    verdict(console, "report page", f"{size_mb:.2f} MB", size_mb <= PAGE_MB)
    console.print(growth_table(samples))
    driver_mib = max(sample.mib for sample in samples["driver"])
    verdict(console, "driver", f"{driver_mib:,.0f} MiB", driver_mib <= DRIVER_MIB)


def verdict(console: Console, what: str, figure: str, met: bool) -> None:
    """Print a figure and whether it is within its limit."""
    console.print(f"{what}: {figure} " + ("[green]✓[/]" if met else "[red]✗[/]"))


def within(console: Console, what: str, ran: Ran, most_s: float) -> None:
    """Print a command's time; the limit applies to its time on the clock."""
    figure = f"{ran.wall_s:.1f} s, {ran.cpu_s:.1f} s CPU (at most {most_s:g} s)"
    verdict(console, what, figure, ran.wall_s <= most_s)


def started(*words: str, **streams: object) -> "Popen[bytes]":
    """Start a command of mirror-ray."""
    return Popen([sys.executable, "-m", "mirror_ray", *words], **streams)  # type: ignore[call-overload,no-any-return]


def command(*words: str) -> Ran:
    """Run a command to its end."""
    began_s, before = perf_counter(), os.times()
    process = started(*words, stdout=PIPE, stderr=PIPE)
    out, error = process.communicate()
    # `status` of a run that plays returns 5.
    if process.returncode not in (0, 5):
        raise SystemExit(error.decode()[-2000:])
    after = os.times()
    cpu_s = after.children_user + after.children_system
    cpu_s -= before.children_user + before.children_system
    return Ran(out.decode(), perf_counter() - began_s, cpu_s)


def port_of(folder: Path) -> int:
    """Return the port of the models' server, which the catalogue in the folder states."""
    return int((folder / "models.yaml").read_text().partition("127.0.0.1:")[2].partition("/")[0])


@contextmanager
def served(sweep: Path, folder: Path) -> Iterator[None]:
    """Serve the sweep's models for the duration of the block."""
    port = str(port_of(folder))
    server = started(
        "mock", str(sweep), "--port", port, "--latency-s", "0.5", stdout=PIPE, stderr=DEVNULL
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline(), "the server did not start"
        yield
    finally:
        server.terminate()
        server.wait()


def watched(
    running: "Popen[bytes]", out: Path, port: int
) -> tuple[dict[str, list[Sample]], list[Ran]]:
    """Sample the run's processes until it ends, by name; return also its statuses meanwhile."""
    samples: dict[str, list[Sample]] = defaultdict(list)
    statuses: list[Ran] = []
    began_s = asked_s = perf_counter()
    while running.poll() is None:
        sleep(SAMPLE_S)
        now_s, to_models = perf_counter(), sockets_to(port)
        for pid in tree(running.pid):
            with suppress(OSError, IndexError):
                name = "driver" if pid == running.pid else name_of(pid)
                folder = Path(f"/proc/{pid}")
                pages = int((folder / "statm").read_text().split()[1])
                is_to_model = [link in to_models for link in links_of(folder / "fd")]
                n_calls = sum(is_to_model)
                mib = pages * os.sysconf("SC_PAGESIZE") / 2**20
                n_open = len(is_to_model) - n_calls
                samples[name].append(Sample(now_s - began_s, mib, n_open, n_calls))
        if now_s - asked_s > STATUS_EVERY_S and (out / "manifest.json").exists():
            statuses.append(command("status", str(out)))
            asked_s = perf_counter()
    return samples, statuses


def sockets_to(port: int) -> set[str]:
    """Return the sockets connected to a port, as the links in /proc/PID/fd name them."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {f"socket:[{row[9]}]" for row in rows if row[2].endswith(f":{port:04X}")}


def links_of(folder: Path) -> Iterator[str]:
    """Return the targets of the links in /proc/PID/fd, without those closed meanwhile."""
    for path in folder.iterdir():
        with suppress(FileNotFoundError):
            yield str(path.readlink())


def name_of(pid: int) -> str:
    """Return a name for a process; those of a kind are told apart by their ids."""
    title = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode()
    if title.startswith("ray::"):
        return f"{title.removeprefix('ray::').partition(':')[0].partition('.')[0]} ({pid})"
    return f"{Path(title).name} ({pid})"


def tree(root: int) -> set[int]:
    """Return the ids of a process and of all its descendants."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(entry.name)] = int(
                (entry / "stat").read_text().rpartition(")")[2].split()[1]
            )
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def growth_table(samples: dict[str, list[Sample]]) -> Table:
    """Return a table of the processes that lived through the second half of playing."""
    table = Table("process", title="Third and last quarter of playing, medians")
    for title in ("MiB", "", "descriptors", "", "growth", "connections", ""):
        table.add_column(title, justify="right")
    playing_s = [one.at_s for name in samples if name.startswith(PLAYS) for one in samples[name]]
    if not playing_s:
        # All Simulators ended between two samples.
        return table
    middle_s, end_s = (min(playing_s) + max(playing_s)) / 2, max(playing_s)
    later_s = (middle_s + end_s) / 2
    for name, series in sorted(samples.items()):
        third = [one for one in series if middle_s <= one.at_s < later_s]
        last = [one for one in series if later_s <= one.at_s <= end_s]
        if name.startswith("IDLE") or not third or not last:
            continue
        mib = [median(one.mib for one in quarter) for quarter in (third, last)]
        n_open = [median(one.descriptors for one in quarter) for quarter in (third, last)]
        connected = [max(one.connections for one in quarter) for quarter in (third, last)]
        grown = max(mib[1] / mib[0], n_open[1] / max(1.0, n_open[0])) - 1
        mark = "[green]✓[/]" if grown <= GROWTH else "[red]✗[/]"
        figures = [f"{one:,.0f}" for one in (*mib, *n_open)]
        table.add_row(name, *figures, f"{grown:+.1%} {mark}", *(f"{one:,}" for one in connected))
    return table


if __name__ == "__main__":
    main()
