"""Measure how fully several processes use a rate-limited key, and how often they exceed its limits.

    python benchmarks/limits.py [--scenario 600 60000 …] [--quick]

Runs two policies in parallel: the engine's clients and Limiter, as in a run (the Limiter and each
worker are Ray actors), and a semaphore with exponential backoff in each worker. The callers use
bare aiohttp. A server on loopback enforces the limits, and the table shows the server's own count.
All scenarios take about 25 minutes, `--quick` about 3.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any, Literal
from urllib.request import Request, urlopen

import ray
from limit_scenarios import (
    BURST_S,
    LATENCY_S,
    MAX_TOKENS,
    PROMPT_CHARS,
    QUICK,
    SCENARIOS,
    SHORTER,
    Scenario,
    Use,
    use_of,
)
from limit_workers import Done, Load, Worker
from rich.console import Console
from rich.table import Table

from mirror_ray.engine.cluster.session import ray_session
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.providers.model import Limits

PROGRAM = Path(__file__).parents[1] / "tests" / "support" / "limits_server.py"
Policy = Literal["limiter", "backoff"]
POLICIES: tuple[Policy, ...] = ("limiter", "backoff")
KEY = "loopback"
PIPED_WIDTH = 140


class Server:
    """The loopback server, in a separate process."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.calls_url = f"http://127.0.0.1:{port}/v1/chat/completions"

    def enforce(self, **limits: Any) -> None:
        """Set other limits; restart counting unless ``keep`` is among them."""
        body = json.dumps({"latency_s": LATENCY_S, "burst_s": BURST_S, **limits}).encode()
        with urlopen(Request(f"http://127.0.0.1:{self._port}/limits", body, method="PUT")):
            pass

    def counts(self) -> Mapping[str, Any]:
        """Return the server's count."""
        with urlopen(f"http://127.0.0.1:{self._port}/stats") as reply:
            counts: Mapping[str, Any] = json.load(reply)
        return counts


@contextmanager
def server() -> Iterator[Server]:
    """Provide a server for the duration of the block."""
    with subprocess.Popen(
        [sys.executable, str(PROGRAM)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield Server(int(process.stdout.readline()))
        finally:
            process.terminate()


def play(
    scenario: Scenario, servers: Mapping[Policy, Server], policies: Sequence[Policy]
) -> dict[Policy, tuple[Use, float]]:
    """Run the policies in parallel; return each one's use of the allowance and CPU ms per call."""
    remote_worker: Any = ray.remote(Worker).options(num_cpus=0)
    actors: list[Any] = []
    runs: dict[Policy, list[Any]] = {}
    timers: list[Timer] = []
    for policy in policies:
        limiter = None
        if policy == "limiter":
            limiter = (
                ray.remote(Limiter).options(num_cpus=0).remote([Limits(KEY, **scenario.knows)])
            )
            actors.append(limiter)
        workers = [
            remote_worker.remote(index, KEY, limiter) for index in range(len(scenario.demand))
        ]
        ray.get([worker.ready.remote() for worker in workers])
        actors += workers
        runs[policy] = workers
    for policy, workers in runs.items():
        target = servers[policy]
        target.enforce(**scenario.enforced)
        if scenario.halved_at_s < scenario.at_most_s:
            less = {**scenario.enforced, "rpm": scenario.enforced["rpm"] / 2, "keep": True}
            timers.append(Timer(scenario.halved_at_s, target.enforce, kwargs=less))
            timers[-1].start()
        loads = [
            Load(
                calls=calls,
                askers=max(1, round(scenario.askers * share)),
                prompt_chars=PROMPT_CHARS,
                max_tokens=MAX_TOKENS,
            )
            for share, calls in zip(scenario.demand, scenario.calls_by_worker, strict=True)
        ]
        runs[policy] = [
            worker.work.remote(target.calls_url, load, scenario.at_most_s)
            for worker, load in zip(workers, loads, strict=True)
        ]
    results: dict[Policy, tuple[Use, float]] = {}
    for policy, pending in runs.items():
        done: list[Done] = ray.get(pending)
        use = use_of(scenario, servers[policy].counts())
        results[policy] = use, 1000 * sum(one.cpu_s for one in done) / max(1, use.calls)
    for timer in timers:
        timer.join()
    for actor in actors:
        ray.kill(actor)
    return results


def judged(figure: float | None, target: float | None, at_least: bool) -> str:
    """Return a figure with its target, marked as reached or missed."""
    if figure is None or target is None:
        return ""
    reached = figure >= target if at_least else figure <= target
    return " [green]✓[/]" if reached else " [red]✗[/]"


def row(policy: Policy, scenario: Scenario, use: Use, cpu_ms: float) -> list[str]:
    """Return one line of the table; only the engine has targets."""
    rejected = use.rejected / max(1, use.calls)
    late = "–" if use.late_s is None else f"{use.late_s:+.1f} s"
    marks = ["", "", ""]
    if policy == "limiter":
        marks = [
            judged(use.share, scenario.share, at_least=True),
            judged(rejected, scenario.rejected, at_least=False),
            judged(use.late_s, scenario.late_s, at_least=False),
        ]
    return [
        scenario.name if policy == POLICIES[0] else "",
        policy,
        f"{use.calls:,}",
        f"{use.share:.1%}{marks[0]}",
        f"{use.rejected:,} ({share_or_times(rejected)}){marks[1]}",
        f"{late}{marks[2]}",
        f"{cpu_ms:.2f} ms",
    ]


def share_or_times(rejected: float) -> str:
    """Return 429s per call."""
    return f"{rejected:.2%}" if rejected < 1 else f"{rejected:,.1f} a call"


def targets(scenario: Scenario) -> str:
    """Return the targets, in one cell of the table."""
    parts = []
    if scenario.share is not None:
        parts.append(f"≥ {scenario.share:.0%}")
    if scenario.rejected is not None:
        parts.append(f"429 ≤ {scenario.rejected:.1%}")
    if scenario.late_s is not None:
        parts.append(f"≤ {scenario.late_s:g} s late")
    return ", ".join(parts)


def main() -> None:
    """Play the scenarios one after another and print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument(
        "--scenario", nargs="+", choices=tuple(SCENARIOS), help="only these; default: all"
    )
    options.add_argument(
        "--quick", action="store_true", help=f"{', '.join(QUICK)} only, each a quarter as long"
    )
    chosen = options.parse_args()
    names = chosen.scenario or (QUICK if chosen.quick else tuple(SCENARIOS))
    console = Console()
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    table = Table("scenario", "policy", title="One key, several processes: use of its allowance")
    for title in ("calls", "share of allowance", "429s", "last call late"):
        table.add_column(title, justify="right")
    table.add_column("CPU per call", justify="right")
    table.add_column("targets")
    load_before = os.getloadavg()[0]
    with ExitStack() as stack:
        # On Ctrl-C, print what has been measured so far.
        stack.enter_context(suppress(KeyboardInterrupt))
        stack.enter_context(ray_session(cores=os.cpu_count() or 1))
        servers = {policy: stack.enter_context(server()) for policy in POLICIES}
        for name in names:
            scenario = SCENARIOS[name].shorter() if chosen.quick else SCENARIOS[name]
            results: dict[Policy, tuple[Use, float]] = {}
            for policies in [[one] for one in POLICIES] if scenario.alone else [POLICIES]:
                with console.status(f"{scenario.name}: {' and '.join(policies)}"):
                    results |= play(scenario, servers, policies)
            for policy, (use, cpu_ms) in results.items():
                wanted = targets(scenario) if policy == POLICIES[0] else ""
                table.add_row(*row(policy, scenario, use, cpu_ms), wanted)
            table.add_section()
    console.print(table)
    console.print(
        f"{len(SCENARIOS['600'].demand)} processes, by the server's own count. The allowance is"
        f" the bucket's initial content ({BURST_S:g} s of the rate) and what flowed in until the"
        " last call was admitted, or the fixed minutes entirely within the run. Late: after the"
        " time at which an ideal caller could have sent its last call."
        f" Latency {LATENCY_S:g} s ± 20 %; backoff obeys Retry-After. {os.cpu_count()} cores, load"
        f" average {load_before:.1f}."
    )
    if chosen.quick:
        console.print(
            f"Runs a {SHORTER}th as long: the first second and its burst have more weight, and"
            " shares are up to two points lower than in a full run."
        )


if __name__ == "__main__":
    main()
