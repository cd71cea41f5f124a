"""Compare the rate of a server whose useful concurrency a run finds with the best bare rate.

    python benchmarks/found_concurrency.py --command "llama-server -m small.gguf --host {host}
        --port {port} -np 4 --no-cache-prompt --cache-ram 0" [--requests 96] [--at 1 2 4 8 16]

The command is started twice: by this script for bare calls of aiohttp with each concurrency, before
and after a run that serves the same command. The run's rate is that of its second half.
"""

import argparse
import asyncio
import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from socket import socket
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from time import sleep
from urllib.error import URLError
from urllib.request import urlopen

from own_server import MAX_TOKENS, STAGES, bare, bodies_of
from rich.console import Console

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.engine.driver.run import play_plan
from mirror_ray.sweep.load import load_plan

TARGET = 0.8
READY_WITHIN_S = 120.0
_ENDED = """
with ended as (
    select epoch(started_at::timestamptz) + latency_s as at_s from stage.metacog_steps
)

select
    count(*) filter (at_s > middle_s) / (max(at_s) - any_value(middle_s)) as per_s
from ended, (select median(at_s) as middle_s from ended)
"""


def main() -> None:
    """Print the bare rates, the run's, and its share of the best."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--command", required=True)
    options.add_argument("--requests", type=int, default=96)
    options.add_argument("--at", type=int, nargs="+", default=[1, 2, 4, 8, 16])
    chosen = options.parse_args()
    console = Console()
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        entry = {
            "serve": {"engine": "command", "command": shlex.split(chosen.command), "gpus": 0},
            "max_tokens": MAX_TOKENS,
            "vision": False,
        }
        (folder / "models.yaml").write_text(json.dumps({"models": {"own": entry}}))
        (folder / "own.yaml").write_text(
            f"name: own\nmodels: [own]\ncatalogue: models.yaml\nout: {folder / 'run'}\nstages:\n"
            f"  - {STAGES[False]}, seeds: {chosen.requests}, temperature: [0.0]}}\n"
        )
        plan = load_plan(str(folder / "own.yaml"))
        bodies = [json.dumps(body).encode() for body in bodies_of(plan)]

        def bare_rates(order: list[int]) -> dict[int, float]:
            with served(chosen.command) as base_url:
                return {
                    at: asyncio.run(bare(bodies[: max(16, 6 * at)], base_url, at)) for at in order
                }

        before = bare_rates(chosen.at)
        summary = play_plan(plan, console=Console(file=StringIO()), plain=True)
        assert summary.exit_code == 0, summary
        after = bare_rates(chosen.at[::-1])
        with open_run(str(folder / "run")) as connection:
            ((run_per_s,),) = connection.sql(_ENDED).fetchall()
    for at in chosen.at:
        console.print(f"bare, {at} at once: {before[at]:.2f}/s, later {after[at]:.2f}/s")
    best = max((before[at] + after[at]) / 2 for at in chosen.at)
    mark = "[green]✓[/]" if run_per_s >= TARGET * best else "[red]✗[/]"
    console.print(f"run {run_per_s:.2f}/s: {run_per_s / best:.0%} of the best, {best:.2f}/s {mark}")


@contextmanager
def served(command: str) -> Iterator[str]:
    """Start the command and yield its address once it is ready."""
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    words = [word.format(host="127.0.0.1", port=port) for word in shlex.split(command)]
    server = Popen(words, stdout=DEVNULL, stderr=DEVNULL)
    try:
        for _ in range(int(READY_WITHIN_S / 0.2)):
            try:
                with urlopen(f"http://127.0.0.1:{port}/health"):
                    break
            except (URLError, OSError):
                sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.kill()
        server.wait()


if __name__ == "__main__":
    main()
